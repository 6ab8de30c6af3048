/** Implements `locus models`. A module of its own, so that the help does not load the engine. */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openAppDatabase } from '../backend/app-database.ts';
import { SettingsStore } from '../backend/settings.ts';
import { ignoring } from '../base/log.ts';
import {
  checkModelFiles,
  describeUnverified,
  listModelFiles,
  type ModelManifest,
  type ModelRole,
} from '../engine/index.ts';
import {
  type LanguageModelFile,
  listLanguageModels,
  verifyLanguageModel,
} from '../services/gguf/models.ts';
import { getDataDirectory } from '../services/locations.ts';
import {
  DEFAULT_MODEL,
  findModelFolder,
  findRerankerFolders,
  getOwnModelsFolder,
  type InstalledModel,
  listInstalledModels,
  readChosenModel,
} from '../services/models.ts';
import { removeUnfinishedModels } from '../services/published-models/add.ts';
import { badInput, isCancelled, LocusError } from '../shared/errors.ts';
import { escapeHidden, quoteName } from '../shared/quote.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { listAdded, renderAdded } from './language-models.ts';
import type { Session } from './session.ts';
import { type Colors, countColumns, formatBytes, padEnd } from './terminal.ts';

type Quality = NonNullable<ModelManifest['quality']>;

interface ModelEntry {
  id: string;
  origin: InstalledModel['origin'];
  folder: string;
  active: boolean;
  version?: string;
  kind?: string;
  role?: ModelRole;
  dimensions?: number[];
  bytes?: number;
  quality?: Quality;
  license?: string;
  /** Describes the files without a digest; null if all have one. */
  unverified?: string | null;
  error?: string;
}

export async function listModels(session: Session, dataDir: string | undefined): Promise<ExitCode> {
  await removeUnfinishedModels(getDataDirectory(dataDir)).catch(
    ignoring('remove-unfinished-model'),
  );
  const installed = await listInstalledModels({ dataDir });
  const encoder = readChosenModel(dataDir) ?? DEFAULT_MODEL;
  const reranker = findRerankerFolders({ dataDir });
  const rerankerFolder = reranker.reranker ?? reranker.coret;
  const used = installed.find(({ id }) => id === encoder);
  const models = installed.map((model) =>
    describe(model, model === used || model.folder === rerankerFolder),
  );
  if (!used) {
    const folder = await findModelFolder({ model: encoder, dataDir }).catch(() => encoder);
    session.note(`locus: The model in use, ${folder}, is not installed.`);
  }
  if (reranker.reranker && !installed.some(({ folder }) => folder === rerankerFolder))
    session.note(`locus: The reranker in use, ${rerankerFolder}, is not installed.`);
  const added = listAdded(getDataDirectory(dataDir));
  session.printResult({ models, ownFolder: getOwnModelsFolder(dataDir), ...added }, () => [
    ...render(models, session.colors),
    ...renderAdded(added),
  ]);
  return EXIT.ok;
}

