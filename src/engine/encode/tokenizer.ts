/** Loads tokenizers of Hugging Face's format, which may come from anyone. */
import { parseJson } from '../../base/json.ts';
import { LocusError } from '../../shared/errors.ts';
import { badModel, type ModelFiles } from './model-files.ts';

/** Maximum nesting of a tokenizer's JSON. Those of Hugging Face have less than 10 levels. */
const MAX_TOKENIZER_DEPTH = 50;

type Library = typeof import('@huggingface/tokenizers');
export type Tokenizer = InstanceType<Library['Tokenizer']>;

/**
 * Reads a tokenizer and passes it to `make`, with the library's class.
 * @throws LocusError `bad-model` if it is invalid, or `make` fails
 */
export async function loadTokenizer<T>(
  files: ModelFiles,
  name: string,
  make: (json: Record<string, unknown>, Tokenizer: Library['Tokenizer']) => T,
): Promise<T> {
  try {
    const bytes = Buffer.from(await files.readText(name));
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const json = parseJson(bytes, { maxDepth: MAX_TOKENIZER_DEPTH });
    return make(json as Record<string, unknown>, Tokenizer);
  } catch (cause) {
    if (cause instanceof LocusError) throw cause;
    throw badModel(
      `${files.path(name)} is not a valid tokenizer: ${(cause as Error).message}.`,
      cause,
    );
  }
}
