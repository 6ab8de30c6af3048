import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  compress,
  decompress,
  PackedTexts,
  packTexts,
  readContentSize,
} from '../../src/engine/columns/packed.ts';

const LENGTHS = [0, 1, 63, 64, 255, 256, 257, 65_791, 65_792, 300_000];

test('bytes of any length are decompressed to what they were, and their frame states the length', () => {
  for (const length of LENGTHS) {
    const bytes = Buffer.alloc(length, 'neighbor ');
    const packed = compress(bytes);
    assert.deepEqual(decompress(packed), bytes, `${length} bytes`);
    if (packed.length >= 18) assert.equal(readContentSize(packed), length);
  }
});

test('a large result takes no more memory than its bytes', () => {
  const { buffer } = decompress(compress(Buffer.alloc(100_000, 'neighbor ')));
  assert.equal(buffer.byteLength, 100_001);
});

test('the length is read with and without a checksum, and of bytes inside a larger buffer', () => {
  const bytes = Buffer.alloc(5000, 'neighbor ');
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const inside = Buffer.concat([Buffer.from('before'), packed]).subarray(6);
  assert.equal(readContentSize(inside), 5000);
  assert.deepEqual(decompress(inside), bytes);
});

test('a frame that states no length, or a wrong one, reserves no memory for it', () => {
  const bytes = Buffer.alloc(5000, 'neighbor ');
  const params = { [constants.ZSTD_c_contentSizeFlag]: 0 };
  const silent = zstdCompressSync(bytes, { params });
  assert.equal(readContentSize(silent), null);
  assert.deepEqual(decompress(silent), bytes);
  // A descriptor with a length of eight bytes, in a single segment.
  const boastful = Buffer.concat([
    silent.subarray(0, 4),
    Buffer.from([0xe0]),
    Buffer.alloc(20, 0x7f),
  ]);
  assert.ok((readContentSize(boastful) ?? 0) > 2 ** 60);
  assert.throws(() => decompress(boastful));
  assert.equal(readContentSize(Buffer.from('no frame, but long enough')), null);
  assert.throws(() => decompress(Buffer.from('no frame, but long enough')));
});

test('texts are packed as UTF-8 after their lengths', () => {
  const texts = ['', 'größer', '寻路', 'plain', '\ud83d\ude00', '\ud83d'];
  const packed = packTexts(texts);
  const read = new PackedTexts(packed);
  const expected = texts.map((text) => Buffer.from(text).toString());
  assert.deepEqual(
    texts.map((_, i) => read.at(i)),
    expected,
  );
  assert.equal(read.at(texts.length), undefined);
  const lengths = Uint32Array.of(texts.length, ...expected.map((text) => Buffer.byteLength(text)));
  const whole = Buffer.concat([Buffer.from(lengths.buffer), Buffer.from(expected.join(''))]);
  assert.deepEqual(zstdDecompressSync(packed), whole);
});
