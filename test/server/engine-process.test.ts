import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { forkEngine } from '../../src/server/child.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

test('the engine of a window is started with small heaps', {
  skip: process.platform !== 'linux' && 'only Linux says how a process was started',
}, async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => removeFolder(dataDir));
  const engine = forkEngine({ dataDir });
  const ended = new Promise((resolve) => engine.onExit(resolve));
  const told = (what: string) =>
    readFileSync(`/proc/${engine.pid}/${what}`, 'utf8').split('\0').filter(Boolean);
  try {
    assert.ok(told('cmdline').includes('--max-semi-space-size=8'));
    assert.ok(told('environ').includes('MALLOC_ARENA_MAX=2'));
    assert.ok(told('environ').some((variable) => variable.startsWith('PATH=')));
  } finally {
    engine.kill();
    await ended;
  }
});
