/**
 * Checks of an installation and of a repository's index. Every part is loaded and put to work by itself,
 * so that one that is broken is reported and does not keep the others from being looked at.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeVariables, findUnknownVariables } from '../base/environment.ts';
import { readLog } from '../base/log-files.ts';
import { isMadeByLocus, isOpenToOthers, makeFolder } from '../base/private.ts';
import { queryOf } from '../engine/issue/queries.ts';
import { DEVICES, type DeviceName } from '../shared/devices.ts';
import { LocusError } from '../shared/errors.ts';
import type { LogTail } from '../shared/note.ts';
import { OLDEST_NODE, VERSION } from '../shared/version.ts';
import { tryDevice } from './device-trial.ts';
import { dataDirectory, INDEXES_FOLDER, repositoryDirectory } from './locations.ts';

export interface Check {
  name: string;
  /** `warning`: Locus works, but slower or with something missing. */
  state: 'ok' | 'warning' | 'problem';
  /** What was found. */
  detail: string;
  /** What to do about it; null when there is nothing to do. */
  remedy: string | null;
}

export interface DoctorReport {
  version: string;
  platform: string;
  checks: Check[];
  log: LogTail;
}

export interface DoctorOptions {
  /** A repository whose index is to be checked too. */
  root?: string;
  /** As given to `openRepository`. */
  dataDir?: string;
  modelsFolder?: string;
}

type Finding = Omit<Check, 'name'>;

const REINSTALL = 'install Locus again: npm ci in a checkout, npm install -g with its package';
const MODELS_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../models');
/** Free space below which indexing a large repository may fail. */
const LITTLE_SPACE = 1e9;
/** Entries of the log in a report. */
const LOG_LINES = 100;

/** Looks at everything Locus needs. Never throws: what fails is in the report. */
export async function diagnose(options: DoctorOptions = {}): Promise<DoctorReport> {
  const { root, modelsFolder = MODELS_FOLDER } = options;
  const log = readLog(dataDirectory(options.dataDir), LOG_LINES);
  const checks = [
    await check('node', REINSTALL, checkNode),
    await check('sqlite', REINSTALL, checkSqlite),
    await check('tree-sitter', REINSTALL, checkParser),
    await check('vectors', REINSTALL, checkVectors),
    await check('git', 'install git', checkGit),
    await check('environment', 'Correct or unset the variable.', () => checkEnvironment()),
    ...(await checkModels(modelsFolder)),
    await check('second step', RESTORE, () => checkSecondStep(options)),
    ...(await checkDevices(modelsFolder)),
    await check('data directory', WRITABLE, () =>
      checkDataDirectory(dataDirectory(options.dataDir)),
    ),
    { name: 'log', ...describeLog(log) },
    await check('set aside', WRITABLE, () => checkSetAside(dataDirectory(options.dataDir))),
    await check(
      'file watcher',
      'run locus index after changes instead of locus watch',
      checkWatcher,
    ),
    ...(root === undefined
      ? []
      : [await check('index', 'check the path', () => checkIndex(root, options.dataDir))]),
  ];
  return { version: VERSION, platform: `${process.platform} ${process.arch}`, checks, log };
}

/** Runs one check; a failure becomes a problem with the failure's own remedy, or this one. */
async function check(
  name: string,
  remedy: string,
  look: () => Promise<Finding> | Finding,
): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return {
      name,
      ...problem((error as Error).message, error instanceof LocusError ? error.remedy : remedy),
    };
  }
}

const ok = (detail: string): Finding => ({ state: 'ok', detail, remedy: null });
const warning = (detail: string, remedy: string): Finding => ({ state: 'warning', detail, remedy });
const problem = (detail: string, remedy: string): Finding => ({ state: 'problem', detail, remedy });

