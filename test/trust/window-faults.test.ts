/**
 * The disk becomes full while a window indexes edits and stores marks. From the n-th call that changes the data directory on, some
 * calls fail with ENOSPC. The window reports it, keeps every acknowledged mark, and ends with the index of an undisturbed window.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertSameIndex } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { compileShim, faultyEnvironment } from '../support/shim.ts';

const JOURNEY = fileURLToPath(new URL('../support/window-journey.ts', import.meta.url));
/** Number of faults in `npm test`. */
const FAULTS = 2;
/** Maximum number of consecutive calls that fail. */
const MAX_CONSECUTIVE = 4;
const NAMES = [1, 2, 3].map((round) => `written_in_round_${round}`);

let scratch: string;
let shim: string;
let pristine: string;
let calls: number;

before(() => {
  scratch = temporaryFolder();
  shim = compileShim(scratch);
  pristine = gitRepository({ 'shop/cookies.py': 'def parse_cookie(header):\n    return header\n' });
  const log = join(scratch, 'calls');
  const { failures, marked } = journey('undisturbed', { log });
  assert.deepEqual([failures, marked.toSorted()], [[], NAMES]);
  calls = readFileSync(log, 'utf8').trim().split('\n').length;
});
after(() => {
  removeFolder(scratch);
  removeFolder(pristine);
});

test('a temporarily full disk only delays a window', (t) => {
  const random = uniform();
  let told = 0;
  for (let round = 0; round < scaleRounds(FAULTS); round++) {
    const at = 1 + Math.floor(random() * calls);
    const last = at + Math.floor(random() * MAX_CONSECUTIVE);
    const { acknowledged, marked, failures } = journey('disturbed', { at, last });
    const what = `calls ${at} to ${last}, seed ${SEED}: ${failures.join('; ')}`;
    assert.deepEqual([acknowledged, marked.toSorted()], [NAMES, NAMES], what);
    for (const failure of failures) assert.doesNotMatch(failure, /unexpected|undefined: /, what);
    assertSameIndex(join(scratch, 'disturbed/data'), join(scratch, 'undisturbed/data'));
    if (failures.length > 0) told++;
  }
  t.diagnostic(
    `${told} of ${scaleRounds(FAULTS)} windows told of a fault in ${calls} calls, seed ${SEED}`,
  );
  // About two of three faults are reported. A retry within the same step hides the others.
  if (scaleRounds(FAULTS) >= 10) assert.ok(told > 0, 'some fault is reported');
});

interface Journey {
  acknowledged: string[];
  marked: string[];
  failures: string[];
}

function journey(name: string, faults: { log?: string; at?: number; last?: number }): Journey {
  const place = join(scratch, name);
  // The same path for all runs, because it is stored.
  const root = join(scratch, 'repository');
  for (const folder of [place, root]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(place);
  cpSync(pristine, root, { recursive: true });
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [JOURNEY, root, join(place, 'data')],
    {
      encoding: 'utf8',
      timeout: 240_000,
      env: faultyEnvironment(shim, { root: place, error: 'ENOSPC', ...faults }),
    },
  );
  assert.deepEqual([status, signal], [0, null], `${JSON.stringify(faults)} ${stdout}${stderr}`);
  return JSON.parse(stdout);
}
