import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createFile } from '../../src/base/write-file.ts';
import { getPublisherKeyPath } from '../../src/services/shared-index/keys.ts';
import { readOwnPublisher } from '../../src/services/shared-index/publisher.ts';
import { scaleRounds } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const PUBLISHER = join(import.meta.dirname, '../../src/services/shared-index/publisher.ts');

/** Script that prints the publisher's key once its input ends, so that several processes can create the key at the same time. */
const PRINT_KEY_SCRIPT = `
  const { readOwnPublisher } = await import(process.argv[1]);
  process.stdin.resume().once('end', async () => console.log((await readOwnPublisher(process.argv[2], {})).key));
`;

test('processes that create the publisher key at the same time get the same key', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  for (let round = 0; round < scaleRounds(3); round++) {
    const dataDir = join(folder, String(round));
    const args = ['--input-type=module', '--eval', PRINT_KEY_SCRIPT, PUBLISHER, dataDir];
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, args));
    const outputs = Promise.all(children.map((child) => text(child.stdout)));
    for (const child of children) child.stdin.end();
    const printed = new Set(await outputs);
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    const { key } = await readOwnPublisher(dataDir, {});
    assert.deepEqual(printed, new Set([`${key}\n`]));
    assert.equal(statSync(getPublisherKeyPath(dataDir)).mode & 0o777, 0o600);
  }
});

test('createFile does not replace an existing file', (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, 'file');
  assert.equal(createFile(path, 'first', 0o600), true);
  assert.equal(createFile(path, 'second', 0o600), false);
  assert.equal(readFileSync(path, 'utf8'), 'first');
});
