/** Language models in the data directory: one folder each, with the file and a manifest, which is written last. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { runIfFree } from '../../base/file-lock.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { createFolder } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { isLocalModelName, MODEL_FORMATS, type ModelFormat } from '../../shared/local-models.ts';
import { copyFile } from './copy.ts';
import { download, hashFile } from './download.ts';
import { getGgufFolder } from './folders.ts';
import { type ListwiseTemplate, listwiseTemplate } from './template.ts';

const manifest = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0),
  format: z.enum(MODEL_FORMATS),
  /** Texts of its requests, instead of those of the format. */
  template: listwiseTemplate.nullable(),
  /** Address or path that it came from. */
  source: z.string(),
});

export interface LanguageModelFile extends z.output<typeof manifest> {
  name: string;
  /** Path of the model. */
  file: string;
}

export interface AddOptions {
  dataDir: string;
  /** Path or address of the model. */
  source: string | URL;
  /** Digest of its content; null for one that is computed, of a file on this machine. */
  sha256: string | null;
  /** Name to give it; null for the name of its file. */
  name: string | null;
  /** Format of requests; null for the one that its name suggests. */
  format: ModelFormat | null;
  template: ListwiseTemplate | null;
  signal: AbortSignal;
  onProgress?: (bytes: number, total: number | null) => void;
  backoffMs?: number;
}

const MANIFEST_FILE = 'model.json';
const MODEL_FILE = 'model.gguf';
/** Size of the largest models of this format that fit on a disk at home. */
const MAX_MODEL_BYTES = 2 ** 40;
const MAGIC = 'GGUF';

/** Names of models that were trained to write a list of identifiers. */
const RERANKERS: readonly [RegExp, ModelFormat][] = [
  [/swe[-_]?rank/i, 'swe-rank'],
  [/rank[-_]?(zephyr|vicuna|gpt|llm|mistral)|listwise/i, 'rank-gpt'],
];
/** Names of files that are one part of a model. */
const PART = /-\d{5}-of-\d{5}$/;

const getModelsFolder = (dataDir: string): string => join(getGgufFolder(dataDir), 'models');

/** Lists the models by name. Folders without a valid manifest, left by an interruption, are none. */
export function listLanguageModels(dataDir: string): LanguageModelFile[] {
  const folder = getModelsFolder(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readManifest(join(folder, name), name) ?? []);
}

/** @throws LocusError `bad-model` if there is no such model, or its file has another size */
export function findLanguageModel(dataDir: string, name: string): LanguageModelFile {
  const models = listLanguageModels(dataDir);
  const found = models.find((model) => model.name === name);
  if (!found) {
    const names = models.map((model) => model.name).join(', ') || 'none';
    throw new LocusError(
      'bad-model',
      `There is no language model “${name}” on this machine. Added models: ${names}.`,
      'Add it with locus models add.',
    );
  }
  const size = statSync(found.file, { throwIfNoEntry: false })?.size;
  if (size === found.bytes) return found;
  throw createChangedError(found);
}

/** Compares a model with its digest. @throws LocusError `bad-model` if it differs */
export async function verifyLanguageModel(
  model: LanguageModelFile,
  signal?: AbortSignal,
): Promise<void> {
  const found = existsSync(model.file) ? await hashFile(model.file, 'sha256', signal) : null;
  if (found !== model.sha256) throw createChangedError(model);
}

