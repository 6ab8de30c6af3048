/** Operations that write whole files: exports, and Locus's own small files. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically, writePrivateFile } from '../../../src/base/write-file.ts';
import { makeIndexFolderName } from '../../../src/services/locations.ts';
import { readRootNote, writeRootNote } from '../../../src/services/open-repository.ts';
import type { Operation } from '../../support/operation.ts';

const BEFORE = 'before\n'.repeat(2_000);
const AFTER = 'after\n'.repeat(5_000);
const pathIn = (folder: string) => join(folder, 'file');

/** Returns an operation that replaces the content of a file. */
function replacing(write: (path: string, content: string) => unknown): Operation {
  return {
    prepare: (folder) => writeFileSync(pathIn(folder), BEFORE),
    run: async (folder) => void (await write(pathIn(folder), AFTER)),
    digest: (folder) => ({ file: [readFileSync(pathIn(folder), 'utf8')] }),
    checkKilled: (folder) =>
      assert.ok([BEFORE, AFTER].includes(readFileSync(pathIn(folder), 'utf8'))),
  };
}

export default {
  'an exported file': replacing(writeFileAtomically),
  'a private file': replacing(writePrivateFile),
  "the note of an index's repository": {
    prepare() {},
    run(folder) {
      mkdirSync(indexIn(folder), { recursive: true });
      writeRootNote({ folder: indexIn(folder), root: folder });
    },
    digest: (folder) => ({
      root: [String(readRootNote(indexIn(folder), makeIndexFolderName(folder)))],
    }),
  },
} satisfies Record<string, Operation>;

const indexIn = (folder: string) => join(folder, makeIndexFolderName(folder));
