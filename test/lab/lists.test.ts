/* Tests training data: `training-lists` and `training-issues`, run as documented. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { List } from '../../lab/lists/list.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const run = promisify(execFile);
const ISSUE = `The rounded price is wrong\n\nrounded(1.005) gives 1.0, see line 2 of shop/price.py.`;
const WRONG = `def rounded(price):\n    return round(price, 1)\n`;

describe('training data', () => {
  const folder = temporaryFolder();
  const dataset = join(folder, 'issues.jsonl');
  after(() => removeFolder(folder));

  before(() => {
    const root = gitRepository({ ...syntheticPackage(8), 'shop/price.py': WRONG });
    const base = git(root, 'rev-parse', 'HEAD');
    writeFiles(root, { 'shop/price.py': WRONG.replace('1)\n', '2)\n') });
    const patch = `${git(root, 'diff')}\n`;
    git(folder, 'clone', '-q', '--bare', root, join(folder, 'clones/ann__shop'));
    removeFolder(root);
    const instance = {
      instance_id: 'shop-1',
      repo: 'ann/shop',
      base_commit: base,
      problem_statement: ISSUE,
      patch,
    };
    writeFileSync(dataset, `${JSON.stringify(instance)}\n`);
  });

  /** Runs a script of the lab. Returns the lines that it wrote for the repository. */
  async function written(script: string): Promise<unknown[]> {
    const out = join(folder, script.replaceAll('/', '-'));
    const clones = join(folder, 'clones');
    await run(process.execPath, [
      ...[script, '--dataset', dataset, '--repos', clones, '--out', out],
      ...['--data-dir', join(folder, 'data')],
    ]);
    return readFileSync(join(out, 'ann__shop.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  it('has the first candidates of an issue, with its edited chunks', async () => {
    const [list] = (await written('lab/lists/write.ts')) as List[];
    assert.ok(list);
    assert.equal(list.edited, 1);
    const edited = list.candidates.filter(({ isEdited }) => isEdited);
    assert.deepEqual(
      edited.map(({ name }) => name),
      ['rounded'],
    );
    assert.equal(list.candidates[0]?.name, 'rounded');
    assert.match(list.candidates[0]?.text ?? '', /round\(price, 1\)/);
  });

  it('is sufficient to fit the weight of one signal', async () => {
    await written('lab/lists/write.ts');
    const lists = join(folder, 'lab-lists-write.ts');
    const { stdout } = await run(process.execPath, [
      ...['lab/forest/signal.ts', '--signal', 'lines', '--lists', lists],
    ]);
    assert.match(stdout, /^1 issues of 1 repositories\n/);
    assert.match(stdout, /\| without lines +\| +1\.000 /);
    const [, weight] = /^lines: weight ([\d.]+)$/m.exec(stdout) ?? [];
    assert.ok(Number(weight) > 0, stdout);
  });

  it('has the text of each chunk once, as encoders get it', async () => {
    const lines = await written('lab/encoder/issues.ts');
    const text = lines.map((line) => JSON.stringify(line));
    assert.equal(text.filter((line) => line.includes('round(price, 1)')).length, 1);
    assert.ok(text.some((line) => line.includes('rounded(1.005)')));
  });
});