function describe(model: InstalledModel, active: boolean): ModelEntry {
  const { id, origin, folder } = model;
  const common = { id, origin, folder, active };
  if ('error' in model) return { ...common, error: model.error.message };
  const { version, kind, role, dimensions, prefixes, quality, license } = model.manifest;
  return {
    ...common,
    version,
    kind,
    role,
    dimensions: [dimensions, ...prefixes],
    bytes: listModelFiles(model.manifest).reduce(
      (sum, name) => sum + sizeOf(join(folder, name)),
      0,
    ),
    quality,
    license,
    unverified: describeUnverified(folder, model.manifest),
  };
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function render(models: readonly ModelEntry[], colors: Colors): string[] {
  const id = Math.max(...models.map((model) => countColumns(quoteName(model.id))));
  return models.flatMap((model) => {
    const name = `${model.active ? colors.green('●') : ' '} ${padEnd(quoteName(model.id), id)}`;
    if (model.error) return [`${name}  ${colors.red('✗')} ${escapeHidden(model.error)}`];
    const { version, kind, role, dimensions, bytes: size, quality, license } = model;
    const facts = [
      quoteName(`${version}`),
      role === 'rerank' ? 'reranker' : 'encoder',
      `${kind}`,
      ...(kind === 'pair' ? [] : [`${dimensions?.join(', ')} dimensions`]),
      formatBytes(size ?? 0),
      ...(license ? [quoteName(license)] : []),
      ...(model.origin === 'own' ? ['your own'] : []),
    ];
    return [
      `${name}  ${escapeHidden(facts.join(' · '))}`,
      ...(quality
        ? [`${' '.repeat(id + 4)}${colors.dim(escapeHidden(describeQuality(quality)))}`]
        : []),
      ...(model.unverified
        ? [`${' '.repeat(id + 4)}${colors.yellow(escapeHidden(model.unverified))}`]
        : []),
    ];
  });
}

function describeQuality({ data, perfectRecallAt5, perfectRecallAt20, mrr }: Quality): string {
  const [five, twenty, first] = [perfectRecallAt5, perfectRecallAt20, mrr].map((n) => n.toFixed(3));
  return `perfect recall@5 ${five}, @20 ${twenty}, MRR ${first} on ${data}`;
}

/** Checks one model, or all. The exit code is `EXIT.model` if any has a problem. */
export async function verifyModels(
  session: Session,
  model: string | undefined,
  dataDir: string | undefined,
): Promise<ExitCode> {
  const added = listLanguageModels(getDataDirectory(dataDir));
  const asked = added.filter(({ name }) => model === undefined || name === model);
  const folders =
    model === undefined
      ? (await listInstalledModels({ dataDir })).map(({ folder }) => folder)
      : asked.length > 0
        ? []
        : [await findModelFolder({ model, dataDir })];
  const found: { file: string; problem: string | null; remedy: string | null }[] = [];
  for (const folder of folders) found.push(...(await checkModel(folder)));
  for (const one of asked) found.push(await checkLanguageModel(one, session.host.signal));
  const { green, red, yellow } = session.colors;
  session.printResult({ files: found }, () =>
    found.flatMap(({ file, problem, remedy }) =>
      problem === null
        ? [`${green('✓')} ${quoteName(file)}`]
        : [
            `${red('✗')} ${escapeHidden(problem)}`,
            `  ${yellow('→')} ${escapeHidden(remedy ?? '')}`,
          ],
    ),
  );
  return found.some(({ problem }) => problem !== null) ? EXIT.model : EXIT.ok;
}

async function checkModel(folder: string) {
  try {
    const { files } = await checkModelFiles(folder);
    return files.map(({ name, problem }) => ({
      file: join(folder, name),
      problem: problem?.message ?? null,
      remedy: problem?.remedy ?? null,
    }));
  } catch (error) {
    if (!(error instanceof LocusError)) throw error;
    return [{ file: folder, problem: error.message, remedy: error.remedy }];
  }
}

async function checkLanguageModel(model: LanguageModelFile, signal: AbortSignal | undefined) {
  try {
    await verifyLanguageModel(model, signal);
    return { file: model.file, problem: null, remedy: null };
  } catch (error) {
    if (!(error instanceof LocusError) || isCancelled(error)) throw error;
    return { file: model.file, problem: error.message, remedy: error.remedy };
  }
}

/**
 * Stores the choice in the settings, by default for the step that the model is made for.
 * @throws LocusError if the model does not load, or cannot have the role
 */
export async function selectModel(
  session: Session,
  model: string | undefined,
  dataDir: string | undefined,
  wanted?: ModelRole,
): Promise<ExitCode> {
  if (model === undefined) {
    throw badInput('No model is given.', 'Run locus models to list the installed models.');
  }
  const folder = await findModelFolder({ model, dataDir });
  const { manifest, files } = await checkModelFiles(folder);
  for (const { problem } of files) if (problem) throw problem;
  const role = wanted ?? manifest.role;
  if (role === 'encode' && manifest.kind === 'pair')
    throw badInput(
      `${quoteName(manifest.id)} is a reranker. It cannot embed functions.`,
      'Use it without --role.',
    );
  using database = openAppDatabase(getDataDirectory(dataDir));
  for (const note of database.notes) session.note(`locus: ${note}`);
  const chosen = /[/\\]/.test(model) ? resolve(model) : model;
  new SettingsStore(database).set(role === 'rerank' ? { reranker: chosen } : { model: chosen });
  const { id, version } = manifest;
  session.printResult({ model: { id, version, role }, folder }, () => [
    `${quoteName(id)} ${quoteName(version)} is now the ${role === 'rerank' ? 'reranker' : 'model'} in use. Restart the app to use it there.`,
    session.colors.dim(
      role === 'rerank'
        ? 'Searches rerank their first results with it.'
        : 'The next search of a repository encodes it with this model. Earlier embeddings stay stored.',
    ),
  ]);
  return EXIT.ok;
}
