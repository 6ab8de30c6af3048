/** Adds models of other publishers to the user's own: completely and tried once, or not at all. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import { runIfFree } from '../../base/file-lock.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { createFolder } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { MANIFEST_FILE, type ModelManifest, tryModel } from '../../engine/index.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { isLocalModelName } from '../../shared/local-models.ts';
import { download, hashFile } from '../gguf/download.ts';
import { assertSpace } from '../gguf/space.ts';
import { getOwnModelsFolder } from '../models.ts';
import { MODELS_FOLDER } from '../models-folder.ts';
import { type ModelPlan, planModel } from './plan.ts';
import { type ModelSource, openArchive, openFolder } from './source.ts';

export interface AddModelOptions {
  dataDir: string;
  /** Folder or archive, or address of an archive. */
  source: string | URL;
  /** Digest of the archive; required for an address. */
  sha256: string | null;
  /** Id to give it; null for the name in its recipe or manifest. */
  name: string | null;
  /** Name of its recipe; null for the one that its source names. */
  recipe: string | null;
  /** Path of its ONNX file in the source; null if only one is possible. */
  file: string | null;
  signal: AbortSignal;
  /** Called before anything is copied. Throws if the user does not agree. */
  confirm(plan: ModelPlan): Promise<void>;
  onProgress?: (bytes: number, total: number | null) => void;
  backoffMs?: number;
}

/** Folder in the data directory for models that are not complete. */
const ADDING_FOLDER = 'adding';
const MAX_DOWNLOAD_BYTES = 8 * 2 ** 30;

/** @throws LocusError `bad-input`, `bad-model`, `device`, `not-fetched`, `bad-output`, `busy`, `cancelled` */
export async function addPublishedModel(
  options: AddModelOptions,
): Promise<{ manifest: ModelManifest; folder: string }> {
  const folder = getAddingFolder(options.dataDir);
  createFolder(folder);
  const added = await runIfFree(join(folder, 'add.lock'), async () => {
    removeStaged(folder);
    const staged = join(folder, 'new');
    try {
      createFolder(staged);
      return await add(options, staged);
    } finally {
      removeStaged(folder);
    }
  });
  if (added) return added;
  throw new LocusError('busy', 'Another command adds a model.', 'Wait until it ends.');
}

/** Removes what a killed command left, unless another one is adding a model. */
export async function removeUnfinishedModels(dataDir: string): Promise<void> {
  const folder = getAddingFolder(dataDir);
  if (!existsSync(join(folder, 'new'))) return;
  await runIfFree(join(folder, 'add.lock'), async () => removeStaged(folder));
}

/** Removes a model that was added. Returns false if no added model has this id. */
export function removePublishedModel(dataDir: string, id: string): boolean {
  const folder = join(getOwnModelsFolder(dataDir), id);
  const manifest = join(folder, MANIFEST_FILE);
  if (!isLocalModelName(id) || !existsSync(manifest)) return false;
  const read = parseJsonOrNull(readFileSync(manifest, 'utf8')) as { addedFrom?: unknown } | null;
  // A folder that the user made is the user's to remove.
  if (typeof read?.addedFrom !== 'string') return false;
  // Without its manifest it is no model, should the rest fail.
  rmSync(manifest, { force: true });
  rmSync(folder, { recursive: true, force: true });
  return true;
}

const getAddingFolder = (dataDir: string): string => join(dataDir, ADDING_FOLDER);

function removeStaged(folder: string): void {
  rmSync(join(folder, 'new'), { recursive: true, force: true });
}

async function add(options: AddModelOptions, staged: string) {
  const { dataDir, source, signal } = options;
  const opened = await openSource(options, staged);
  const sourceName = typeof source === 'string' ? basename(resolve(source)) : source.pathname;
  const plan = await planModel(opened, { ...options, sourceName }, staged);
  assertFree(plan.id, dataDir);
  await options.confirm(plan);
  throwIfCancelled(signal, 'Adding the model');
  const model = join(staged, 'model');
  createFolder(model);
  await assertSpace(join(model, MANIFEST_FILE), plan.bytes);
  await opened.copy(plan.files, model);
  const content = { ...(await plan.describe(model)), addedFrom: `${source}` };
  writePrivateFile(join(model, MANIFEST_FILE), `${JSON.stringify(content, null, 2)}\n`);
  const manifest = await tryModel(model);
  const own = getOwnModelsFolder(dataDir);
  if (!existsSync(own)) createFolder(own);
  const folder = join(own, plan.id);
  assertFree(plan.id, dataDir);
  renameSync(model, folder);
  return { manifest, folder };
}

async function openSource(options: AddModelOptions, staged: string): Promise<ModelSource> {
  const { source, sha256, signal, onProgress, backoffMs } = options;
  if (typeof source === 'string') {
    const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (isFolder && sha256 !== null)
      throw badInput('A folder has no digest.', 'Leave out --sha256, or give an archive.');
    if (isFolder) return openFolder(resolve(source), signal);
    if (sha256 !== null) await assertDigest(source, sha256, signal);
    return openArchive(source, signal);
  }
  if (sha256 === null)
    throw badInput(
      'The digest of the model is missing.',
      'Give --sha256 with the digest that its publisher names.',
    );
  const path = join(staged, 'archive');
  await download({
    url: source,
    path,
    digest: { algorithm: 'sha256', value: sha256 },
    maxBytes: MAX_DOWNLOAD_BYTES,
    signal,
    ...(onProgress && { onProgress }),
    ...(backoffMs !== undefined && { backoffMs }),
  });
  return openArchive(path, signal);
}

async function assertDigest(path: string, sha256: string, signal: AbortSignal): Promise<void> {
  const found = existsSync(path) ? await hashFile(path, 'sha256', signal) : 'nothing';
  if (found === sha256) return;
  throw badInput(
    `${resolve(path)} has the sha256 ${found}, not ${sha256}.`,
    'Check the digest, or download the file again.',
  );
}

/** @throws LocusError `bad-input` if an installed model has this id */
function assertFree(id: string, dataDir: string): void {
  if (!isLocalModelName(id))
    throw badInput(
      `“${id.slice(0, 120)}” cannot be the id of a model.`,
      'Give another with --name: at most 100 letters, digits, dots, hyphens and underscores.',
    );
  const folders = [MODELS_FOLDER, getOwnModelsFolder(dataDir)].filter((one) => existsSync(one));
  const taken = folders.flatMap((one) => readdirSync(one));
  // Some file systems ignore case.
  if (taken.some((other) => other.toLowerCase() === id.toLowerCase()))
    throw badInput(
      `There is a model “${id}” already.`,
      `Remove it with locus models remove ${id}, or choose another id with --name.`,
    );
}
