/** Tests limits on what a trusted publisher can make a reader spend. Every part is limited before it is parsed and while it is checked. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { boundedList } from '../../src/base/bounded-json.ts';
import { parseBounded } from '../../src/base/json.ts';
import { decodeCommits, encodeCommits } from '../../src/engine/portable/commit-part.ts';
import { parseFacts } from '../../src/engine/portable/facts-schema.ts';
import { plainPath } from '../../src/engine/portable/part.ts';
import { mapAhead } from '../../src/services/shared-index/parts.ts';
import { MAX_PART_BYTES } from '../../src/shared/shared-index.ts';

const LIMITS = { maxDepth: 3, maxContainers: 5, maxValues: 8 };
const parse = (text: string) => parseBounded(Buffer.from(text), LIMITS);

describe('JSON within limits', () => {
  it('is parsed like JSON.parse', () => {
    const strings = ['[[[[[[', '",",', '\\', '\\"]', '{{{{', '\u00e9,\u{1f600}'];
    for (const value of [null, 1, [], {}, [[[]]], { a: [{ b: 1 }] }, [1, 2, 3], strings])
      assert.deepEqual(parse(JSON.stringify(value)), value);
  });

  it('is undefined beyond them', () => {
    for (const text of [
      '[[[[]]]]',
      '[[],[],[],[],[]]',
      '[1,2,3,4,5,6,7,8,9,0]',
      '{"a":{"b":[{}]}}',
    ])
      assert.equal(parse(text), undefined, text);
  });

  it('is undefined if it is invalid', () => {
    for (const text of ['', '[', '"', '"\\"', '[1,]', '{]', 'nonsense'])
      assert.equal(parse(text), undefined);
  });
});

it('stops a list at the first invalid item', () => {
  let looked = 0;
  const item = z.custom<number>((value) => {
    looked++;
    return value === 1;
  });
  const wrong = boundedList(item, 1_000_000).safeParse(new Array(1_000_000).fill(2));
  assert.deepEqual([wrong.success, wrong.error?.issues.length, looked], [false, 1, 1]);
  assert.deepEqual(boundedList(item, 3).parse([1, 1, 1]), [1, 1, 1]);
  assert.equal(boundedList(item, 2).safeParse([1, 1, 1]).success, false);
});

describe('a part of commits', () => {
  const commit = {
    hash: 'a'.repeat(40),
    time: 1_700_000_000,
    message: 'Fix it',
    edits: [{ path: 'a.py', from: null, definitions: ['f'] }],
  };
  const refused = { code: 'bad-objects' };

  it('is accepted if it is sound', () => {
    assert.deepEqual(decodeCommits(encodeCommits([commit])), [commit]);
  });

  it('is rejected with content that no history has', () => {
    for (const wrong of [
      { ...commit, time: 1e15 },
      { ...commit, message: '\ud800' },
      { ...commit, edits: [{ path: '../a.py', from: null, definitions: [] }] },
      { ...commit, edits: [{ path: 'a.py', from: '.GIT/config', definitions: [] }] },
      { ...commit, edits: [{ path: 'a.py', from: null, definitions: ['\udc00'] }] },
    ])
      assert.throws(() => decodeCommits(encodeCommits([wrong])), refused);
  });

  it('is rejected if it was made to exhaust its reader', () => {
    for (const bytes of [
      Buffer.alloc(MAX_PART_BYTES, '['),
      Buffer.from(`[${'1,'.repeat(15_000_000)}1]`),
      Buffer.from(`[${'{},'.repeat(3_000_000)}{}]`),
      Buffer.alloc(MAX_PART_BYTES + 1, ' '),
    ])
      assert.throws(() => decodeCommits(bytes), refused);
  });
});

it('paths are accepted if git would check them out inside the repository', () => {
  for (const path of ['a.py', 'a/b c/ü.py', '.github/x.py', 'a/..b/...py', '.gitignore', 'git~10'])
    assert.ok(plainPath.safeParse(path).success, path);
  for (const path of [
    ...['', '/a', 'a//b', './a', 'a/../b', '..', 'a/'],
    ...['.git/config', 'a/.GIT/x', '.git./x', '.git /x', 'GIT~1/x', '.g\u200cit/x'],
    ...['a\0b', 'a\ud800b'],
  ])
    assert.equal(plainPath.safeParse(path).success, false, JSON.stringify(path));
});

it('facts are accepted if a parser could have written them about existing chunks', () => {
  const facts = {
    imports: [{ module: 'a', level: 0, member: null, local: 'a', scope: 0 }],
    bindings: [],
    references: [{ scope: 1, chain: ['f'], kind: 'call', line: 1, column: 0 }],
  };
  assert.deepEqual(parseFacts(JSON.stringify(facts), 2), facts);
  const [reference] = facts.references;
  for (const wrong of [
    {},
    [],
    { ...facts, references: 5 },
    { ...facts, references: [{ ...reference, chain: [1] }] },
    { ...facts, references: [{ ...reference, scope: 2 }] },
    { ...facts, properties: [7] },
    { ...facts, unknown: 1 },
  ])
    assert.equal(parseFacts(JSON.stringify(wrong), 2), null);
});

describe('parts in transfer', () => {
  const MIB = 2 ** 20;

  /** Maps items of these sizes, with a pause for each. Returns the maximum in progress. */
  async function measure(sizes: number[]): Promise<{ bytes: number; parts: number }> {
    let [bytes, parts] = [0, 0];
    const most = { bytes: 0, parts: 0 };
    const items = sizes.map((size, at) => ({ size, at }));
    const work = async ({ size, at }: (typeof items)[number]) => {
      bytes += size;
      parts++;
      most.bytes = Math.max(most.bytes, bytes);
      most.parts = Math.max(most.parts, parts);
      await sleep(1);
      return { size, at };
    };
    let next = 0;
    for await (const { size, at } of mapAhead(items, (item) => item.size, work)) {
      assert.equal(at, next++);
      bytes -= size;
      parts--;
    }
    assert.equal(next, sizes.length);
    return most;
  }

  it('are a dozen if they are small', async () => {
    assert.equal((await measure(new Array(40).fill(MIB))).parts, 12);
  });

  it('are as many as fit into memory if they are large', async () => {
    const { bytes, parts } = await measure(new Array(10).fill(60 * MIB));
    assert.ok(parts === 2 && bytes <= 2 * MAX_PART_BYTES, `${parts} parts of ${bytes} bytes`);
  });

  it('are one if a single one exceeds the limit', async () => {
    assert.equal((await measure([MIB, 1000 * MIB, MIB])).parts, 1);
  });
});
