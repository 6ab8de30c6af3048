import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';

/** Returns the commits and tickets that an issue names. */
function listMentioned(text: string): string[] {
  return readIssue(text).mentions.history.flatMap((mention) =>
    mention.kind === 'commit' ? mention.id : mention.kind === 'ticket' ? mention.ticket : [],
  );
}

/** Returns the step between versions of an issue, as `1.0 -> 2.0`; null if it names none. */
function describeStep(text: string): string | null {
  const step = readIssue(text).mentions.history.find((mention) => mention.kind === 'versions');
  return step ? `${step.good?.version ?? '?'} -> ${step.bad?.version ?? '?'}` : null;
}

test('finds commits that an issue names as the cause', () => {
  const id = '0f3c1d2e4b5a69788796a5b4c3d2e1f001234567';
  assert.deepEqual(listMentioned('Retries stop. Broken since abc1234.'), ['abc1234']);
  assert.deepEqual(listMentioned('Retries stop\n\nIt was introduced in aaae056\n.'), ['aaae056']);
  assert.deepEqual(listMentioned('Retries stop\n\nBisected to `abc1234`.'), ['abc1234']);
  assert.deepEqual(listMentioned('Retries stop\n\nI think abc1234 broke it'), ['abc1234']);
  assert.deepEqual(listMentioned('Retries stop since commit 6747304'), ['6747304']);
  assert.deepEqual(listMentioned('Retries stop since commit `6747304`'), ['6747304']);
  const code = `Retries stop\n\n\`\`\`\n${id} is the first bad commit\ncommit ${id}\n\`\`\``;
  assert.deepEqual(listMentioned(code), [id]);
  const link = `Retries stop, see https://github.com/acme/shop/commit/${id}`;
  assert.deepEqual(listMentioned(link), [id]);
});

test('ignores ids of the version in use, and other hexadecimal numbers', () => {
  const texts = [
    'Retries stop\n\nVersion: master @ 484d26c',
    'Retries stop\n\nshop/cart.py\n\n Line 970\n in\n fbd2ccc\n\n cart.clear()',
    'It broke after the facade was added',
    'Broken since 2021030',
    'Broken since images/abc1234.png was added',
  ];
  for (const text of texts) assert.deepEqual(listMentioned(text), [], text);
});

test('finds issues and requests to merge', () => {
  assert.deepEqual(listMentioned('Retries stop after #123 was merged'), ['#123']);
  assert.deepEqual(listMentioned('Same as GH-123, (#456) and !78'), ['#123', '#456', '!78']);
  assert.deepEqual(listMentioned('Retries stop, see #7'), ['#7']);
  assert.deepEqual(listMentioned('ZOOKEEPER-2184 changed the principal'), ['ZOOKEEPER-2184']);
  const links =
    'Retries stop, see https://github.com/acme/shop/pull/12 and https://gitlab.com/acme/tools/shop/-/merge_requests/34';
  assert.deepEqual(listMentioned(links), ['#12', '!34']);
});

test('ignores numbers that count something else', () => {
  const texts = [
    'Expected object of type cuda for argument #1 in call to min',
    'Step #12 fails',
    'It crashes\n\n#15 0x00007fffd597a179 in main () from lib.so',
    'It crashes\n\n#0 /srv/shop/cart.php(12): total()',
    'A change of openshift/oc#2157',
    'The color #12ab56 and the heading https://example.com/page#12',
    'Two items #1 and #2 vanish',
  ];
  for (const text of texts) assert.deepEqual(listMentioned(text), [], text);
});

test('finds between which versions a problem appeared', () => {
  const steps: [string, string | null][] = [
    ['Works in 2.16.3, fails in 2.17.2', '2.16.3 -> 2.17.2'],
    ['The code works well in 0.16.0 but fails under shop 0.17.0.', '0.16.0 -> 0.17.0'],
    ['Upgrade from 1.2.8 to 1.2.11 throws an error', '1.2.8 -> 1.2.11'],
    ['The bug was introduced from 0.13.1 -> 0.13.2.', '0.13.1 -> 0.13.2'],
    ['Behavior changed between v5.4.0 and v6.0.0.', '5.4.0 -> 6.0.0'],
    ['There is a regression in v4.1', '? -> 4.1'],
    ['It crashes since version 1.2.0', '? -> 1.2.0'],
    ['It crashes. I reverted to shop 0.14.1 and it works fine.', '0.14.1 -> ?'],
    ['It does not work in 2.0\n\nIt worked in 1.9 and 1.8', '1.9 -> 2.0'],
    ['It crashes\n\nWorks in 2.16.3, fails in 2.17.2', '2.16.3 -> 2.17.2'],
    ['It crashes\n\nVersion: 2.16.3', null],
    ['It crashes in 2.17.2', null],
    ['It crashes since item==1.2.0 is there', null],
    ['It was fine with 3.4.x', null],
  ];
  for (const [text, step] of steps) assert.equal(describeStep(text), step, text);
});

test('reads few mentions of an issue with thousands', () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => `since a${(1_000_000 + i).toString(16)}`);
  const tickets = Array.from({ length: 1_000 }, (_, i) => `#${100 + i}`);
  const versions = Array.from({ length: 1_000 }, (_, i) => `works in 1.${i}`);
  const all = [...ids, ...tickets, ...versions].join('\n');
  const { history } = readIssue(`It crashes\n\n${all}`).mentions;
  assert.ok(history.length <= 41, `${history.length} mentions`);
});
