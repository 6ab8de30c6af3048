import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');

describe('locus show --open', () => {
  let folder: string;
  before(() => {
    folder = realpathSync(temporaryFolder());
    writeFiles(folder, {
      'shop/cart.py': 'import math\n\n\ndef total(items):\n    return math.fsum(items)\n',
      'editor.mjs':
        "import { writeFileSync, renameSync } from 'node:fs';\nconst [, , to, ...args] = process.argv;\nconst { NODE_COMPILE_CACHE: cache = null } = process.env;\nwriteFileSync(to + '.part', JSON.stringify([...args, cache]));\nrenameSync(to + '.part', to);\n",
    });
    const shop = join(folder, 'shop');
    git(shop, 'init', '-q');
    git(shop, 'add', '-A');
    git(shop, 'commit', '-q', '-m', 'First');
  });
  after(() => removeFolder(folder));

  const locus = (...args: string[]) =>
    spawnSync(process.execPath, [LOCUS, ...args], {
      encoding: 'utf8',
      env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data') },
    });
  const show = (...args: string[]) => locus('show', join(folder, 'shop'), 'total', ...args);

  it('opens the function at its line in the given editor', {
    timeout: 120_000,
  }, async () => {
    const told = join(folder, 'told.json');
    const editor = `"${process.execPath}" "${join(folder, 'editor.mjs')}" "${told}" {line} {file}`;
    const { status, stdout, stderr } = show('--open', '--editor', editor);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^Opened cart\.py:4 in node/);
    let args: unknown = null;
    while (args === null) {
      try {
        args = JSON.parse(readFileSync(told, 'utf8'));
      } catch {
        await sleep(20); // It runs on its own.
      }
    }
    // The cache of compiled code is for Locus only.
    assert.deepEqual(args, ['4', join(folder, 'shop/cart.py'), null]);
  });

  it('reports a missing editor, and does not open a file of a commit', () => {
    const missing = show('--open', '--editor', 'no-such-editor {file}');
    assert.equal(missing.status, 1);
    assert.match(
      missing.stderr,
      /no-such-editor was not found on this machine.\n {2}→ Name one with --editor, or set \$VISUAL\.\n/,
    );
    assert.match(
      show('--open', '--at', 'HEAD').stderr,
      /The file of a commit cannot be opened: it is not on disk/,
    );
    git(folder, 'clone', '-q', '--bare', 'shop', 'bare');
    const bare = locus('show', join(folder, 'bare'), 'total', '--open', '--editor', 'x {file}');
    assert.match(bare.stderr, /it is not on disk\.\n {2}→ Omit --at and name a working tree, /);
  });
});
