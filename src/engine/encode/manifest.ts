import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import { count, fileName, fraction } from './fields.ts';
import { KINDS } from './kinds/index.ts';

const common = z.object({
  id: z.string().min(1),
  version: z.string().min(1),
  dimensions: count,
  /** Shorter prefixes of the embedding that were trained to stand alone. */
  prefixes: z.array(count).default([]),
  output: z.string().min(1).default('embedding'),
  /** Which ONNX file which devices take; without `gpu`, they all take `cpu`. */
  files: z.object({ cpu: fileName, gpu: fileName.optional() }),
  /** Hex digests by file name. */
  sha256: z.record(fileName, z.string().regex(/^[0-9a-f]{64}$/)).default({}),
  licence: z.string().optional(),
  /** What it was trained on, in a sentence. */
  trainedOn: z.string().optional(),
  /** How well it finds, alone, what fixes edit. Perfect recall after CoRet (arXiv 2505.24715), MRR of the first hit. */
  quality: z
    .object({
      /** The issues it was measured on. */
      data: z.string().min(1),
      perfectRecallAt5: fraction,
      perfectRecallAt20: fraction,
      mrr: fraction,
    })
    .optional(),
});

const manifest = z.discriminatedUnion('kind', [
  common.extend({ kind: z.literal('bag') }).extend(KINDS.bag.manifest.shape),
  common.extend({ kind: z.literal('sequence') }).extend(KINDS.sequence.manifest.shape),
]);

/** What `model.json` says of a model. */
export type Manifest = z.infer<typeof manifest>;

/** The manifest's name in a model folder. */
export const MANIFEST_FILE = 'model.json';

/**
 * Reads and checks the manifest of the model in `folder`, and that every file it names is there.
 * @throws LocusError `bad-model` that names the file and what is wrong with it
 */
export async function loadManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  const parsed = manifest.safeParse(parseJson(await readManifest(path), path));
  if (!parsed.success) {
    throw badModel(`${path} is not a model manifest: ${issueText(parsed.error)}`);
  }
  for (const name of modelFiles(parsed.data)) {
    await access(join(folder, name)).catch(() => {
      throw badModel(`The model in ${folder} lacks ${name}, which its ${MANIFEST_FILE} names`);
    });
  }
  return parsed.data;
}

/** A file of a model, and what is wrong with it; null when it is as published. */
export interface CheckedFile {
  name: string;
  problem: LocusError | null;
}

/**
 * Compares every file of the model in `folder` with the SHA-256 digest in its manifest.
 * @throws LocusError `bad-model` when the manifest itself is missing or wrong, or names files that are not there
 */
export async function checkModelFiles(
  folder: string,
): Promise<{ manifest: Manifest; files: CheckedFile[] }> {
  const manifest = await loadManifest(folder);
  const files: CheckedFile[] = [];
  for (const name of modelFiles(manifest)) {
    files.push({ name, problem: await fileProblem(folder, name, manifest.sha256[name]) });
  }
  return { manifest, files };
}

/**
 * The manifest of a model whose files are all as published.
 * @throws LocusError `bad-model` that names the first file that differs or has no digest
 */
export async function verifyModel(folder: string): Promise<Manifest> {
  const { manifest, files } = await checkModelFiles(folder);
  for (const { problem } of files) if (problem) throw problem;
  return manifest;
}

async function fileProblem(
  folder: string,
  name: string,
  expected: string | undefined,
): Promise<LocusError | null> {
  if (!expected) return badModel(`${join(folder, MANIFEST_FILE)} has no sha256 for ${name}`);
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(join(folder, name)), hash);
  } catch (cause) {
    return badModel(`${join(folder, name)} cannot be read: ${(cause as Error).message}`, cause);
  }
  if (hash.digest('hex') === expected) return null;
  return badModel(`${join(folder, name)} is damaged: its SHA-256 is not the manifest's`);
}

/** A folder under `models/` that holds a manifest: the model, or why it cannot be used. */
export type ListedModel =
  | { folder: string; manifest: Manifest }
  | { folder: string; error: LocusError };

/** The models in `modelsFolder`, by folder name. Folders without a manifest are not models. */
export async function listModels(modelsFolder: string): Promise<ListedModel[]> {
  const entries = await readdir(modelsFolder, { withFileTypes: true }).catch((cause) => {
    throw new LocusError(
      'bad-model',
      `Cannot read the models folder ${modelsFolder}`,
      'Name a folder that holds one folder for each model.',
      { cause },
    );
  });
  const listed: ListedModel[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const folder = join(modelsFolder, entry.name);
    if (!entry.isDirectory() || !(await exists(join(folder, MANIFEST_FILE)))) continue;
    try {
      listed.push({ folder, manifest: await loadManifest(folder) });
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      listed.push({ folder, error });
    }
  }
  return listed;
}

/** The files a model needs, each once. */
export function modelFiles(model: Manifest): string[] {
  const { cpu, gpu } = model.files;
  return [...new Set([model.tokenizer.file, cpu, gpu ?? cpu])];
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw badModel(`${path} cannot be read, so ${basename(join(path, '..'))} is no model`, cause);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badModel(`${path} is not JSON: ${(cause as Error).message}`, cause);
  }
}

function issueText(error: z.ZodError): string {
  return error.issues.map((i) => `${i.path.join('.') || 'manifest'}: ${i.message}`).join('; ');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function badModel(message: string, cause?: unknown): LocusError {
  return new LocusError(
    'bad-model',
    message,
    'Restore the model folder, or choose another model.',
    {
      cause,
    },
  );
}
