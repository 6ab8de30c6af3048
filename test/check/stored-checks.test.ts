import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { StoredChecks } from '../../src/services/check/stored-checks.ts';
import type { CheckOutcome } from '../../src/shared/check.ts';
import type { HashedChunk } from '../../src/shared/chunk.ts';
import type { AnchorMatches } from '../../src/shared/lists.ts';
import { chunk, sha1 } from '../exchange/sample.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const CHUNKS = [chunk('a.py', 'f', 'one'), chunk('a.py', 'g', 'two'), chunk('b.py', 'h', 'three')];
const OF = { root: '/src/shop', issue: 'Cookies are cut short' };

function outcome(checkedAt = '2026-11-28T10:00:00.000Z'): CheckOutcome {
  const use = { requests: 1, characters: 2400 };
  return {
    ...{ model: 'qwen', place: 'on this machine', checkedAt, isExternal: false },
    chunks: CHUNKS.map(({ address }, at) => {
      return {
        address,
        isEdit: at === 0,
        reason: at === 0 ? 'Here.' : '',
        from: 3 - at,
        to: at + 1,
      };
    }),
    asked: CHUNKS.map(({ address }) => address),
    added: [],
    missing: ['Jar'],
    ...{ size: { request: 2400, answer: 80 }, used: use, budget: use },
    ...{ notes: ['Nothing was sent.'], failure: null },
  };
}

/** A repository that has these chunks now. */
const repository = (now: readonly HashedChunk[]) => ({
  resolveAnchors: async ({ anchors }: { anchors: object[] }) =>
    (anchors as HashedChunk[]).map((anchor): AnchorMatches => {
      const inPlace = now.find(
        (one) => one.path === anchor.path && one.qualifiedName === anchor.qualifiedName,
      );
      const others = now.filter((one) => one !== inPlace);
      return {
        sameAddress: inPlace ?? null,
        sameContent: others.filter(({ contentHash }) => contentHash === anchor.contentHash),
        sameName: others.filter(({ qualifiedName }) => qualifiedName === anchor.qualifiedName),
      };
    }),
});

describe('stored checks', () => {
  let folder: string;
  let checks: StoredChecks;
  const contents = new Map(CHUNKS.map((one) => [one.address, one]));
  beforeEach(() => {
    folder = temporaryFolder();
    checks = new StoredChecks(folder);
  });
  afterEach(() => removeFolder(folder));

  const find = (of = OF, now: readonly HashedChunk[] = CHUNKS) => checks.find(of, repository(now));
  const listFiles = () =>
    readdirSync(join(folder, 'checks'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it('are found by repository and issue, and replaced by a later one', async () => {
    assert.equal(await find(), null);
    checks.set(OF, outcome(), contents);
    assert.deepEqual(await find(), { ...outcome(), notes: [] });
    assert.deepEqual(await find({ ...OF, issue: ' Cookies are cut short\r\n' }), await find());
    assert.equal(await find({ ...OF, issue: 'Cookies' }), null);
    assert.equal(await find({ ...OF, root: '/src/web' }), null);
    checks.set(OF, outcome('2026-11-29T10:00:00.000Z'), contents);
    assert.equal((await find())?.checkedAt, '2026-11-29T10:00:00.000Z');
    assert.equal(listFiles().length, 1);
    checks.remove(OF);
    assert.equal(await find(), null);
  });

  it('follow functions that moved, and tell which have changed or are gone', async () => {
    checks.set(OF, outcome(), contents);
    const found = await find(OF, [
      chunk('moved.py', 'f', 'one'),
      chunk('a.py', 'g', 'two, edited'),
    ]);
    assert.deepEqual(
      found?.chunks.map(({ address, isChanged }) => [address, isChanged]),
      [
        ['moved.py::f', undefined],
        ['a.py::g', true],
        ['b.py::h', true],
      ],
    );
    assert.equal(found?.chunks[0]?.reason, 'Here.');
  });

  it('hold no code and no text of the issue, and are private', () => {
    checks.set(OF, outcome(), contents);
    const [path = ''] = listFiles();
    assert.equal(statSync(path).mode & 0o077, 0);
    const text = readFileSync(path, 'utf8');
    assert.doesNotMatch(text + path, /Cookies|\/src\/shop/);
    assert.ok(text.includes(sha1('one')));
  });

  it('count as missing if they are damaged or claim too much', async () => {
    for (const damage of [
      (text: string) => text.slice(0, -9),
      () => '',
      () => '[]',
      (text: string) => text.replace('"Here."', `"${'x'.repeat(201)}"`),
      (text: string) => text.replace('"isEdit":true', '"isEdit":"yes"'),
    ]) {
      checks.set(OF, outcome(), contents);
      const [path = ''] = listFiles();
      writeFileSync(path, damage(readFileSync(path, 'utf8')));
      assert.equal(await find(), null);
    }
    checks.set(OF, outcome(), contents);
    assert.notEqual(await find(), null);
  });

  it('are bounded: the oldest of a repository go', async () => {
    checks.set(OF, outcome(), contents);
    const [path = ''] = listFiles();
    // File times are too coarse to order files that are written at once.
    utimesSync(path, 1, 1);
    for (let at = 1; at < 500; at++) writeFileSync(join(dirname(path), `${at}.json`), '');
    checks.set({ ...OF, issue: 'another' }, outcome(), contents);
    assert.equal(listFiles().length, 500);
    assert.equal(await find(), null);
    assert.notEqual(await find({ ...OF, issue: 'another' }), null);
  });

  it('move with their repository', async () => {
    checks.set(OF, outcome(), contents);
    checks.move(OF.root, '/src/renamed');
    assert.equal(await find(), null);
    assert.notEqual(await find({ ...OF, root: '/src/renamed' }), null);
    checks.move('/src/nothing', '/src/renamed');
    assert.notEqual(await find({ ...OF, root: '/src/renamed' }), null);
  });
});
