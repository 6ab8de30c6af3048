/** The work of an index run that does not vary between machines stays below limits, so that nothing is sent or compressed twice. */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CountedWork, countWork } from '../support/counted-work.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';

const SCRIPT = join(import.meta.dirname, '../support/index-and-exit.ts');
/** Number of files. Each has about 700 bytes and six chunks. */
const FILES = 40;

/**
 * Upper limits, about a tenth above the current counts, which are next to them. Sending the texts once more, or one more compression
 * for each file, exceeds them. Raise one only for a reason that the commit states.
 */
const LIMITS: Record<'indexed' | 'opened again' | 'edited', CountedWork> = {
  indexed: {
    copied: 155_000, // 140,055
    transferred: 610_000, // 556,585
    compressions: 236, // 216
    decompressions: 230, // 209
  },
  'opened again': {
    copied: 2_000, // 1,176: the manifest of the encoder
    transferred: 0,
    compressions: 0,
    decompressions: 11, // 10
  },
  // All facts and references are read once, for the whole graph.
  edited: {
    copied: 6_200, // 5,578
    transferred: 4_500, // 3,689
    compressions: 20, // 18
    decompressions: 116, // 105
  },
};

describe('an index run in a process of its own', () => {
  let root: string;
  let dataDir: string;
  before(() => {
    root = gitRepository(syntheticPackage(FILES));
    dataDir = temporaryFolder();
  });
  after(() => {
    removeFolder(root);
    removeFolder(dataDir);
  });

  for (const [state, limits] of Object.entries(LIMITS))
    it(`sends, compresses and decompresses no more than before: ${state}`, () => {
      if (state === 'edited')
        appendFileSync(join(root, 'pkg/module_1.py'), '\n\ndef more():\n    return 1\n');
      const work = countWork(SCRIPT, root, dataDir);
      for (const [name, limit] of Object.entries(limits)) {
        const count = work[name as keyof CountedWork];
        assert.ok(count <= limit, `${name}: ${count} is above ${limit}`);
      }
      // Control: the counters see what has to be done.
      if (state !== 'opened again')
        assert.ok(
          Object.values(work).every((count) => count > 0),
          JSON.stringify(work),
        );
    });
});
