/**
 * Injects faults, as SQLite's tests do. Among the system calls that change files during a journey (`journey.ts`), the
 * n-th fails, once or from then on, with ENOSPC or EIO. Each step must then succeed or say what the user can do, and the
 * next run without faults must produce the same index as an undisturbed one.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { assertSameIndex } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { CHUNK, FILES, ISSUE_ID } from '../support/journey-parts.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { compileShim, faultyEnvironment } from '../support/shim.ts';

const inSupport = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url));
const STEPS = ['index', 'update', 'search', 'mark read', 'mark edit', 'export'];
/** Call that fails, and its error. */
interface Fault {
  at: number;
  error: 'ENOSPC' | 'EIO';
  forEver: boolean;
}
interface Step {
  step: string;
  code: number;
  message: string;
}

/** Number of faults in `npm test`; `npm run torture` tries all. */
const FAULTS = 6;
const BEFORE = 'what was exported before\n';
let scratch: string;
let shim: string;
let pristine: string;
let root: string;
let undisturbed: string;
/** Kinds of the calls of an undisturbed journey, in order: `pwrite index.db-wal`. */
let calls: string[];

before(async () => {
  scratch = temporaryFolder();
  shim = compileShim(scratch);
  pristine = gitRepository(FILES);
  root = join(scratch, 'repository');
  const { place, steps } = journey(null);
  assert.deepEqual(
    steps.map(({ step, code, message }) => [step, code, message]),
    STEPS.map((step) => [step, 0, '']),
  );
  calls = readFileSync(join(place, '..', 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\d+ (\w+) .*\//, '$1 '));
  // A new index of the edited files, made in one run.
  undisturbed = join(scratch, 'undisturbed');
  await bringUpToDate(undisturbed);
});
after(() => {
  removeFolder(scratch);
  removeFolder(pristine);
});

test('any call that changes a file may fail, once or forever', async (t) => {
  const faults = sample(scaleRounds(1) > 1);
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  for (const fault of faults) {
    const outcome = await runDisturbed(fault).catch((error: Error) => {
      failures.push(`${describeFault(fault)}: ${error.message}`);
      return 'wrong';
    });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  t.diagnostic(
    `${faults.length} faults in ${calls.length} calls, seed ${SEED}: ${JSON.stringify(outcomes)}`,
  );
  assert.deepEqual(failures, [], `seed ${SEED}`);
});

const describeFault = ({ at, error, forEver }: Fault) =>
  `${error} at call ${at}${forEver ? ' and after' : ''} (${calls[at - 1]})`;

/** Chooses faults at calls of different kinds, or at all calls. */
function sample(all: boolean): Fault[] {
  const random = uniform();
  const modes = (['ENOSPC', 'EIO'] as const).flatMap((error) => [
    { error, forEver: false },
    { error, forEver: true },
  ]);
  if (all) return calls.flatMap((_, i) => modes.map((mode) => ({ at: i + 1, ...mode })));
  const byKind = Map.groupBy(calls.keys(), (i) => calls[i].replace(/repository-\w+/, 'folder'));
  const faults = Array.from(byKind.values(), (indices, i) => ({
    at: 1 + indices[Math.floor(random() * indices.length)],
    ...modes[i % modes.length],
    order: random(),
  }));
  return faults.sort((a, b) => a.order - b.order).slice(0, FAULTS);
}

/** Runs the journey with a fault and checks its files. Returns `told` if the user was told about the fault. */
async function runDisturbed(fault: Fault): Promise<'told' | 'unnoticed'> {
  const { place, steps } = journey(fault);
  assert.deepEqual(
    steps.map(({ step }) => step),
    STEPS,
  );
  for (const { step, code, message } of steps) {
    const what = `${step} left with ${code}: ${message}`;
    assert.ok(code === EXIT.ok || code === EXIT.store || code === EXIT.output, what);
    assert.equal(code === EXIT.ok, message === '', what);
    assert.doesNotMatch(message, /unexpected|^ {4}at /m);
  }
  checkMarks(place, steps);
  checkExport(place, steps);
  await bringUpToDate(join(place, 'data'));
  assertSameIndex(join(place, 'data'), undisturbed);
  return steps.every(({ code }) => code === EXIT.ok) ? 'unnoticed' : 'told';
}

function journey(fault: Fault | null): { place: string; steps: Step[] } {
  const place = join(scratch, 'place');
  const log = join(scratch, 'calls');
  for (const path of [place, log, root]) rmSync(path, { recursive: true, force: true });
  mkdirSync(place);
  installSecondModel(join(place, 'data'));
  cpSync(pristine, root, { recursive: true });
  writeFileSync(join(place, 'where.json'), BEFORE);
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [inSupport('journey.ts'), root, join(place, 'data'), join(place, 'where.json')],
    {
      encoding: 'utf8',
      timeout: 120_000,
      env: faultyEnvironment(shim, { root: place, ...(fault ?? { log }) }),
    },
  );
  assert.deepEqual([status, signal, stderr], [0, null, ''], stdout + stderr);
  const steps = stdout.trim().split('\n');
  return { place, steps: steps.map((line) => JSON.parse(line)) };
}

/** Asserts that the last acknowledged mark is stored, or a later one. */
function checkMarks(place: string, steps: Step[]): void {
  const path = join(place, 'data/app.db');
  const wanted = steps.filter(({ step }) => step.startsWith('mark '));
  const acknowledged = wanted.findLastIndex(({ code }) => code === 0);
  const possible = wanted.slice(Math.max(acknowledged, 0)).map(({ step }) => step.slice(5));
  if (acknowledged === -1 && !existsSync(path)) return;
  const database = new Sqlite(path);
  try {
    assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
    const tables = database.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'marks'");
    if (acknowledged === -1 && tables.pluck().get() === 0) return;
    const marks = database
      .prepare('SELECT path, qualified_name, mark, note FROM marks WHERE issue_id = ?')
      .all(ISSUE_ID) as { path: string; qualified_name: string; mark: string; note: string }[];
    assert.ok(
      marks.length === 1 || (acknowledged === -1 && marks.length === 0),
      'the mark is gone',
    );
    for (const { path: file, qualified_name: name, mark, note } of marks) {
      assert.equal(`${file}::${name}`, CHUNK);
      assert.ok(possible.includes(mark), `marked ${mark} instead of ${possible}`);
      assert.equal(note, `${mark}, says the note`);
    }
  } finally {
    database.close();
  }
}

/** Asserts that the exported file is complete, old or new, and that there are no other files. */
function checkExport(place: string, steps: Step[]): void {
  const text = readFileSync(join(place, 'where.json'), 'utf8');
  if (steps.at(-1)!.code === 0) assert.equal(JSON.parse(text).chunks.length, 20);
  else assert.ok(text === BEFORE || JSON.parse(text).chunks.length === 20);
}

/** Runs again without faults, and checks the index. */
async function bringUpToDate(dataDir: string): Promise<void> {
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  try {
    await repository.index();
  } finally {
    await repository.close();
  }
}
