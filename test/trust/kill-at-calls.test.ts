/**
 * Kills operations at each of their system calls that changes a file. All files must be complete, the next run must have the same outcome
 * as a run that was not killed, and temporary files must be removed.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import {
  ageTemporaryFiles,
  type Digest,
  listTemporaryFiles,
  type Operation,
  restore,
  runOperation,
} from '../support/operation.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { compileShim } from '../support/shim.ts';
import app from './operations/app.ts';
import files from './operations/files.ts';
import index from './operations/index.ts';
import locks from './operations/locks.ts';
import shared from './operations/shared.ts';
import vectors from './operations/vectors.ts';

/** Number of kills of an operation in `npm test`. `npm run torture` multiplies it by its factor, up to 150. */
const KILLS = 2;
const MAX_KILLS = Math.max(KILLS, Math.min(150, scaleRounds(KILLS)));
/** Operations by module name. */
const OPERATIONS: Record<string, Record<string, Operation>> = {
  locks,
  files,
  vectors,
  shared,
  app,
  index,
};

const random = uniform();
const only = process.env.LOCUS_OPERATION;

for (const [module, operations] of Object.entries(OPERATIONS)) {
  const path = fileURLToPath(new URL(`./operations/${module}.ts`, import.meta.url));
  describe(`killed at a system call: ${module}`, () => {
    let scratch: string;
    let shim: string;
    before(() => {
      scratch = temporaryFolder();
      shim = compileShim(scratch);
    });
    after(() => removeFolder(scratch));

    for (const [name, operation] of Object.entries(operations)) {
      it(name, { skip: only !== undefined && only !== name }, async (t) => {
        const [folder, template] = [join(scratch, 'folder'), join(scratch, name)];
        mkdirSync(template);
        await operation.prepare(template);
        const run = (faults: { log?: string; at?: number; isKilled?: boolean }) =>
          runOperation(shim, path, name, { root: folder, ...faults });

        restore(folder, template);
        const log = join(scratch, `${name}.calls`);
        const undisturbed = run({ log });
        assert.deepEqual([undisturbed.code, undisturbed.errors], [0, '']);
        const calls = callsIn(log);
        await operation.run(folder, () => {});
        const expected = await operation.digest(folder);
        assert.ok(Object.values(expected).some((part) => part.length > 0));

        let kills = 0;
        for (const at of chooseCalls(calls)) {
          const where = `${name}, killed at call ${at} (${calls[at - 1]}), seed ${SEED}`;
          restore(folder, template);
          const { signal, code, lines, errors } = run({ at, isKilled: true });
          // The order of threads varies, so there may be fewer calls this time.
          if (signal === null) assert.deepEqual([code, errors], [0, ''], where);
          else kills++;
          await check(operation, folder, lines, expected).catch((error: Error) => {
            keep(folder);
            throw new Error(`${where}: ${error.message}`, { cause: error });
          });
        }
        t.diagnostic(`${kills} kills at ${calls.length} calls, 0 differences`);
        assert.ok(kills > 0);
        rmSync(template, { recursive: true });
      });
    }
  });
}

describe('the comparison after a kill', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => removeFolder(folder));

  it('notices a difference of one row, one acknowledged mark or one temporary file', async () => {
    const operation = app['an earlier app.db'];
    await operation.prepare(folder);
    await operation.run(folder);
    const expected = await operation.digest(folder);
    await check(operation, folder, [], expected);
    const alter = (sql: string) => {
      const database = new Sqlite(join(folder, 'app.db'));
      database.exec(sql);
      database.close();
    };
    alter(
      "UPDATE marks SET note = 'another' WHERE path = 'pkg/module_3.py' AND issue_id LIKE '00000005%'",
    );
    await assert.rejects(check(operation, folder, [], expected), /another/);

    const marking = app['marks that are acknowledged'];
    await marking.run(folder, () => {});
    await assert.rejects(
      check(marking, folder, ['pkg/no.py | f | function | edit | '], {}),
      /no\.py/,
    );

    writeFileSync(join(folder, 'left.tmp'), '');
    await assert.rejects(check(operation, folder, [], await operation.digest(folder)), /left\.tmp/);
  });
});

async function check(
  operation: Operation,
  folder: string,
  acknowledged: readonly string[],
  expected: Digest,
): Promise<void> {
  operation.checkKilled?.(folder, acknowledged);
  ageTemporaryFiles(folder);
  await operation.run(folder, () => {});
  assert.deepEqual(await operation.digest(folder), expected);
  await operation.writeLater?.(folder);
  assert.deepEqual(listTemporaryFiles(folder), []);
}

/** Returns the kind of each call: `pwrite index.db-wal`. */
function callsIn(log: string): string[] {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map((line) => line.replace(/^\d+ (\w+) .*\//, '$1 '));
}

/** Chooses the numbers of the calls to kill at: all of them if possible, otherwise of as many kinds as possible. */
function chooseCalls(calls: readonly string[]): number[] {
  const numbers = calls.map((_, i) => i + 1);
  if (numbers.length <= MAX_KILLS) return numbers;
  const shuffled = numbers
    .map((number) => ({ number, order: random() }))
    .sort((a, b) => a.order - b.order);
  const byKind = Map.groupBy(shuffled, ({ number }) => calls[number - 1]);
  const first = [...byKind.values()].map(([one]) => one).sort((a, b) => a!.order - b!.order);
  const others = shuffled.filter((one) => !first.includes(one));
  return [...first, ...others].slice(0, MAX_KILLS).map((one) => one!.number);
}

/** Copies a folder to the folder named by LOCUS_KEEP, for debugging. */
function keep(folder: string): void {
  if (process.env.LOCUS_KEEP) cpSync(folder, process.env.LOCUS_KEEP, { recursive: true });
}
