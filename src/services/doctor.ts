/**
 * Checks an installation and the index of a repository. Each part is loaded and tried separately, so that one broken part
 * does not prevent the other checks.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Check,
  type Finding,
  findPackageVersion,
  ok,
  problem,
  REINSTALL_REMEDY,
  runCheck,
  warning,
} from '../base/checks.ts';
import { describeVariables, findUnknownVariables, readVariable } from '../base/environment.ts';
import { realFolder } from '../base/folders.ts';
import { readLog } from '../base/log-files.ts';
import { createFolder, isCreatedByLocus, isOpenToOthers } from '../base/private.ts';
import { loadChecks } from '../engine/index.ts';
import type { LogTail } from '../shared/rpc/events.ts';
import { MIN_NODE, VERSION } from '../shared/version.ts';
import { getDataDirectory, getIndexFolder, INDEXES_FOLDER } from './locations.ts';
import { MODELS_FOLDER } from './models-folder.ts';

export interface DoctorReport {
  version: string;
  platform: string;
  checks: Check[];
  log: LogTail;
}

export interface DoctorOptions {
  /** Repository whose index is checked too. */
  root?: string;
  /** Data directory, as for `openRepository`. */
  dataDir?: string;
  modelsFolder?: string;
}

/** Free bytes below which indexing a large repository may fail. */
const MIN_FREE_BYTES = 1e9;
/** Number of log entries in a report. */
const MAX_LOG_ENTRIES = 100;

/** Runs all checks. Never throws: a check that fails is part of the report. */
export async function diagnose(options: DoctorOptions = {}): Promise<DoctorReport> {
  const { root, modelsFolder = MODELS_FOLDER } = options;
  const data = getDataDirectory(options.dataDir);
  const log = readLog(data, MAX_LOG_ENTRIES);
  const engine = await loadChecks();
  const checks = [
    await runCheck('node', REINSTALL_REMEDY, checkNode),
    await runCheck('sqlite', REINSTALL_REMEDY, checkSqlite),
    await runCheck('tree-sitter', REINSTALL_REMEDY, engine.checkParsers),
    await runCheck('vectors', REINSTALL_REMEDY, engine.checkVectors),
    await runCheck('git', 'Install Git.', checkGit),
    await runCheck('environment', 'Correct or unset the variable.', () => checkEnvironment()),
    ...(await engine.checkModels(modelsFolder)),
    await runCheck('reranker', engine.RESTORE_REMEDY, async () => {
      const { findRerankerFolders } = await import('./models.ts');
      return engine.checkRerankers(findRerankerFolders(options));
    }),
    ...(await engine.checkDevices(modelsFolder)),
    await runCheck('data directory', WRITABLE, () => checkDataDirectory(data)),
    await runCheck('daemon', 'Run locus daemon --stop.', () => checkDaemon(data)),
    await runCheck('secrets', KEYCHAIN, () => checkSecrets(data)),
    { name: 'log', ...describeLog(log) },
    await runCheck('quarantine', WRITABLE, () => checkQuarantine(data)),
    await runCheck(
      'file watcher',
      'Run locus index after changes, instead of locus watch.',
      engine.checkWatcher,
    ),
    ...(root === undefined
      ? []
      : [
          await runCheck('index', 'Check the path.', () => {
            realFolder(root);
            return engine.checkIndex(root, getIndexFolder(data, root));
          }),
        ]),
  ];
  return { version: VERSION, platform: `${process.platform} ${process.arch}`, checks, log };
}

function checkNode(): Finding {
  const { node, electron } = process.versions;
  const detail = electron ? `${node} in Electron ${electron}` : node;
  if (Number.parseInt(node, 10) >= MIN_NODE) return ok(detail);
  const remedy = `Use Node ${MIN_NODE} or later. In a checkout, npm run locus brings its own.`;
  return problem(detail, remedy);
}

async function checkSqlite(): Promise<Finding> {
  const { openSqlite } = await import('../base/sqlite.ts');
  const database = openSqlite(':memory:');
  try {
    const version = database.prepare('SELECT sqlite_version()').pluck().get();
    return ok(`${version}, better-sqlite3 ${await findPackageVersion('better-sqlite3')}`);
  } finally {
    database.close();
  }
}

