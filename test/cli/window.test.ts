import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isFolderArgument } from '../../src/cli/invocation.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

const run = (args: string[], setting: Setting = {}) => locus(fakeEngine([]), args, setting);
const SEATED: Setting = { terminal: 100, seated: true };

describe('locus without a command', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => removeFolder(folder));

  it('prints the help if no window can be shown', async () => {
    for (const setting of [
      {},
      { seated: true },
      { terminal: 100 },
      { ...SEATED, env: { CI: '1' } },
    ]) {
      const bare = await run([], setting);
      assert.deepEqual([bare.exitCode, bare.stderr], [0, '']);
      assert.match(bare.stdout, /Usage:.* locus \[options\] \[command\]\n/);
    }
  });

  it('with a folder but no terminal, says what to do instead', async () => {
    for (const args of [[folder], ['window'], ['window', folder]]) {
      const { exitCode, stderr } = await run(args);
      assert.equal(exitCode, 2);
      assert.match(stderr, /not a terminal, so no window is opened\.\n {2}→ Run locus serve/);
    }
    const onBuildServer = await run([folder], { ...SEATED, env: { CI: 'true' } });
    assert.equal(onBuildServer.exitCode, 2);
  });

  it('reports a missing folder', async () => {
    const { exitCode, stderr } = await run([join(folder, 'gone')], SEATED);
    assert.equal(exitCode, 3);
    assert.match(stderr, /gone does not exist\.\n.*→.* Enter the path of a folder\.\n/);
  });

  it('treats a word that is not a folder as a misspelled command', async () => {
    const { exitCode, stderr } = await run(['serch'], SEATED);
    assert.equal(exitCode, 2);
    assert.match(stderr, /Unknown command 'serch'.*Did you mean search/);
  });
});

describe('the first word of a command line', () => {
  it('is a folder if it looks like a path or exists', () => {
    for (const word of ['.', '..', './search', '/srv/shop', 'a/b', 'src'])
      assert.ok(isFolderArgument(word), word);
    for (const word of [
      'serch',
      '--json',
      '-h',
      'locus://open',
      'https://localhost/issues/1',
      'package.json',
    ])
      assert.ok(!isFolderArgument(word), word);
  });
});