/** Removes a model. Returns false if no model has that name. */
export function removeLanguageModel(dataDir: string, name: string): boolean {
  const folder = join(getModelsFolder(dataDir), name);
  if (!isLocalModelName(name) || !existsSync(folder)) return false;
  // Without its manifest it is no model, should the rest fail.
  rmSync(join(folder, MANIFEST_FILE), { force: true });
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/**
 * Copies or downloads a model, completely or not at all. A download that was interrupted continues.
 * @throws LocusError `bad-input`, `not-fetched`, `bad-output`, `busy`, `cancelled`
 */
export async function addLanguageModel(options: AddOptions): Promise<LanguageModelFile> {
  const { dataDir, source, template } = options;
  const name = chooseName(options);
  const folder = join(getModelsFolder(dataDir), name);
  const downloads = join(getGgufFolder(dataDir), 'downloads');
  createFolder(downloads);
  const added = await runIfFree(join(downloads, 'add.lock'), async () => {
    if (readManifest(folder, name))
      throw badInput(
        `There is a language model “${name}” already.`,
        `Remove it with locus models remove ${name}, or choose another name with --name.`,
      );
    const path = join(downloads, `${options.sha256 ?? 'copy'}.part`);
    const sha256 = await transfer(options, path);
    await assertGguf(path, `${source}`);
    rmSync(folder, { recursive: true, force: true });
    createFolder(folder);
    const format = options.format ?? (template ? 'rank-gpt' : suggestFormat(name));
    const { size: bytes } = statSync(path);
    renameSync(path, join(folder, MODEL_FILE));
    const content = { sha256, bytes, format, template, source: `${source}` };
    writePrivateFile(join(folder, MANIFEST_FILE), `${JSON.stringify(content, null, 2)}\n`);
    return { ...content, name, file: join(folder, MODEL_FILE) };
  });
  if (added) return added;
  throw new LocusError('busy', 'Another command adds a language model.', 'Wait until it ends.');
}

/** Writes the content to `path`, and returns its digest. */
async function transfer(options: AddOptions, path: string): Promise<string> {
  const { source, sha256, signal, onProgress, backoffMs } = options;
  const common = { path, maxBytes: MAX_MODEL_BYTES, signal, ...(onProgress && { onProgress }) };
  if (typeof source === 'string') return copyFile({ ...common, source, sha256 });
  if (sha256 === null)
    throw badInput(
      'The digest of the model is missing.',
      'Give --sha256 with the digest that its publisher names.',
    );
  const digest = { algorithm: 'sha256', value: sha256 } as const;
  await download({ ...common, url: source, digest, ...(backoffMs !== undefined && { backoffMs }) });
  return sha256;
}

function chooseName({ source, name }: AddOptions): string {
  const path = typeof source === 'string' ? source : decodeURIComponent(source.pathname);
  const own = basename(path).replace(/\.gguf$/i, '');
  if (PART.test(own))
    throw badInput(
      `${basename(path)} is one part of a model.`,
      'Join the parts with llama-gguf-split --merge, or choose a model of one file.',
    );
  const chosen = name ?? own;
  if (isLocalModelName(chosen)) return chosen;
  throw badInput(
    `“${chosen.slice(0, 120)}” cannot be the name of a language model.`,
    'Give another with --name: at most 100 letters, digits, dots, hyphens and underscores.',
  );
}

const suggestFormat = (name: string): ModelFormat =>
  RERANKERS.find(([pattern]) => pattern.test(name))?.[1] ?? 'json';

async function assertGguf(path: string, source: string): Promise<void> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
  if (buffer.toString('latin1') === MAGIC) return;
  rmSync(path, { force: true });
  throw badInput(`${source} is not a model in the format GGUF.`, 'Choose a .gguf file.');
}

function readManifest(folder: string, name: string): LanguageModelFile | null {
  const path = join(folder, MANIFEST_FILE);
  if (!isLocalModelName(name) || !existsSync(path)) return null;
  const parsed = manifest.safeParse(parseJsonOrNull(readFileSync(path, 'utf8')));
  return parsed.success ? { ...parsed.data, name, file: join(folder, MODEL_FILE) } : null;
}

const createChangedError = ({ name }: LanguageModelFile): LocusError =>
  new LocusError(
    'bad-model',
    `The file of the language model “${name}” was changed or removed.`,
    `Remove it with locus models remove ${name}, and add it again.`,
  );