function checkNode(): Finding {
  const detail = `${process.versions.node}${process.versions.electron ? ` in Electron ${process.versions.electron}` : ''}`;
  return Number.parseInt(process.versions.node, 10) >= OLDEST_NODE
    ? ok(detail)
    : problem(
        detail,
        `use Node ${OLDEST_NODE} or later; in a checkout, npm run locus brings its own`,
      );
}

async function checkSqlite(): Promise<Finding> {
  const { openSqlite } = await import('../base/sqlite.ts');
  const database = openSqlite(':memory:');
  try {
    const version = database.prepare('SELECT sqlite_version()').pluck().get();
    return ok(`${version}, better-sqlite3 ${await versionOf('better-sqlite3')}`);
  } finally {
    database.close();
  }
}

async function checkParser(): Promise<Finding> {
  const { languages } = await import('../engine/languages/index.ts');
  const { COLLECTED_GRAMMARS, locateGrammar } = await import('../engine/parse/grammar-file.ts');
  const { parseFile } = await import('../engine/parse/parse-file.ts');
  const grammars: string[] = [];
  for (const { title, grammar, example } of languages()) {
    const { chunks } = await parseFile(example.path, example.text);
    if (!chunks.some(({ name, qualifiedName }) => [name, qualifiedName].includes(example.name))) {
      return problem(`a ${title} function of three words was not found`, REINSTALL);
    }
    const { name } = locateGrammar({ grammar });
    const version = COLLECTED_GRAMMARS[name] ?? (await versionOf(name));
    grammars.push(`${title} grammar ${version}`);
  }
  return ok([await versionOf('web-tree-sitter'), ...grammars].join(', '));
}

async function checkVectors(): Promise<Finding> {
  const { VectorTable } = await import('../engine/vectors/vector-table.ts');
  const table = new VectorTable(2);
  table.set(0, Float32Array.of(0, 1));
  table.set(1, Float32Array.of(1, 0));
  return table.nearest(Float32Array.of(0.8, 0.6), 1).slots[0] === 1
    ? ok('exact, WebAssembly SIMD')
    : problem('it finds the wrong neighbour', REINSTALL);
}

async function checkGit(): Promise<Finding> {
  const { GitFailure, git } = await import('../engine/source/git.ts');
  try {
    const version = (await git(tmpdir(), ['version'])).toString().trim();
    return ok(version.replace(/^git version /, ''));
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return warning(
      error.message,
      'install git to search commits and to follow .gitignore as git does; folders work without it',
    );
  }
}

function checkEnvironment(): Finding {
  const unknown = findUnknownVariables();
  if (unknown.length > 0)
    return warning(
      `Locus has no variable ${unknown.join(', ')}.`,
      'Check the spelling with locus --help, or unset it.',
    );
  const set = describeVariables();
  return ok(set.length > 0 ? set.join(', ') : 'no variable of Locus is set');
}

const RESTORE = 'restore the model folder from the release';

/** Every model that is there: whole, and as its manifest says. */
async function checkModels(modelsFolder: string): Promise<Check[]> {
  const { listModels, verifyModel } = await import('../engine/encode/manifest.ts');
  let models: Awaited<ReturnType<typeof listModels>>;
  try {
    models = await listModels(modelsFolder);
  } catch (error) {
    return [{ name: 'models', ...problem((error as Error).message, RESTORE) }];
  }
  if (models.length === 0)
    return [{ name: 'models', ...problem(`there is none in ${modelsFolder}`, RESTORE) }];
  return Promise.all(
    models.map(({ folder }) =>
      check(`model ${folder.slice(modelsFolder.length + 1)}`, RESTORE, async () => {
        const { version, kind, dimensions } = await verifyModel(folder);
        return ok(`version ${version}, ${kind}, ${dimensions} dimensions, files as published`);
      }),
    ),
  );
}

