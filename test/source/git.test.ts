import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { git } from '../../src/engine/source/git.ts';
import { gitRepository } from '../support/repository.ts';

it('a folder that is gone is not taken for a git that is missing', async () => {
  const folder = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
  rmSync(folder, { recursive: true });
  const refused = { code: 'bad-repository', message: `${folder} is no longer there` };
  await assert.rejects(git(folder, ['rev-parse', 'HEAD']), refused);
});
