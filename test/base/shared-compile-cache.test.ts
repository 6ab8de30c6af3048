import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withoutCompileCache } from '../../src/base/shared-compile-cache.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const MODULE = join(import.meta.dirname, '../../src/base/shared-compile-cache.ts');

describe('the cache of compiled code', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    writeFiles(folder, {
      'main.mjs': `
        import { getCompileCacheDir } from 'node:module';
        import { Worker } from 'node:worker_threads';
        import { shareCompileCache } from ${JSON.stringify(pathToFileURL(MODULE).href)};
        shareCompileCache(process.argv[2]);
        const worker = new Worker(new URL('./worker.mjs', import.meta.url));
        worker.once('message', async (inWorker) => {
          await worker.terminate();
          console.log(JSON.stringify([getCompileCacheDir() ?? null, inWorker]));
        });
      `,
      'worker.mjs': `
        import { getCompileCacheDir } from 'node:module';
        import { parentPort } from 'node:worker_threads';
        import './only-in-worker.mjs';
        parentPort.postMessage(getCompileCacheDir() ?? null);
      `,
      'only-in-worker.mjs': 'export const answer = () => 42;',
    });
  });
  afterEach(() => removeFolder(folder));

  const run = (cache: string, added: Record<string, string> = {}): (string | null)[] => {
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.mjs'), cache], {
      encoding: 'utf8',
      env: { ...env, ...added },
    });
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  };

  it('is that of threads too, and written when they are terminated', () => {
    const cache = join(folder, 'cache');
    const [inMain, inWorker] = run(cache);
    assert.equal(inMain, inWorker);
    assert.ok(inMain?.startsWith(cache));
    const count = readdirSync(cache, { recursive: true }).length;
    assert.ok(count >= 3, 'the folder of the version, and the modules of the thread');
    run(cache);
    assert.equal(
      readdirSync(cache, { recursive: true }).length,
      count,
      'nothing is compiled again',
    );
  });

  it('is the one that the user chose, if any, and none where the user disabled it', () => {
    const chosen = join(folder, 'chosen');
    for (const dir of run(join(folder, 'cache'), { NODE_COMPILE_CACHE: chosen }))
      assert.ok(dir?.startsWith(chosen));
    const none = run(join(folder, 'cache'), { NODE_DISABLE_COMPILE_CACHE: '1' });
    assert.deepEqual(none, [null, null]);
  });

  it('is not passed to programs of the user', () => {
    const env = { HOME: '/home', NODE_COMPILE_CACHE: '/cache' };
    assert.deepEqual(withoutCompileCache(env), { HOME: '/home' });
  });
});