/** The models that read the first results of a search, put to work. */
async function checkSecondStep({ dataDir, modelsFolder }: DoctorOptions): Promise<Finding> {
  const { readModelFolders } = await import('./models.ts');
  const { coret } = readModelFolders({ dataDir, modelsFolder });
  if (coret === undefined) return ok('no second encoder installed: lists are ranked in one step');
  const { createEncoder } = await import('../engine/encode/encoder.ts');
  const encoder = await createEncoder({ modelFolder: coret, device: 'cpu' });
  try {
    await encoder.encodeQuery(queryOf('Where is a cookie parsed?'));
    const { modelId, modelVersion } = encoder;
    return ok(`${modelId} ${modelVersion} reads the first results of a search`);
  } finally {
    await encoder.close();
  }
}

/** Encodes a sentence on every device that this build of onnxruntime has. */
async function checkDevices(modelsFolder: string): Promise<Check[]> {
  let version: string;
  let devices: DeviceName[];
  try {
    const { listSupportedBackends } = await import('../engine/encode/onnxruntime.ts');
    version = await versionOf('onnxruntime-node');
    devices = listSupportedBackends().flatMap(({ name }) =>
      DEVICES.filter((device) => device === name),
    );
  } catch (error) {
    return [{ name: 'onnxruntime', ...problem((error as Error).message, REINSTALL) }];
  }
  const checks: Check[] = [
    { name: 'onnxruntime', ...ok(`${version}, built for ${devices.join(', ')}`) },
  ];
  const { listModels } = await import('../engine/encode/manifest.ts');
  const model = (await listModels(modelsFolder).catch(() => [])).find(
    (listed) => 'manifest' in listed,
  );
  if (!model) return checks;
  for (const device of devices) {
    checks.push(
      await check(`device ${device}`, REINSTALL, () => checkDevice(device, model.folder)),
    );
  }
  return checks;
}

async function checkDevice(device: DeviceName, modelFolder: string): Promise<Finding> {
  const trial = await tryDevice(device, modelFolder);
  const { length, modelId, fallback } = trial;
  if (Math.abs(length - 1) > 1e-2)
    return problem(`an embedding has length ${length}, not 1`, '--device cpu');
  if (trial.device === device) return ok(`works, tried with ${modelId}`);
  return warning(
    `not usable: ${fallback}`,
    'install its driver if this machine has such a device; until then the CPU is used',
  );
}

const WRITABLE = 'give a folder that can be written with --data-dir or LOCUS_DATA_DIR';

