/** Large requests take time in proportion to their size, and do not block other requests. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { IssueStore, isSameIssue } from '../../src/backend/issues.ts';
import { matchAnchors } from '../../src/engine/inspect/anchors.ts';
import type { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { MemoryIndex } from '../search/support.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

test('1000 anchors with the same name read the content hash of each chunk at most once', () => {
  const files = Array.from({ length: 300 }, (_, i) => [
    `p/m${i}.py`,
    [
      { name: `C${i}`, kind: 'class' as const },
      { name: `C${i}.__init__`, kind: 'method' as const },
    ],
  ]);
  const index = new MemoryIndex(Object.fromEntries(files));
  // `MemoryIndex` searches all chunks at each call. A repository looks the name up.
  const initSlots = index.getSlotsByName('__init__');
  index.getSlotsByName = () => initSlots;
  let hashReads = 0;
  const readHash = () => {
    hashReads++;
    return '0'.repeat(40);
  };
  const versions = {
    findByContent: () => [],
    getContentHash: readHash,
    text: () => ({ hash: readHash() }),
  };
  const anchors = Array.from({ length: 1000 }, (_, i) => ({
    path: `p/m${i}.py`,
    qualifiedName: `C${i}.__init__`,
    ordinal: 0,
    contentHash: null,
  }));
  const matches = matchAnchors(
    index as unknown as RepositoryIndex,
    { versions } as unknown as Store,
    anchors,
  );
  assert.ok(hashReads <= 300, `${hashReads} hashes read`);
  assert.equal(matches[7].sameAddress?.qualifiedName, 'C7.__init__');
  assert.equal(matches[7].sameName.length, 100, 'the maximum');
  assert.ok(matches[7].sameName.every(({ qualifiedName }) => qualifiedName !== 'C7.__init__'));
  assert.equal(matches[500].sameName[0].path, 'p/m0.py', 'sorted by path');
});

test('only the beginnings of issues of 5 million characters are compared', () => {
  const createIssue = (middle: string) =>
    `title\n${'a b\n'.repeat(500_000)}${middle.repeat(500_000)}${'c d\n'.repeat(500_000)}`;
  assert.ok(isSameIssue(createIssue('x\n'), createIssue('y\n')));
  assert.ok(!isSameIssue(`title\n${'a '.repeat(1000)}`, `title\n${'b '.repeat(1000)}`));
});

test('other requests are answered while stored issues are searched', async () => {
  const folder = temporaryFolder();
  const database = openAppDatabase(folder);
  try {
    const issues = new IssueStore(database);
    for (let i = 0; i < 6; i++) {
      issues.save('/r', randomUUID(), `title ${i}\n${`word${i} `.repeat(200_000)}`, {
        separate: true,
      });
    }
    // Other requests run in turns of the event loop.
    let turns = 0;
    const countTurn = () => {
      turns++;
      nextTurn = setImmediate(countTurn);
    };
    let nextTurn = setImmediate(countTurn);
    const found = await issues.list('/r', 'word4', false, 10);
    clearImmediate(nextTurn);
    assert.deepEqual(
      found.map(({ title }) => title),
      ['title 4'],
    );
    assert.ok(turns >= 5, `${turns} turns`);
  } finally {
    database[Symbol.dispose]();
    removeFolder(folder);
  }
});
