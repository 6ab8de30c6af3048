/** Operations on an index: making it, updating it with its history and graph notes, collecting garbage, and rebuilding it from an earlier schema. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openTree } from '../../../src/engine/source/open.ts';
import { SCHEMA_VERSION } from '../../../src/engine/store/schema.ts';
import { Store } from '../../../src/engine/store/store.ts';
import { databasePath, dumpIndex } from '../../support/dump.ts';
import type { Digest, Operation } from '../../support/operation.ts';
import { git, gitRepository, syntheticPackage, writeFiles } from '../../support/repository.ts';
import { SmallProcess } from '../../support/small-index.ts';
import { readStoredVectors } from '../../support/stored-vectors.ts';
import { ADVERSARIES } from '../adversaries.ts';

const FILES = syntheticPackage(6);
const repositoryIn = (folder: string) => join(folder, 'repository');
const indexIn = (folder: string) => join(folder, 'data/repositories/small');

/** Makes a repository of three commits, with a file whose call graph is cut short. */
function makeRepository(folder: string): void {
  const root = repositoryIn(folder);
  execFileSync('mkdir', [root]);
  gitRepository(FILES, root);
  for (const [i, word] of ['once', 'twice'].entries()) {
    writeFiles(root, { [`pkg/module_${i}.py`]: `${FILES[`pkg/module_${i}.py`]}\n# ${word}\n` });
    writeFiles(root, { 'pkg/more.py': `def more_${word}(value):\n    return value\n` });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', `Change ${word}`);
  }
}

/** Indexes the working tree, or a commit. */
async function index(folder: string, revision?: string): Promise<void> {
  const tree = await openTree(repositoryIn(folder), revision ? { revision } : {});
  const small = new SmallProcess(indexIn(folder), tree, Math.random);
  await small.run();
  await small.close();
  await tree.close();
}

function digest(folder: string): Digest {
  const { embeddings = [], ...parts } = dumpIndex(join(folder, 'data'));
  const keys = new Set(embeddings.map((row) => row.split(' | ').at(-1)));
  const vectors = [...readStoredVectors(indexIn(folder))].filter(([key]) => keys.has(key));
  return {
    ...Object.fromEntries(Object.entries(parts).map(([name, rows]) => [name, rows.toSorted()])),
    embeddings,
    vectors: vectors.map(([key, { numbers }]) => `${key}: ${numbers}`).sort(),
  };
}

/** Gives an index the version of an earlier schema. */
function makeOlder(folder: string): void {
  const database = new Database(databasePath(join(folder, 'data')));
  database.pragma(`user_version = ${SCHEMA_VERSION - 1}`);
  database.close();
}

export default {
  'an index that is made': {
    prepare(folder) {
      makeRepository(folder);
      writeFiles(
        repositoryIn(folder),
        ADVERSARIES['classes of one root and one that derives from all']!(600),
      );
    },
    run: (folder) => index(folder),
    digest,
  },
  'an index that is brought up to date': {
    async prepare(folder) {
      makeRepository(folder);
      await index(folder);
      const root = repositoryIn(folder);
      writeFiles(root, {
        'pkg/module_2.py': 'def changed():\n    return 1\n',
        'pkg/new.py': 'from pkg.module_2 import changed\n\n\ndef new():\n    return changed()\n',
      });
      rmSync(join(root, 'pkg/module_4.py'));
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'Change two');
    },
    run: (folder) => index(folder),
    digest,
  },
  'commits that are garbage': {
    async prepare(folder) {
      makeRepository(folder);
      for (const revision of ['HEAD~2', 'HEAD~1', 'HEAD']) await index(folder, revision);
    },
    async run(folder) {
      const store = new Store(indexIn(folder), 1);
      await store.lock.hold(async () => {
        store.collectGarbage();
        store.returnFreeSpace();
      });
      store.close();
    },
    digest,
  },
  'an index of an earlier schema': {
    async prepare(folder) {
      makeRepository(folder);
      await index(folder);
      makeOlder(folder);
    },
    run: (folder) => index(folder),
    digest,
  },
} satisfies Record<string, Operation>;