async function checkDataDirectory(folder: string): Promise<Finding> {
  makeFolder(folder);
  const probe = await mkdtemp(join(folder, '.doctor-'));
  try {
    await writeFile(join(probe, 'probe'), 'x');
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${folder}, ${(free / 1e9).toFixed(1)} GB free`;
  const open = (await readdir(folder))
    .filter(isMadeByLocus)
    .map((name) => join(folder, name))
    .filter(isOpenToOthers);
  if (open.length > 0)
    return warning(
      `other users of this machine may read ${open.join(', ')}`,
      `chmod -R go= ${folder}; Locus does so by itself when it opens what is its user’s own`,
    );
  return free < LITTLE_SPACE
    ? warning(detail, 'make room, or move it with --data-dir or LOCUS_DATA_DIR')
    : ok(detail);
}

function describeLog({ folder, errors, warnings }: LogTail): Finding {
  const detail = `${folder} has ${errors} errors and ${warnings} warnings`;
  return errors === 0
    ? ok(detail)
    : warning(detail, 'Report an error that repeats, with the last entries below.');
}

/** What was damaged and set aside: nothing that Locus needs, but a person may. */
async function checkSetAside(folder: string): Promise<Finding> {
  const { filesAside } = await import('../engine/store/set-aside.ts');
  const indexes = join(folder, INDEXES_FOLDER);
  const names = existsSync(indexes) ? await readdir(indexes) : [];
  const folders = [folder, ...names.map((name) => join(indexes, name))];
  const aside = folders.flatMap((each) => filesAside(each));
  if (aside.length === 0) return ok('nothing was damaged and set aside');
  const list = aside.map(({ path, bytes }) => `${path} (${(bytes / 1e6).toFixed(1)} MB)`);
  return warning(
    `damaged files were set aside: ${list.join(', ')}`,
    'delete those of indexes; keep one of app.db until you miss nothing in the app',
  );
}

/** Whether a file that is written is noticed. */
async function checkWatcher(): Promise<Finding> {
  const { watchTree } = await import('../engine/source/watch.ts');
  const folder = await mkdtemp(join(tmpdir(), 'locus-doctor-'));
  const ending = new AbortController();
  const errors: string[] = [];
  const patience = AbortSignal.timeout(5000);
  try {
    const noticed = new Promise<boolean>((resolve) => {
      patience.addEventListener('abort', () => resolve(false));
      const watching = watchTree(folder, {
        accepts: () => true,
        signal: ending.signal,
        onChange: () => resolve(true),
        onHealth: ({ failure, warning }) => {
          for (const error of [failure, warning]) if (error) errors.push(error.message);
        },
        onReady: () => void writeFile(join(folder, 'changed.py'), 'x = 1\n'),
      });
      watching.catch((error: Error) => {
        errors.push(error.message);
        resolve(false);
      });
    });
    if (await noticed)
      return errors.length === 0
        ? ok('notices changes')
        : warning(errors.join('; '), 'nothing needs doing');
    return problem(
      errors.join('; ') || 'a change was not noticed within 5 s',
      'on Linux raise fs.inotify.max_user_watches; until then run locus index after changes',
    );
  } finally {
    ending.abort();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a repository's database is sound. It is only read. */
async function checkIndex(root: string, dataDir: string | undefined): Promise<Finding> {
  const { realFolder } = await import('../engine/source/open.ts');
  realFolder(root);
  const directory = repositoryDirectory(dataDirectory(dataDir), root);
  const path = join(directory, 'index.db');
  if (!existsSync(path)) return warning(`${root} is not indexed`, `locus index ${root}`);
  const { openReadOnly } = await import('../engine/store/read-only.ts');
  try {
    const database = openReadOnly(path);
    try {
      const [{ verifyAll }, { missingEmbeddings }, { SCHEMA_VERSION }] = await Promise.all([
        import('../engine/store/verify-all.ts'),
        import('../engine/store/missing-embeddings.ts'),
        import('../engine/store/schema.ts'),
      ]);
      const version = database.pragma('user_version', { simple: true }) as number;
      if (version > SCHEMA_VERSION)
        return problem(`${path} was written by a newer version of Locus`, 'update Locus');
      if (version === SCHEMA_VERSION) {
        verifyAll(database);
        const missing = missingEmbeddings(database, directory);
        if (missing > 0)
          return warning(
            `${missing} embeddings are missing from ${directory}, or damaged there`,
            `locus index ${root}, which makes them again`,
          );
      }
      const chunks = database.prepare('SELECT count(*) FROM chunks').pluck().get();
      return ok(`${path} is sound, ${chunks} functions of all versions`);
    } finally {
      database.close();
    }
  } catch (error) {
    return problem(`${path}: ${(error as Error).message}`, MAKE_ANEW(directory, root));
  }
}

const MAKE_ANEW = (directory: string, root: string) =>
  `index again with locus index ${root}, which sets the damaged file aside; or delete ${directory}, nothing else is kept there`;

/** The version of an installed package, as its own `package.json` has it. */
async function versionOf(name: string): Promise<string> {
  const require = createRequire(import.meta.url);
  let folder = dirname(require.resolve(name));
  // A package's entry may lie some folders below its package.json.
  while (!existsSync(join(folder, 'package.json')) || !(await nameIn(folder, name))) {
    if (dirname(folder) === folder) return 'of unknown version';
    folder = dirname(folder);
  }
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
}

async function nameIn(folder: string, name: string): Promise<boolean> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).name === name;
}
