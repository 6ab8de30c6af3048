/** Makes a data directory with everything that commands and a window store there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSession } from '../../src/backend/engine-host.ts';
import { recordServer } from '../../src/services/running-server.ts';
import { findSample } from '../../src/services/sample.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { connect, indexed } from '../backend/support.ts';
import { gitRepository } from './repository.ts';

const LOCUS = join(import.meta.dirname, '../../src/cli/entry.ts');
const CODE = 'def total(items):\n    return sum(items)\n';

export interface FullSession {
  dataDir: string;
  /** The repository that was searched. */
  root: string;
}

/** Runs a command with a data directory, which also caches its compiled code. */
export function runLocus(dataDir: string, args: readonly string[]) {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return spawnSync(process.execPath, [LOCUS, ...args], {
    encoding: 'utf8',
    timeout: 120_000,
    killSignal: 'SIGKILL',
    env: { ...env, LOCUS_DATA_DIR: dataDir },
  });
}

export interface FullSessionOptions {
  issue?: string;
  /** Content of the only file. */
  code?: string;
}

/** Runs every command that writes to the data directory, then a window. All files are in `parent`. */
export async function runFullSession(
  parent: string,
  { issue = 'the total is wrong', code = CODE }: FullSessionOptions = {},
): Promise<FullSession> {
  const dataDir = join(parent, 'data');
  const root = gitRepository({ 'shop.py': code });
  const [shared, fleet] = [join(parent, 'shared'), join(parent, 'fleet')];
  for (const folder of [shared, fleet]) mkdirSync(folder);
  const list = join(parent, 'list.json');
  for (const args of [
    ['index', root, '--embed-for-reranking'],
    ['search', root, issue],
    ['export', root, issue, '--output', list],
    ['import', root, list],
    ['models', 'use', 'bag-1'],
    ['publish', root, '--to', shared],
    ['pull', root, '--from', shared],
    ['fleet', 'use', fleet],
    ['fleet', 'add', root],
  ]) {
    const { status, stdout, stderr } = runLocus(dataDir, args);
    if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  }
  await openInWindow(dataDir, root);
  return { dataDir, root };
}

/** Opens the sample and the repository in a window of a recorded server, and indexes them. */
async function openInWindow(dataDir: string, root: string): Promise<void> {
  recordServer('http://127.0.0.1:1/?token=secret', dataDir);
  const session = startSession({ dataDir });
  const client = connect(session);
  const sample = assertPresent(findSample(dataDir), 'the sample').root;
  for (const folder of [sample, root]) {
    const current = indexed(client);
    await client.call('repository.open', { root: folder });
    await current;
  }
  await session.close();
}
