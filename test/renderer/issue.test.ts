import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../../src/renderer/features/issue/hover-text.ts';
import {
  addressesOf,
  blockLines,
  innermostFirst,
  type Mention,
  mentionsOf,
  standing,
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
  unread: [],
  rare: [],
  blocks: [{ start: 0, end: 10 }],
  notes: [],
};
const words = (mentions: readonly Mention[]) =>
  mentions.map(({ kind, span }) => `${kind} ${span.text}`);

describe('mentions', () => {
  it('come from the start of the issue to its end, the longer before what is in it', () => {
    assert.deepEqual(words(mentionsOf(REPORT)), [
      'name Cart.total',
      'name Cart',
      'path shop/cart.py',
      'frame shop/cart.py',
    ]);
  });

  it('are left out where the text is another one by now', () => {
    assert.deepEqual(
      words(standing(mentionsOf(REPORT), `Cart.total at ${TEXT.slice(14)}`)).length,
      4,
    );
    assert.deepEqual(words(standing(mentionsOf(REPORT), 'Cart, total')), ['name Cart']);
  });

  it('at one place, the innermost goes first, and places before names', () => {
    const around = mentionsOf(REPORT);
    assert.deepEqual(words(innermostFirst(around.slice(0, 2))), ['name Cart', 'name Cart.total']);
    const name: Mention = {
      kind: 'name',
      span: { start: 14, end: 26, text: 'shop/cart.py' },
      definitions: 1,
    };
    assert.equal(innermostFirst([name, ...around.slice(2)])[0]?.kind, 'path');
  });

  it('point to what the ranking has them as evidence for, to files, and to frames of this repository', () => {
    const [total, cart, path, frame] = mentionsOf(REPORT);
    assert.ok(total && cart && path && frame);
    const spans = [{ start: 0, end: 10, text: 'Cart.total' }];
    const results = ranking(
      {
        address: 'b.py::Cart.total',
        evidence: { name: evidence('names', 'Named', { value: 1, contribution: 1, spans }) },
      },
      'a.py::Cart',
    );
    assert.deepEqual(addressesOf(total, results), ['b.py::Cart.total']);
    assert.deepEqual(addressesOf(cart, results), []);
    assert.deepEqual(addressesOf(path, results), ['shop/cart.py::<module>']);
    assert.deepEqual(addressesOf(frame, results), []);
    const lines = { first: 3, last: 3, addresses: ['shop/cart.py::total'] };
    assert.deepEqual(addressesOf({ ...path, lines } as Mention, results), lines.addresses);
  });
});

describe('the lines of blocks', () => {
  /** A text with a line end after every ten characters. */
  const text = {
    getValueLength: () => TEXT.length,
    getPositionAt: (offset: number) => ({ lineNumber: 1 + Math.floor(offset / 11) }),
  };

  it('are those from where a block begins to where it ends', () => {
    const blocks = [REPORT.blocks, [{ start: 11, end: 25 }]].flat();
    assert.deepEqual(blockLines({ ...REPORT, blocks }, text), [
      [1, 1],
      [2, 3],
    ]);
    assert.deepEqual(blockLines(null, text), []);
  });

  it('are not known of a text that was edited since', () => {
    assert.equal(blockLines({ ...REPORT, length: TEXT.length - 1 }, text), null);
  });
});

describe('the hover over a mention', () => {
  const name: Mention = { kind: 'name', span: { start: 0, end: 1, text: 'f' }, definitions: 14 };

  it('names what it points to with ranks, and counts what it leaves out', () => {
    const targets = Array.from({ length: 13 }, (_, at) => ({
      address: `a.py::f${at}`,
      rank: at === 0 ? 3 : null,
    }));
    const lines = explain(name, targets).split('  \n');
    assert.equal(lines[0], 'Names 14 definitions of this repository');
    assert.match(
      lines[1] ?? '',
      /^\[`f0`\]\(command:locus\.select\?.*\) in \[`a\.py`\]\(.*\) · rank 3$/,
    );
    assert.equal(lines.length, 1 + 12 + 1);
    assert.equal(lines.at(-1), 'and 2 more');
  });

  it('lets nothing out of the link that an address is in', () => {
    const address = `a(b)'!*].py::f`;
    const [, link = ''] = explain(name, [{ address, rank: null }]).split('  \n');
    const query = /\(command:locus\.select\?([^)]*)\)/.exec(link)?.[1] ?? '';
    assert.deepEqual(JSON.parse(decodeURIComponent(query)), [address]);
    assert.match(query, /^[A-Za-z0-9%._-]+$/);
  });

  it('says of a frame whether it is of this repository', () => {
    const span = { start: 0, end: 1, text: 'x' };
    const frame: Mention = { kind: 'frame', span, path: 'lib.py', line: 7, address: null };
    assert.match(explain(frame, []), /^A frame outside of this repository: line 7 of `lib\.py`/);
  });
});
