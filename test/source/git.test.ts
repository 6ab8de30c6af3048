import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { git } from '../../src/base/git/git.ts';
import { gitRepository } from '../support/repository.ts';

it('a missing folder is not reported as a missing git', async () => {
  const folder = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
  rmSync(folder, { recursive: true });
  const refused = { code: 'bad-repository', message: `${folder} is no longer there.` };
  await assert.rejects(git(folder, ['rev-parse', 'HEAD']), refused);
});

it('has a timeout in seconds, or is not started', async () => {
  const folder = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
  const before = process.env.LOCUS_GIT_TIMEOUT;
  try {
    for (const seconds of ['abc', '0', '-5']) {
      process.env.LOCUS_GIT_TIMEOUT = seconds;
      await assert.rejects(git(folder, ['rev-parse', 'HEAD']), {
        code: 'bad-input',
        message: `LOCUS_GIT_TIMEOUT is “${seconds}”, which is not a number of seconds above 0.`,
      });
    }
    process.env.LOCUS_GIT_TIMEOUT = '';
    assert.match(String(await git(folder, ['rev-parse', 'HEAD'])), /^[0-9a-f]{40}\n$/);
  } finally {
    if (before === undefined) delete process.env.LOCUS_GIT_TIMEOUT;
    else process.env.LOCUS_GIT_TIMEOUT = before;
    rmSync(folder, { recursive: true });
  }
});
