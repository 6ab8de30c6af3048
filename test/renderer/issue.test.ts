import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMentionHover } from '../../src/renderer/features/issue/hover-text.ts';
import {
  filterUnchanged,
  findAddresses,
  findBlockLines,
  listMentions,
  type Mention,
  sortInnermostFirst,
} from '../../src/renderer/features/issue/mentions.ts';
import type { IssueReport } from '../../src/shared/search.ts';
import { evidence } from '../exchange/sample.ts';
import { ranking } from './support.ts';

const TEXT = 'Cart.total in shop/cart.py fails';
const REPORT: IssueReport = {
  title: '',
  length: TEXT.length,
  names: [
    { start: 0, end: 10, text: 'Cart.total', definitions: 2 },
    { start: 0, end: 4, text: 'Cart', definitions: 1 },
  ],
  paths: [{ start: 14, end: 26, text: 'shop/cart.py', files: ['shop/cart.py'] }],
  frames: [
    { start: 14, end: 26, text: 'shop/cart.py', path: 'x.py', line: 3, name: 'f', address: null },
  ],
  unindexed: [],
  rare: [],
  blocks: [{ start: 0, end: 10 }],
  notes: [],
};
const words = (mentions: readonly Mention[]) =>
  mentions.map(({ kind, span }) => `${kind} ${span.text}`);

describe('mentions', () => {
  it('are sorted by their start, and the longer first', () => {
    assert.deepEqual(words(listMentions(REPORT)), [
      'name Cart.total',
      'name Cart',
      'path shop/cart.py',
      'frame shop/cart.py',
    ]);
  });

  it('are left out if their text has changed', () => {
    assert.deepEqual(
      words(filterUnchanged(listMentions(REPORT), `Cart.total at ${TEXT.slice(14)}`)).length,
      4,
    );
    assert.deepEqual(words(filterUnchanged(listMentions(REPORT), 'Cart, total')), ['name Cart']);
  });

  it('at one position are sorted by length, and paths before names', () => {
    const overlapping = listMentions(REPORT);
    assert.deepEqual(words(sortInnermostFirst(overlapping.slice(0, 2))), [
      'name Cart',
      'name Cart.total',
    ]);
    const name: Mention = {
      kind: 'name',
      span: { start: 14, end: 26, text: 'shop/cart.py' },
      definitions: 1,
    };
    assert.equal(sortInnermostFirst([name, ...overlapping.slice(2)])[0]?.kind, 'path');
  });

  it('have results, files and functions of frames as targets', () => {
    const [total, cart, path, frame] = listMentions(REPORT);
    assert.ok(total && cart && path && frame);
    const spans = [{ start: 0, end: 10, text: 'Cart.total' }];
    const results = ranking(
      {
        address: 'b.py::Cart.total',
        evidence: { name: evidence('names', 'Named', { value: 1, contribution: 1, spans }) },
      },
      'a.py::Cart',
    );
    assert.deepEqual(findAddresses(total, results), ['b.py::Cart.total']);
    assert.deepEqual(findAddresses(cart, results), []);
    assert.deepEqual(findAddresses(path, results), ['shop/cart.py::<module>']);
    assert.deepEqual(findAddresses(frame, results), []);
    const lines = { first: 3, last: 3, addresses: ['shop/cart.py::total'] };
    assert.deepEqual(findAddresses({ ...path, lines } as Mention, results), lines.addresses);
  });
});

describe('the lines of blocks', () => {
  /** Text with a line break after every ten characters. */
  const text = {
    getValueLength: () => TEXT.length,
    getPositionAt: (offset: number) => ({ lineNumber: 1 + Math.floor(offset / 11) }),
  };

  it('reach from the start of a block to its end', () => {
    const blocks = [REPORT.blocks, [{ start: 11, end: 25 }]].flat();
    assert.deepEqual(findBlockLines({ ...REPORT, blocks }, text), [
      [1, 1],
      [2, 3],
    ]);
    assert.deepEqual(findBlockLines(null, text), []);
  });

  it('are unknown if the text was edited since', () => {
    assert.equal(findBlockLines({ ...REPORT, length: TEXT.length - 1 }, text), null);
  });
});

describe('the hover of a mention', () => {
  const name: Mention = { kind: 'name', span: { start: 0, end: 1, text: 'f' }, definitions: 14 };

  it('lists targets with ranks, and counts the others', () => {
    const targets = Array.from({ length: 13 }, (_, at) => ({
      address: `a.py::f${at}`,
      rank: at === 0 ? 3 : null,
    }));
    const lines = formatMentionHover(name, targets).split('  \n');
    assert.equal(lines[0], 'Matches 14 functions in this repository');
    assert.match(
      lines[1] ?? '',
      /^\[`f0`\]\(command:locus\.select\?.*\) in \[`a\.py`\]\(.*\) · rank 3$/,
    );
    assert.equal(lines.length, 1 + 12 + 1);
    assert.equal(lines.at(-1), 'and 2 more');
  });

  it('escapes an address in its link', () => {
    const address = `a(b)'!*].py::f`;
    const [, link = ''] = formatMentionHover(name, [{ address, rank: null }]).split('  \n');
    const query = /\(command:locus\.select\?([^)]*)\)/.exec(link)?.[1] ?? '';
    assert.deepEqual(JSON.parse(decodeURIComponent(query)), [address]);
    assert.match(query, /^[A-Za-z0-9%._-]+$/);
  });

  it('says if a frame is outside this repository', () => {
    const span = { start: 0, end: 1, text: 'x' };
    const frame: Mention = { kind: 'frame', span, path: 'lib.py', line: 7, address: null };
    assert.match(
      formatMentionHover(frame, []),
      /^Frame outside this repository: line 7 of `lib\.py`/,
    );
  });
});
