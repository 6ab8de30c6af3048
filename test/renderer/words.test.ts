import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { devicesFor } from '../../src/renderer/features/settings/names.ts';
import { duration } from '../../src/renderer/features/status/phases.ts';
import { amount } from '../../src/renderer/features/verify/verify.ts';
import { code, partsOf } from '../../src/renderer/ui/code-spans.ts';
import { bytes, counted, number } from '../../src/renderer/ui/counts.ts';

describe('counts in words', () => {
  it('match their noun', () => {
    assert.equal(counted(1, 'file'), '1 file');
    assert.equal(counted(0, 'file'), '0 files');
    assert.equal(counted(12345, 'more', 'more'), '12,345 more');
    assert.equal(number(1_000_000), '1,000,000');
  });

  it('of bytes use decimal units', () => {
    assert.equal(bytes(999), '999 bytes');
    assert.equal(bytes(12_345_678), '12.3 MB');
    assert.equal(bytes(123_456_789), '123 MB');
    assert.equal(bytes(5e15), '5000 TB');
  });

  it('of time use seconds, then minutes, and are never zero', () => {
    assert.deepEqual([0, 59, 90, 3600].map(duration), ['1 s', '59 s', '2 min', '60 min']);
  });

  it('describe the use of a verification', () => {
    assert.equal(
      amount({ requests: 3, characters: 84_120 }),
      '3 requests, 84,120 characters (≈ 21,030 tokens)',
    );
  });
});

describe('devices to choose from', () => {
  it('are those of the platform and the current setting', () => {
    assert.deepEqual(devicesFor('darwin', 'auto'), ['auto', 'coreml', 'webgpu', 'cpu']);
    assert.deepEqual(devicesFor('linux', 'auto'), ['auto', 'cuda', 'webgpu', 'cpu']);
    assert.ok(devicesFor('linux', 'dml').includes('dml'));
  });
});

describe('text of a repository in Markdown', () => {
  it('cannot end its code span, and shows invisible characters', () => {
    assert.equal(code('a`b'), '`aˋb`');
    assert.ok(!code('a\u202eb').includes('\u202e'));
    assert.equal(code('x'.repeat(1000)).length, 502);
  });
});

describe('a sentence with code', () => {
  const parts = (sentence: string) =>
    partsOf(sentence).map(({ text, isCode }) => (isCode ? [text] : text));

  it('contains code between backquotes', () => {
    assert.deepEqual(parts('its name `Cart.total` in the issue'), [
      'its name ',
      ['Cart.total'],
      ' in the issue',
    ]);
    assert.deepEqual(parts('`a` `b`'), [['a'], ' ', ['b']]);
    assert.deepEqual(parts(''), []);
  });

  it('keeps an unclosed backquote', () => {
    assert.deepEqual(parts('`a` and `b'), [['a'], ' and `b']);
  });
});
