/** Tests that an export is never written where another user chose. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isPlanted, writeFileAtomically } from '../../src/base/write-file.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const [ME, OTHER, OWNER] = [1000, 1001, 1002];

test('another user’s link in a shared folder is rejected', () => {
  const link = (uid: number) => ({ uid, isFile: () => false });
  const shared = { uid: OWNER, mode: 0o41777 };
  assert.equal(isPlanted(link(OTHER), shared, ME), true);
  assert.equal(isPlanted(link(OTHER), { ...shared, mode: 0o40770 }, ME), true);
  assert.equal(isPlanted(link(ME), shared, ME), false);
  assert.equal(isPlanted(link(OWNER), shared, ME), false);
  assert.equal(isPlanted(link(OTHER), { ...shared, mode: 0o40755 }, ME), false);
  assert.equal(isPlanted({ uid: OTHER, isFile: () => true }, shared, ME), false);
});

test('one’s own link is followed, and another user’s is rejected', async (t) => {
  const parent = temporaryFolder('locus-write-');
  t.after(() => removeFolder(parent));
  const shared = join(parent, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  const target = join(parent, 'target');
  writeFileSync(target, 'before');
  const path = join(shared, 'list.json');
  symlinkSync(target, path);
  await writeFileAtomically(path, 'mine');
  assert.equal(readFileSync(target, 'utf8'), 'mine');
  // Changing the owner of a link needs permissions that most users lack, so only the rule is tested.
  if (process.getuid?.() !== 0) return;
  lchownSync(path, OTHER, OTHER);
  const refused = { code: 'bad-input', message: /list\.json is a symbolic link of another user\./ };
  await assert.rejects(writeFileAtomically(path, 'theirs'), refused);
  assert.equal(readFileSync(target, 'utf8'), 'mine');
  assert.equal(statSync(shared).mode & 0o7777, 0o1777);
});
