import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { parse } from 'yaml';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { runStep } from './step.ts';

const ROOT = join(import.meta.dirname, '../..');
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

it('the action runs from its sources, without installed packages', async () => {
  const folder = temporaryFolder();
  try {
    for (const path of ['src', 'package.json', action.runs.main])
      cpSync(join(ROOT, path), join(folder, 'action', path), { recursive: true });
    const main = join(folder, 'action', action.runs.main);
    for (const [mode, error] of [
      ['', /::error::The input mode is missing\. Give one of index, rank, post\.\n/],
      ['toString', /::error::The input mode is “toString”\./],
      ['post', /::error::The event in .* is unreadable/],
    ] as const) {
      const { code, log } = await runStep(folder, { main, inputs: { mode } });
      assert.equal(code, 1);
      assert.match(log, error);
    }
  } finally {
    removeFolder(folder);
  }
});

it('action.yml runs on Node 24, and declares the inputs and outputs that the sources use', () => {
  assert.equal(action.runs.using, 'node24');
  const names = ['main', 'rank', 'install'];
  const sources = names.map((name) => readFileSync(join(ROOT, `src/action/${name}.ts`), 'utf8'));
  const find = (pattern: RegExp) =>
    [...sources.join('').matchAll(pattern)].map(([, name]) => name).toSorted();
  assert.deepEqual(
    [...new Set(find(/getInput\('([^']+)'\)/g))],
    Object.keys(action.inputs).toSorted(),
  );
  assert.deepEqual(find(/setOutput\('([^']+)'/g), Object.keys(action.outputs).toSorted());
  // A default would give the token to the job that reads the text.
  assert.equal(action.inputs.token.default, '');
});
