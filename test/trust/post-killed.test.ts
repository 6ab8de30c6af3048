/** A comment is posted completely or not at all, even if Locus is killed meanwhile. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MAX_POSTED } from '../../src/shared/post.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const POST = join(import.meta.dirname, '../../src/services/post/post.ts');

/** Script that posts a comment of the maximum length, with characters of three bytes. */
const POST_COMMENT = `
  const { postComment } = await import(process.argv[1]);
  const target = { label: 'acme/shop#7', host: 'github.com', project: 'acme/shop', number: 7, url: '' };
  await postComment(target, '\u20ac'.repeat(Number(process.argv[2])), { env: process.env });
`;

test('gh gets the whole comment if Locus is killed before gh reads it', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const path = (name: string) => join(folder, name);
  const waitFor = async (name: string) => {
    while (!existsSync(path(name))) await setTimeout(20);
  };
  writeFiles(folder, {
    'bin/gh': [
      '#!/bin/sh',
      `touch '${path('started')}'`,
      `while [ ! -e '${path('go')}' ]; do sleep 0.02; done`,
      `cat > '${path('input')}'`,
      `touch '${path('ended')}'`,
    ].join('\n'),
    'tmp/.keep': '',
  });
  chmodSync(path('bin/gh'), 0o755);
  const args = ['--input-type=module', '--eval', POST_COMMENT, POST, String(MAX_POSTED)];
  const env = {
    ...process.env,
    PATH: `${path('bin')}${delimiter}${process.env.PATH}`,
    TMPDIR: path('tmp'),
  };
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  await waitFor('started');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.deepEqual(readdirSync(path('tmp')), ['.keep'], 'the comment’s file is deleted');
  writeFileSync(path('go'), '');
  await waitFor('ended');
  assert.ok(statSync(path('input')).size > 64 * 2 ** 10, 'control: it is longer than a pipe holds');
  assert.equal(readFileSync(path('input'), 'utf8').length, MAX_POSTED);
});
