/** Operations that make and repair lock files. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock, type FileLockOptions } from '../../../src/base/file-lock.ts';
import type { Operation } from '../../support/operation.ts';

/** Returns an operation that acquires and releases a lock. */
function taking(options: FileLockOptions, before?: string): Operation {
  const pathIn = (folder: string) => join(folder, 'a.lock');
  return {
    prepare(folder) {
      if (before !== undefined) writeFileSync(pathIn(folder), before);
    },
    run(folder) {
      const lock = new FileLock(pathIn(folder), options);
      try {
        assert.ok(lock.acquire());
      } finally {
        lock.release();
        lock.close();
      }
    },
    digest: (folder) => ({ lock: [readFileSync(pathIn(folder), 'hex')] }),
    checkKilled(folder) {
      // Other processes refuse an invalid lock file, so they must never see a partial one.
      if (options.shared && existsSync(pathIn(folder)))
        assert.equal(readFileSync(pathIn(folder)).length, 512);
    },
  };
}

export default {
  'a private lock': taking({}),
  'a lock in a shared folder': taking({ shared: true }),
  'a lock that is repaired': taking({}, 'no lock at all'),
} satisfies Record<string, Operation>;
