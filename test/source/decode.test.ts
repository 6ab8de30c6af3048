import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeName, decodeSource } from '../../src/base/decode-source.ts';

const text = (bytes: Uint8Array | string) => decodeSource(Buffer.from(bytes as string));
const bytes = (...values: number[]) => Uint8Array.from(values);
const ascii = (line: string) => Buffer.from(line, 'latin1');
const cookie = (name: string, ...rest: number[]) =>
  Buffer.concat([
    ascii(`#!/usr/bin/python\n# -*- coding: ${name} -*-\ns = '`),
    bytes(...rest),
    ascii("'\n"),
  ]);

test('text is UTF-8, with or without a byte order mark', () => {
  assert.deepEqual(text('s = "żółw 🐢"\n'), { text: 's = "żółw 🐢"\n' });
  assert.deepEqual(text('\ufeffx = 1\n'), { text: 'x = 1\n' });
  assert.deepEqual(text(''), { text: '' });
});

test('all line ends become newlines', () => {
  assert.deepEqual(text('a\r\nb\rc\nd\r\n\r\n'), { text: 'a\nb\nc\nd\n\n' });
});

test('a coding cookie applies if the text is not UTF-8', () => {
  const decoded = (name: string, ...rest: number[]) => {
    const result = decodeSource(cookie(name, ...rest));
    return 'text' in result ? result.text.split("'")[1] : result;
  };
  assert.equal(decoded('latin-1', 0xe9, 0x80), 'é\u0080');
  assert.equal(decoded('iso-8859-15', 0xa4), '€');
  assert.equal(decoded('ISO8859_15', 0xa4), '€');
  assert.equal(decoded('latin-2', 0xb1), 'ą');
  assert.equal(decoded('cp1252', 0x80), '€');
  assert.equal(decoded('windows-1251', 0xcf), 'П');
  assert.equal(decoded('koi8-r', 0xf0), 'П');
  assert.equal(decoded('shift_jis', 0x83, 0x65), 'テ');
  assert.equal(decoded('cp932', 0x83, 0x65), 'テ');
  assert.equal(decoded('euc_jp', 0xa5, 0xc6), 'テ');
  assert.equal(decoded('iso2022_jp', 0x1b, 0x24, 0x42, 0x25, 0x46, 0x1b, 0x28, 0x42), 'テ');
  assert.equal(decoded('gbk', 0xc4, 0xe3), '你');
  assert.equal(decoded('latin-1-unix', 0xe9), 'é');
});

test('a wrong cookie does not affect UTF-8 text', () => {
  assert.deepEqual(text('# coding: latin-1\ns = "é"\n'), { text: '# coding: latin-1\ns = "é"\n' });
});

test('a cookie counts in the first two lines only, and only after a comment or an empty line', () => {
  const third = Buffer.concat([ascii('#\n#\n# coding: latin-1\n'), bytes(0xe9)]);
  const afterCode = Buffer.concat([ascii('x = 1\n# coding: latin-1\n'), bytes(0xe9)]);
  for (const source of [third, afterCode]) {
    const result = decodeSource(source);
    assert.ok('text' in result && result.text.endsWith('\ufffd'));
  }
});

test('a byte without a meaning is replaced, and nothing else is', () => {
  const decoded = (source: Uint8Array) => {
    const result = decodeSource(source);
    return 'text' in result ? result.text : result;
  };
  assert.equal(
    decoded(Buffer.concat([ascii('a = 1\nb = "'), bytes(0xe9), ascii('"\nc = 2\n')])),
    'a = 1\nb = "\ufffd"\nc = 2\n',
  );
  for (const [name, byte] of [
    ['utf-8', 0xe9],
    ['ascii', 0xe9],
    ['no-such-code', 0xe9],
    ['shift_jis', 0xff],
    ['cp1252', 0x81],
  ] as const)
    assert.match(String(decoded(cookie(name, byte))), /^s = '\ufffd+'$/m, name);
});

test('UTF-16 is recognized by its byte order mark', () => {
  const source = Buffer.from('\ufeffs = "żółw"\r\n', 'utf16le');
  assert.deepEqual(decodeSource(source), { text: 's = "żółw"\n' });
  assert.deepEqual(decodeSource(source.swap16()), { text: 's = "żółw"\n' });
});

test('other text with a NUL byte is binary', () => {
  const detail = 'a NUL byte at offset 1';
  assert.deepEqual(decodeSource(bytes(0x61, 0, 0x62)), { reason: 'binary', detail });
});

test('a file name that is not UTF-8 is shown with its bytes', () => {
  assert.deepEqual(decodeName(Buffer.from('été.py')), { path: 'été.py', printable: 'été.py' });
  assert.deepEqual(decodeName(Buffer.concat([ascii('a b'), bytes(0xff, 0x0a), ascii('.py')])), {
    path: null,
    printable: 'a b\\xff\\x0a.py',
  });
});
