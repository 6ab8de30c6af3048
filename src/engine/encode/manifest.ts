import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import { bagManifest } from './kinds/bag-manifest.ts';
import type { PairManifest, TextManifest } from './kinds/published-manifest.ts';
import { sequenceManifest } from './kinds/sequence-manifest.ts';
import { dimensions, fileName, fraction, plainName, visibleText } from './manifest-fields.ts';
import {
  badModel,
  MANIFEST_FILE,
  ModelFiles,
  readManifestText,
  requireModelFile,
} from './model-files.ts';

/** Steps of a search that a model can be made for: to embed everything, or to rerank the first results. */
const MODEL_ROLES = ['encode', 'rerank'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

const common = z.object({
  id: plainName,
  version: plainName,
  /** Step of a search that the model is made for. */
  role: z.enum(MODEL_ROLES).default('encode'),
  dimensions,
  /** Lengths of shorter prefixes of the embedding that were trained to work alone. */
  prefixes: z.array(dimensions).max(32).default([]),
  output: visibleText(200).default('embedding'),
  /** ONNX file by device; without `gpu`, all devices use `cpu`. */
  files: z.object({ cpu: fileName, gpu: fileName.optional() }),
  sha256: z.record(fileName, z.string().regex(/^[0-9a-f]{64}$/)).default({}),
  license: visibleText(200).optional(),
  /** Training data, in a sentence. */
  trainedOn: visibleText(2_000).optional(),
  /** Quality of the ranking by this model alone. Perfect recall after CoRet (arXiv 2505.24715), MRR of the first edited chunk. */
  quality: z
    .object({
      data: visibleText(500),
      perfectRecallAt5: fraction,
      perfectRecallAt20: fraction,
      mrr: fraction,
    })
    .optional(),
});

/** Schemas of the fields of each kind of Locus's own models. */
export const KIND_MANIFESTS = Object.freeze({ bag: bagManifest, sequence: sequenceManifest });

const manifest = z.discriminatedUnion('kind', [
  common.extend({ kind: z.literal('bag') }).extend(KIND_MANIFESTS.bag.shape),
  common.extend({ kind: z.literal('sequence') }).extend(KIND_MANIFESTS.sequence.shape),
]);

type Common = z.infer<typeof common>;

export type ModelManifest =
  | z.infer<typeof manifest>
  | (Common & TextManifest & { kind: 'text' })
  | (Omit<Common, keyof PairManifest> & PairManifest & { kind: 'pair' });

/** Returns the schema for a manifest. Those of published models are loaded only when they are used. */
async function loadSchema(json: unknown): Promise<z.ZodType<ModelManifest>> {
  const { kind } = (json ?? {}) as { kind?: unknown };
  if (kind !== 'text' && kind !== 'pair') return manifest;
  const { pairManifest, textManifest } = await import('./kinds/published-manifest.ts');
  return kind === 'text'
    ? common.extend({ kind: z.literal('text') }).extend(textManifest.shape)
    : common.extend({ kind: z.literal('pair') }).extend(pairManifest.shape);
}

/** Returns the name of a model's embeddings in an index. */
export function getModelKey(id: string, version: string): string {
  return `${id}@${version}`;
}

/**
 * Reads and checks the manifest of the model in `folder`. Also checks that every file it lists is a regular file there.
 * @throws LocusError `bad-model` that names the file and the problem
 */
export async function loadManifest(folder: string): Promise<ModelManifest> {
  const path = join(folder, MANIFEST_FILE);
  const json = parseJson(await readManifestText(folder), path);
  const parsed = (await loadSchema(json)).safeParse(json);
  if (!parsed.success) {
    throw badModel(`${path} is not a valid model manifest: ${describeIssues(parsed.error)}.`);
  }
  for (const name of listModelFiles(parsed.data)) requireModelFile(folder, name);
  return parsed.data;
}

/** Returns a sentence that names the model's files without a digest, or null. Nobody would notice if they were replaced. */
export function describeUnverified(folder: string, model: ModelManifest): string | null {
  const names = listModelFiles(model).filter((name) => model.sha256[name] === undefined);
  if (names.length === 0) return null;
  const path = join(folder, MANIFEST_FILE);
  return `Locus cannot check whether ${names.join(', ')} of the model ${model.id} was changed. Add "sha256" to ${path}.`;
}

export interface CheckedModelFile {
  name: string;
  /** Null if the file is as published. */
  problem: LocusError | null;
}

/**
 * Compares every file of the model in `folder` with the SHA-256 digest in its manifest.
 * @throws LocusError `bad-model` if the manifest is missing or invalid, or lists missing files
 */
export async function checkModelFiles(
  folder: string,
): Promise<{ manifest: ModelManifest; files: CheckedModelFile[] }> {
  const manifest = await loadManifest(folder);
  const files: CheckedModelFile[] = [];
  for (const name of listModelFiles(manifest)) {
    files.push({ name, problem: await findProblem(folder, name, manifest) });
  }
  return { manifest, files };
}

/**
 * Checks the files of a model and returns its manifest.
 * @throws LocusError `bad-model` for the first file that differs or has no digest
 */
export async function verifyModel(folder: string): Promise<ModelManifest> {
  const { manifest, files } = await checkModelFiles(folder);
  for (const { problem } of files) if (problem) throw problem;
  return manifest;
}

async function findProblem(
  folder: string,
  name: string,
  manifest: ModelManifest,
): Promise<LocusError | null> {
  if (manifest.sha256[name] === undefined)
    return badModel(`${join(folder, MANIFEST_FILE)} has no sha256 for ${name}.`);
  const files = new ModelFiles(folder, manifest);
  try {
    await (name === manifest.tokenizer.file ? files.readText(name) : files.readOnnx(name));
    return null;
  } catch (error) {
    if (error instanceof LocusError) return error;
    throw error;
  }
}

/** A folder with a manifest: the manifest, or the error why the model cannot be used. */
export type ListedModel =
  | { folder: string; manifest: ModelManifest }
  | { folder: string; error: LocusError };

/** Lists the models in `modelsFolder`, by folder name. Folders without a manifest are ignored. */
export async function listModels(modelsFolder: string): Promise<ListedModel[]> {
  const entries = await readdir(modelsFolder, { withFileTypes: true }).catch((cause) => {
    throw new LocusError(
      'bad-model',
      `Cannot read the models folder ${modelsFolder}.`,
      'Choose a folder that contains one folder for each model.',
      { cause },
    );
  });
  const listed: ListedModel[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const folder = join(modelsFolder, entry.name);
    if (!entry.isDirectory() || !existsSync(join(folder, MANIFEST_FILE))) continue;
    try {
      listed.push({ folder, manifest: await loadManifest(folder) });
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      listed.push({ folder, error });
    }
  }
  return listed;
}

export function listModelFiles(model: ModelManifest): string[] {
  const { cpu, gpu } = model.files;
  return [...new Set([model.tokenizer.file, cpu, gpu ?? cpu])];
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badModel(`${path} is not valid JSON: ${(cause as Error).message}.`, cause);
  }
}

const MAX_ISSUES = 5;

function describeIssues({ issues }: z.ZodError): string {
  const described = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    return `${path.join('.').slice(0, 200) || 'manifest'}: ${message}`;
  });
  return described.join('; ');
}
