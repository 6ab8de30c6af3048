import type { Encoder } from '../encode/types.ts';
import { searchedText, sectionsOf, textOf } from './mentions/sections.ts';
import { passagesOf } from './mentions/text.ts';

/** Embeddings of an issue, and of its title and prose without the words of code and logs. */
export interface QueryVectors {
  issue: Float32Array;
  prose: Float32Array;
}

/** Embeds an issue as search wants it. Encoders read an issue's first line as its title. */
export async function encodeIssue(
  encoder: Pick<Encoder, 'encodeQuery'>,
  text: string,
): Promise<QueryVectors> {
  const sections = sectionsOf(passagesOf(text));
  const title = textOf(sections, 'title');
  const [issue, prose] = await Promise.all([
    encoder.encodeQuery(searchedText(sections)),
    encoder.encodeQuery(`${title}${textOf(sections, 'prose')}`),
  ]);
  return { issue, prose };
}
