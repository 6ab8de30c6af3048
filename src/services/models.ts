/** Which models there are, and which one is used: those that come with Locus, and the user's own. */

import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ListedModel,
  listModels,
  MANIFEST_FILE,
  RERANKER_MODELS,
  type RerankerFolders,
} from '../engine/index.ts';
import { LocusError } from '../shared/errors.ts';
import { settings } from '../shared/settings.ts';
import { dataDirectory } from './locations.ts';
import { storedSetting } from './stored-setting.ts';

export const MODELS_FOLDER = fileURLToPath(new URL('../../models', import.meta.url));
export const DEFAULT_MODEL = settings.parse({}).model;

export interface ModelPlaces {
  modelsFolder?: string;
  /** The user's own models are in `models` in it; see `dataDirectory`. */
  dataDir?: string;
}

export type InstalledModel = ListedModel & {
  /** What it is chosen by: its folder's name. */
  id: string;
  origin: 'shipped' | 'own';
};

export function ownModelsFolder(dataDir?: string): string {
  return join(dataDirectory(dataDir), 'models');
}

/**
 * The models that come with Locus, then the user's own, each in order of their ids. A model of the user's own with the
 * id of one that comes with Locus cannot be chosen by it, and is listed with an error that says so.
 * @throws LocusError `bad-model` when a models folder is there and cannot be read
 */
export async function installedModels(places: ModelPlaces = {}): Promise<InstalledModel[]> {
  const { modelsFolder = MODELS_FOLDER, dataDir } = places;
  const own = ownModelsFolder(dataDir);
  const shipped = (await listModels(modelsFolder)).map((model) => installed(model, 'shipped'));
  if (!existsSync(own)) return shipped;
  const taken = new Set(shipped.map(({ id }) => id));
  const ofUser = (await listModels(own)).map((model) => installed(model, 'own'));
  return [...shipped, ...ofUser.map((model) => (taken.has(model.id) ? hidden(model) : model))];
}

function installed(model: ListedModel, origin: InstalledModel['origin']): InstalledModel {
  return { ...model, id: basename(model.folder), origin };
}

function hidden({ folder, id, origin }: InstalledModel): InstalledModel {
  const error = new LocusError(
    'bad-model',
    `${folder} has the id of a model that comes with Locus`,
    'Rename the folder.',
  );
  return { folder, id, origin, error };
}

/** The ids that a model can be chosen by, whether it is usable or not. */
export function modelIds({ modelsFolder = MODELS_FOLDER, dataDir }: ModelPlaces = {}): string[] {
  const folders = [modelsFolder, ownModelsFolder(dataDir)].filter((folder) => existsSync(folder));
  const ids = folders.flatMap((folder) =>
    readdirSync(folder).filter((name) => existsSync(join(folder, name, MANIFEST_FILE))),
  );
  return [...new Set(ids)];
}

/**
 * The folder of a model: the one named, by id or by a path with a slash; or else the one that the user chose for all
 * of Locus; or else the default.
 * @throws LocusError `bad-model` when there is no such model
 */
export async function modelFolder({
  model,
  ...places
}: ModelPlaces & { model?: string } = {}): Promise<string> {
  const name = model ?? chosenModel(places.dataDir) ?? DEFAULT_MODEL;
  if (isPath(name)) return resolve(name);
  const folder = folderOf(name, places);
  if (folder !== null) return folder;
  const known = (await installedModels(places)).map(({ id }) => id).join(', ') || 'none';
  throw new LocusError(
    'bad-model',
    `there is no model ${name}; there is: ${known}`,
    model === undefined
      ? 'choose another with locus models use'
      : `name one of these, or a folder: ./${name}`,
  );
}

function folderOf(id: string, { modelsFolder = MODELS_FOLDER, dataDir }: ModelPlaces) {
  const folders = [join(modelsFolder, id), join(ownModelsFolder(dataDir), id)];
  // Nothing, `.` and `..` lead to a folder whose name is another.
  return folders.find((folder) => basename(folder) === id && existsSync(folder)) ?? null;
}

/** The models of a search's second step, as many of them as are installed; the user's own before those that come with Locus. */
export function readModelFolders(places: ModelPlaces = {}): RerankerFolders {
  const own = join(ownModelsFolder(places.dataDir), RERANKER_MODELS.coret);
  const coret = existsSync(own) ? own : folderOf(RERANKER_MODELS.coret, places);
  return coret === null ? {} : { coret };
}

/** Whether a model is named by its folder rather than by its id. */
export const isPath = (model: string): boolean => /[/\\]/.test(model);

/** The model in the settings, which the app and the command line share; null when none was ever chosen. */
export const chosenModel = (dataDir?: string): string | null => storedSetting('model', dataDir);