async function checkGit(): Promise<Finding> {
  const { GitFailure, git } = await import('../base/git/git.ts');
  try {
    const version = (await git(tmpdir(), ['version'])).toString().trim();
    return ok(version.replace(/^git version /, ''));
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return warning(
      error.message,
      'Install Git to search commits and to follow .gitignore as Git does. Folders work without it.',
    );
  }
}

function checkEnvironment(): Finding {
  const unknown = findUnknownVariables();
  if (unknown.length > 0)
    return warning(
      `Locus does not know these variables: ${unknown.join(', ')}.`,
      'Check the spelling with locus --help, or unset it.',
    );
  const set = describeVariables();
  return ok(set.length > 0 ? set.join(', ') : 'no variables set');
}

const WRITABLE = 'Choose a writable folder with --data-dir or LOCUS_DATA_DIR.';

async function checkDataDirectory(folder: string): Promise<Finding> {
  createFolder(folder);
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
    .filter(isCreatedByLocus)
    .map((name) => join(folder, name))
    .filter(isOpenToOthers);
  if (open.length > 0)
    return warning(
      `Other users of this machine may be able to read ${open.join(', ')}.`,
      `Run chmod -R go= ${folder}. Locus does this itself for folders that belong to you.`,
    );
  return free < MIN_FREE_BYTES
    ? warning(detail, 'Free some space, or move the data with --data-dir or LOCUS_DATA_DIR.')
    : ok(detail);
}

async function checkDaemon(folder: string): Promise<Finding> {
  const { describeDaemon } = await import('./resident/control.ts');
  const daemon = await describeDaemon(folder);
  if (!daemon) return ok('not running');
  const open = daemon.roots.length > 0 ? `, with ${daemon.roots.join(', ')} open` : '';
  return ok(`running as process ${daemon.pid}${open}`);
}

const KEYCHAIN = 'Start and unlock the keychain, or enter the secrets again.';

/** Reports where each secret is stored, and why the keychain cannot be used if so. Reads no secret. */
async function checkSecrets(folder: string): Promise<Finding> {
  const [{ findKeychainObstacle }, { getFleetTokenSlot }, { getPublisherSlot }, { CheckFile }] =
    await Promise.all([
      import('./secrets/secrets.ts'),
      import('./fleet/setup.ts'),
      import('./shared-index/publisher.ts'),
      import('./check/check-file.ts'),
    ]);
  const slots = [
    getPublisherSlot(folder),
    getFleetTokenSlot(folder),
    ...new CheckFile(folder, process.env).slots(),
  ];
  const inKeychain: string[] = [];
  const inFiles: string[] = [];
  for (const slot of slots) {
    const stored = slot?.read() ?? null;
    if (slot && stored) (typeof stored === 'string' ? inFiles : inKeychain).push(slot.name);
  }
  const obstacle = await findKeychainObstacle();
  const detail = [
    obstacle === null ? 'The system’s keychain works.' : `The keychain is not used. ${obstacle}`,
    ...(inKeychain.length > 0 ? [`In the keychain: ${inKeychain.join(', ')}.`] : []),
    ...(inFiles.length > 0 ? [`In files that only you can read: ${inFiles.join(', ')}.`] : []),
  ].join(' ');
  const use = readVariable('LOCUS_KEYCHAIN');
  const isNeeded = use === 'on' || (use === 'auto' && inKeychain.length > 0);
  return isNeeded && obstacle !== null ? warning(detail, KEYCHAIN) : ok(detail);
}

function describeLog({ folder, errors, warnings }: LogTail): Finding {
  const detail = `${folder}: ${errors} errors, ${warnings} warnings`;
  return errors === 0
    ? ok(detail)
    : warning(detail, 'Report errors that repeat. The last log entries are below.');
}

async function checkQuarantine(folder: string): Promise<Finding> {
  const { listQuarantined } = await import('../base/quarantine.ts');
  const indexes = join(folder, INDEXES_FOLDER);
  const names = existsSync(indexes) ? await readdir(indexes) : [];
  const folders = [folder, ...names.map((name) => join(indexes, name))];
  const quarantined = folders.flatMap((each) => listQuarantined(each));
  if (quarantined.length === 0) return ok('no damaged files');
  const list = quarantined.map(({ path, bytes }) => `${path} (${(bytes / 1e6).toFixed(1)} MB)`);
  return warning(
    `Damaged files were moved to quarantine: ${list.join(', ')}.`,
    'Delete damaged indexes. Keep a damaged app.db until you are sure that nothing is missing in the app.',
  );
}
