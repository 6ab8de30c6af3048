/**
 * Tests workers that are killed, on real repositories: `node lab/fleet/workers.ts --data <folder> [--check] <clone> [<clone> ...]`
 *
 * Starts Milvus Lite's server and three workers of `locus fleet index`, each with its own data directory, and kills two of them
 * (SIGKILL) while they work: the first after a quarter of the repositories, the second after half. When the third has ended,
 * compares the engine's rows of each repository with the rows of its index, and prints the number of missing and extra ones.
 * `--check` only compares.
 * Everything stays in `--data`. Prints `LOCUS_FLEET_OBJECTS`, `LOCUS_FLEET_ENGINE` and `LOCUS_DATA_DIR` to search it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMilvusLite } from '../../scripts/milvus-lite.ts';
import { loadManifest } from '../../src/engine/lab.ts';
import { makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { makeRowId } from '../../src/services/fleet/engine.ts';
import { openFleet } from '../../src/services/fleet/fleet.ts';
import { indexCommit } from '../../src/services/fleet/local-index.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { findModelFolder } from '../../src/services/models.ts';

const { values, positionals } = parseArgs({
  options: {
    data: { type: 'string' },
    lease: { type: 'string', default: '60' },
    check: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (!values.data || positionals.length === 0) {
  console.error('usage: npx node lab/fleet/workers.ts --data <folder> <clone> [<clone> ...]');
  process.exit(2);
}
const data = resolve(values.data);
mkdirSync(data, { recursive: true });
const locus = join(import.meta.dirname, '../../src/cli/locus.ts');
const server = await startMilvusLite(join(data, 'milvus'));
const places = { objects: join(data, 'objects'), engine: server.address };
const env = (name: string) => ({
  ...process.env,
  LOCUS_FLEET_OBJECTS: places.objects,
  LOCUS_FLEET_ENGINE: places.engine,
  LOCUS_DATA_DIR: join(data, name),
});
try {
  if (!values.check) await waitForExit(start(['add', ...positionals], 'worker-1'));
  const fleet = await openFleet({ ...places, dataDir: join(data, 'checked') });
  try {
    if (!values.check) await workAndKill();
    await check();
    console.log(`LOCUS_FLEET_OBJECTS=${places.objects}`);
  } finally {
    await fleet[Symbol.asyncDispose]();
  }

  async function workAndKill(): Promise<void> {
    const begin = performance.now();
    const workers = [1, 2, 3].map((n) =>
      start(['index', '--lease-seconds', values.lease], `worker-${n}`),
    );
    for (const [i, share] of [0.25, 0.5].entries()) {
      while ((await done()) < share * positionals.length) await sleep(500);
      workers[i]?.kill('SIGKILL');
      console.log(
        `worker ${i + 1} killed after ${seconds(begin)} s, ${await done()} repositories done`,
      );
    }
    const code = await waitForExit(workers[2]);
    console.log(`worker 3 exited with ${code} after ${seconds(begin)} s, ${await done()} done`);
  }

  async function done(): Promise<number> {
    const entries = await fleet.catalog.listEntries();
    let count = 0;
    for (const key of entries.keys())
      if ((await fleet.catalog.readState(key)).value.indexed) count++;
    return count;
  }

  /** Compares the engine's rows with those of a new index. */
  async function check(): Promise<void> {
    const manifest = await loadManifest(await findModelFolder());
    let [rows, missing, extra] = [0, 0, 0];
    for (const place of positionals) {
      const clone = realpathSync(place);
      const key = makeRepositoryKey({ name: clone.replace(/^\/+/, ''), ref: null });
      const { indexed } = (await fleet.catalog.readState(key)).value;
      if (!indexed) throw new Error(`${place} is not indexed.`);
      const own = { dataDir: undefined, folder: findWorkerFolder(clone) };
      const { contents } = await indexCommit(clone, indexed.commit, own);
      const model = `${manifest.id}@${manifest.version}`;
      const wanted = new Set(Array.from(contents, (content) => makeRowId(key, model, content)));
      const stored = await fleet.engine.listIds(key);
      rows += wanted.size;
      missing += wanted.difference(stored).size;
      extra += stored.difference(wanted).size;
    }
    const counted = await fleet.engine.count(null);
    console.log(
      `${positionals.length} repositories, ${rows} rows expected, ${missing} missing, ${extra} extra; the engine counts ${counted}`,
    );
  }
} finally {
  await server.stop();
}

/** Returns the folder of the worker that indexed a clone. */
function findWorkerFolder(clone: string): string {
  const folders = [3, 2, 1].map((n) => join(data, `worker-${n}`, 'fleet'));
  const own = folders.find((folder) => existsSync(getIndexFolder(folder, clone)));
  if (own === undefined) throw new Error(`No worker indexed ${clone}. Run without --check first.`);
  return own;
}

function start(args: string[], name: string): ChildProcess {
  return spawn(process.execPath, [locus, 'fleet', ...args], {
    env: env(name),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function waitForExit(child: ChildProcess | undefined): Promise<number | null> {
  if (!child || child.exitCode !== null || child.signalCode !== null)
    return child?.exitCode ?? null;
  await once(child, 'exit');
  return child.exitCode;
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000);
}
