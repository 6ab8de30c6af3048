/** Lock files: made, and repaired. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock, type FileLockOptions } from '../../../src/base/file-lock.ts';
import type { Operation } from '../../support/operation.ts';

/** Takes a lock and gives it back. */
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
      // Others refuse what is no lock, so half of one must not be seen.
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
