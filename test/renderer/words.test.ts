import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatUse } from '../../src/renderer/features/check/check.ts';
import { listSelectableDevices } from '../../src/renderer/features/settings/device-names.ts';
import { formatDuration } from '../../src/renderer/features/status/phases.ts';
import { splitSentence, toCodeSpan } from '../../src/renderer/ui/code-spans.ts';
import { formatBytes } from '../../src/renderer/ui/counts.ts';
import { formatCount, formatCounted } from '../../src/shared/format-count.ts';

describe('counts in words', () => {
  it('match their noun', () => {
    assert.equal(formatCounted(1, 'file'), '1 file');
    assert.equal(formatCounted(0, 'file'), '0 files');
    assert.equal(formatCounted(12345, 'more', 'more'), '12,345 more');
    assert.equal(formatCount(1_000_000), '1,000,000');
  });

  it('of bytes use decimal units', () => {
    assert.equal(formatBytes(999), '999 bytes');
    assert.equal(formatBytes(12_345_678), '12.3 MB');
    assert.equal(formatBytes(123_456_789), '123 MB');
    assert.equal(formatBytes(5e15), '5000 TB');
  });

  it('of time use seconds, then minutes, and are never zero', () => {
    assert.deepEqual([0, 59, 90, 3600].map(formatDuration), ['1 s', '59 s', '2 min', '60 min']);
  });

  it('describe the use of a check', () => {
    assert.equal(
      formatUse({ requests: 3, characters: 84_120 }),
      '3 requests, 84,120 characters (≈ 21,030 tokens)',
    );
  });
});

describe('devices to choose from', () => {
  it('are those of the platform and the current setting', () => {
    assert.deepEqual(listSelectableDevices('darwin', 'auto'), ['auto', 'coreml', 'webgpu', 'cpu']);
    assert.deepEqual(listSelectableDevices('linux', 'auto'), ['auto', 'cuda', 'webgpu', 'cpu']);
    assert.ok(listSelectableDevices('linux', 'dml').includes('dml'));
  });
});

describe('text of a repository in Markdown', () => {
  it('cannot end its code span, and shows invisible characters', () => {
    assert.equal(toCodeSpan('a`b'), '`aˋb`');
    assert.ok(!toCodeSpan('a\u202eb').includes('\u202e'));
    assert.equal(toCodeSpan('x'.repeat(1000)).length, 502);
  });
});

describe('a sentence with code', () => {
  const parts = (sentence: string) =>
    splitSentence(sentence).map(({ text, isCode }) => (isCode ? [text] : text));

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
