/** The models that are installed: those that come with Locus, and the user's own. Chooses the one to use. */

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { REINSTALL_REMEDY } from '../base/checks.ts';
import { parseJsonOrNull } from '../base/http.ts';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import {
  type ListedModel,
  listModels,
  MANIFEST_FILE,
  type ModelRole,
  RERANKER_MODELS,
  type RerankerFolders,
} from '../engine/index.ts';
import { LocusError } from '../shared/errors.ts';
import { settings } from '../shared/settings.ts';
import { getDataDirectory } from './locations.ts';
import { MODELS_FOLDER } from './models-folder.ts';
import { readStoredSetting } from './stored-setting.ts';

/** Maximum size of a manifest, in bytes. */
const MAX_MANIFEST_BYTES = 2 ** 20;

export const DEFAULT_MODEL = settings.parse({}).model;

export interface ModelFolders {
  modelsFolder?: string;
  /** Data directory; its folder `models` holds the user's own models. See `getDataDirectory`. */
  dataDir?: string;
}

export type InstalledModel = ListedModel & {
  /** Name of the model's folder, by which a user chooses it. */
  id: string;
  origin: 'shipped' | 'own';
};

export function getOwnModelsFolder(dataDir?: string): string {
  return join(getDataDirectory(dataDir), 'models');
}

/**
 * Lists the models that come with Locus, then the user's own, each sorted by id. If a user's model has the id of a model
 * that comes with Locus, the id cannot choose it. It is listed with an error that says so.
 * @throws LocusError `bad-model` if a models folder exists and cannot be read
 */
export async function listInstalledModels(places: ModelFolders = {}): Promise<InstalledModel[]> {
  const { modelsFolder = MODELS_FOLDER, dataDir } = places;
  const own = getOwnModelsFolder(dataDir);
  const shipped = (await listModels(modelsFolder)).map((model) =>
    describeInstalled(model, 'shipped'),
  );
  if (!existsSync(own)) return shipped;
  const taken = new Set(shipped.map(({ id }) => id));
  const users = (await listModels(own)).map((model) => describeInstalled(model, 'own'));
  return [...shipped, ...users.map((model) => (taken.has(model.id) ? hideModel(model) : model))];
}

function describeInstalled(model: ListedModel, origin: InstalledModel['origin']): InstalledModel {
  return { ...model, id: basename(model.folder), origin };
}

function hideModel({ folder, id, origin }: InstalledModel): InstalledModel {
  const error = new LocusError(
    'bad-model',
    `The model in ${folder} has the same id as a model that comes with Locus.`,
    'Rename the folder.',
  );
  return { folder, id, origin, error };
}

/**
 * Lists the ids that a user can choose for a role, including models that turn out to be unusable. Only looks at their manifests, since
 * a window waits for it.
 */
export function listModelIds(
  { modelsFolder = MODELS_FOLDER, dataDir }: ModelFolders = {},
  wanted?: ModelRole,
): string[] {
  const folders = [modelsFolder, getOwnModelsFolder(dataDir)].filter((folder) =>
    existsSync(folder),
  );
  const ids = folders.flatMap((folder) =>
    readdirSync(folder).filter((name) => {
      const path = join(folder, name, MANIFEST_FILE);
      return existsSync(path) && (wanted === undefined || readRole(path, name) === wanted);
    }),
  );
  return [...new Set(ids)];
}

function readRole(path: string, id: string): ModelRole {
  const folder = new UntrustedFolder(dirname(path), 'bad-model');
  const isReranker = id === RERANKER_MODELS.coret;
  try {
    const text = String(folder.readSync(MANIFEST_FILE, MAX_MANIFEST_BYTES) ?? '');
    const { role, kind } = (parseJsonOrNull(text) ?? {}) as { role?: unknown; kind?: unknown };
    return isReranker || role === 'rerank' || kind === 'pair' ? 'rerank' : 'encode';
  } catch {
    // A link or another unusable file: whoever chooses the model gets the error.
    return isReranker ? 'rerank' : 'encode';
  }
}

/**
 * Finds the folder of a model. `model` is an id, or a path with a slash. Without `model`, uses the model that the user chose
 * in the settings, or else the default.
 * @throws LocusError `bad-model` if there is no such model
 */
export async function findModelFolder({
  model,
  ...places
}: ModelFolders & { model?: string } = {}): Promise<string> {
  const name = model ?? readChosenModel(places.dataDir) ?? DEFAULT_MODEL;
  if (isModelPath(name)) return resolve(name);
  const folder = findInstalled(name, places);
  if (folder !== null) return folder;
  const installed = (await listInstalledModels(places)).map(({ id }) => id).join(', ');
  // npm installed Locus without the package of its models.
  if (installed === '' && model === undefined)
    throw new LocusError('bad-model', 'The models of Locus are missing.', REINSTALL_REMEDY);
  throw new LocusError(
    'bad-model',
    `There is no model “${name}”. Installed models: ${installed || 'none'}.`,
    model === undefined
      ? 'Choose another model with locus models use.'
      : `Give one of these ids, or the path of a folder: ./${name}.`,
  );
}

function findInstalled(id: string, { modelsFolder = MODELS_FOLDER, dataDir }: ModelFolders) {
  const folders = [join(modelsFolder, id), join(getOwnModelsFolder(dataDir), id)];
  // An empty id, `.` and `..` resolve to a folder with another name.
  return folders.find((folder) => basename(folder) === id && existsSync(folder)) ?? null;
}

/**
 * Finds the folder of the reranker that the user chose, or else of the one that comes with Locus. For that one, a user's own model
 * of the same id takes precedence. Returns nothing if it is missing, and the folder where another one should be.
 */
export function findRerankerFolders(places: ModelFolders = {}): RerankerFolders {
  const { dataDir } = places;
  const chosen = readChosenReranker(dataDir);
  const own = join(getOwnModelsFolder(dataDir), chosen);
  if (chosen !== RERANKER_MODELS.coret)
    return {
      reranker: isModelPath(chosen) ? resolve(chosen) : (findInstalled(chosen, places) ?? own),
    };
  const coret = existsSync(own) ? own : findInstalled(chosen, places);
  return coret === null ? {} : { coret };
}

/** Returns true if a model is given as a path rather than an id. */
export const isModelPath = (model: string): boolean => /[/\\]/.test(model);

/** Reads the encoder from the settings, which the app and the command line share; null if none was chosen. */
export const readChosenModel = (dataDir?: string): string | null =>
  readStoredSetting('model', dataDir);

/** Reads the reranker from the settings; the one that comes with Locus by default. */
export const readChosenReranker = (dataDir?: string): string =>
  readStoredSetting('reranker', dataDir) ?? RERANKER_MODELS.coret;
