/** Issues of up to 5 million characters are read as a whole, in linear time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getSearchedText } from '../../src/engine/issue/sections.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';
import { MAX_ISSUE } from '../../src/shared/limits.ts';
import { findSuperlinearGrowth } from '../support/growth.ts';

const syntaxes = getIssueSyntaxes(new Set(['python', 'java']));
const read = (text: string) => readIssue(text, syntaxes);

const TRACEBACK = `
Traceback (most recent call last):
  File "/app/shop/cart.py", line 12, in total
    return add_all(items)
ValueError: no price for tea
`;

/** Repeated words that patterns for frames, code and paths begin to match. */
const FILLERS = {
  parentheses: '(',
  'Python frames that do not end': 'File "',
  backquotes: '`',
  spaces: ' ',
  'Java frames that do not end': 'at a.b.c(',
  'nested fences': '````\n```\n',
  'lines of one letter': 'a\n',
};

const fill = (filler: string, length: number) => filler.repeat(Math.floor(length / filler.length));

for (const [name, filler] of Object.entries(FILLERS)) {
  test(`reads a traceback between millions of ${name}`, () => {
    const half = fill(filler, MAX_ISSUE / 2 - 500);
    const link = 'see https://github.com/a/b/blob/main/shop/tax.py#L7 and `apply_tax`';
    const text = `It fails\n${half}\n${TRACEBACK}\n${link}\n${half}`;
    const { mentions, length } = read(text);
    assert.equal(length, text.length);
    assert.deepEqual(
      mentions.frames.map((frame) => [frame.path, frame.line, frame.name]),
      [['/app/shop/cart.py', 12, 'total']],
    );
    assert.ok(mentions.errors.some((error) => error.text === 'no price for tea'));
    assert.ok(mentions.names.some((token) => token.name === 'apply_tax'));
    assert.ok(mentions.paths.some(({ lines, link }) => lines?.first === 7 && link));
  });

  test(`reads millions of ${name} in linear time`, () => {
    const make = (size: number) => `It fails\n${fill(filler, size * 10)}`;
    assert.equal(findSuperlinearGrowth(make, read), null);
  });
}

const pad = (n: number) => String(n).padStart(2, '0');
/** Returns log lines that differ only in times and numbers. */
const log = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const time = `2026-01-02T10:${pad(Math.floor(n / 60) % 60)}:${pad(n % 60)}.${n}Z`;
    return `${time} INFO [worker-${n % 4}] shop.queue: heartbeat of request 7fe${n}ab0 sent\n`;
  }).join('');

test('counts the words of repeated log lines once', () => {
  const text = `Cart shows no total\n\n${log(1000)}${TRACEBACK}${log(1000)}\nIt worked before.`;
  const { sections, mentions } = read(text);
  const searched = getSearchedText(sections, syntaxes);
  const count = (word: string) => searched.split(word).length - 1;
  assert.ok(count('heartbeat') <= 3 * 4, `${count('heartbeat')} times`);
  for (const once of ['no total', 'add_all(items)', 'no price for tea', 'It worked before.'])
    assert.equal(count(once), 1, once);
  assert.equal(mentions.frames.length, 1);
});

test('keeps every line of an issue that a person may have written', () => {
  const text = `Title\n${'the same line\n'.repeat(100)}`;
  const searched = getSearchedText(read(text).sections, syntaxes);
  assert.equal(searched.split('same').length - 1, 100);
});

test('finds a frame after many repeated ones, and its error after many others', () => {
  const repeated = TRACEBACK.replace('tea', 'milk').repeat(1000);
  const errors = Array.from({ length: 100 }, (_, n) => `Error: bad name x${n.toString(36)}y\n`);
  const other = TRACEBACK.replaceAll('total', 'discount').replace('12', '99');
  const { frames, errors: messages } = read(
    `Title\n${repeated}${errors.join('')}${other}`,
  ).mentions;
  assert.deepEqual([...new Set(frames.map(({ line }) => line))], [12, 99]);
  assert.ok(messages.some(({ text }) => text === 'no price for tea'));
});

test('frames that differ only in the line are different, even if each has two lines', () => {
  const go = getIssueSyntaxes(new Set(['go']));
  const frame = (line: number) => `main.run(0xc000${line})\n\t/app/run.go:${line} +0x1d\n`;
  const text = `Title\n${log(500)}goroutine 1 [running]:\n${frame(7)}${log(500)}${frame(9)}`;
  const { sections, mentions } = readIssue(text, go);
  assert.deepEqual(mentions.frames.map(({ line }) => line).sort(), [7, 9]);
  const searched = getSearchedText(sections, go);
  assert.match(searched, /main\.run\(0xc0007\)/);
  assert.match(searched, /main\.run\(0xc0009\)/);
});
