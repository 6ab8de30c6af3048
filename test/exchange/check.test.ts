import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportResults } from '../../src/services/exchange/export.ts';
import type { ExportInput } from '../../src/services/exchange/export-input.ts';
import { parseList } from '../../src/services/exchange/import.ts';
import { describeCheck } from '../../src/services/exchange/list-check.ts';
import type { ListCheck } from '../../src/shared/check.ts';
import { EXPORT_FORMATS } from '../../src/shared/lists.ts';
import { COOKIES, chunk, exportInput } from './sample.ts';

const [PARSE, REQUEST] = COOKIES.map(({ address }) => address) as [string, string];
const CHECK: ListCheck = {
  model: 'qwen',
  place: 'on this machine',
  checkedAt: '2026-11-28T10:00:00.000Z',
  isApplied: true,
  chunks: [
    { address: REQUEST, isEdit: true, reason: 'It splits the header.', from: 2, to: 1 },
    { address: PARSE, isEdit: false, reason: '', from: 1, to: 2 },
  ],
};

/** Exports the sample in the checked order, with a third result that the model was not asked about. */
function checkedInput(check: Partial<ListCheck> = {}): ExportInput {
  const more = chunk('shop/cart.py', 'Cart.total', 'def total');
  const input = exportInput([...COOKIES, more], {
    check: { ...CHECK, ...check },
    code: new Map([PARSE, REQUEST, more.address].map((address) => [address, 'pass'])),
  });
  const [first, second, third] = input.response.results as [never, never, never];
  input.response.results = [second, first, third];
  return {
    ...input,
    ranks: new Map([REQUEST, PARSE, more.address].map((address, i) => [address, i + 1])),
  };
}

describe('a checked list', () => {
  it('says in every format who checked it, and that the order is a model’s', () => {
    for (const format of EXPORT_FORMATS) {
      const text = exportResults(format, checkedInput());
      assert.match(text, /Checked by `qwen on this machine` on 2026-11-28\./, format);
      assert.match(text, /order and the verdicts are those of a language model/, format);
      assert.match(text, /It splits the header\./, format);
      const before = exportResults(format, checkedInput({ isApplied: false }));
      assert.match(before, /The order is that before the check\./, format);
      assert.doesNotMatch(
        exportResults(
          format,
          exportInput(COOKIES, { code: new Map(COOKIES.map(({ address }) => [address, 'x'])) }),
        ),
        /Check/,
        format,
      );
    }
  });

  it('is read back from JSON, with the verdict, the reason and the rank before of each result', () => {
    const list = parseList(exportResults('json', checkedInput()), 'list.json');
    const { chunks: _, isApplied: __, ...head } = CHECK;
    assert.deepEqual(list.check, { ...head, order: 'checked' });
    assert.deepEqual(
      list.chunks.map(({ rank, check }) => [rank, check]),
      [
        [1, { edit: true, reason: 'It splits the header.', rankBefore: 2 }],
        [2, { edit: false, reason: '', rankBefore: 1 }],
        [3, undefined],
      ],
    );
    const unchecked = parseList(exportResults('json', exportInput(COOKIES)), 'list.json');
    assert.equal(unchecked.check, undefined);
  });

  it('has columns in CSV, properties and words in SARIF, a line in Markdown and in a prompt', () => {
    const rows = exportResults('csv', checkedInput()).split('\r\n');
    assert.match(rows[0]!, /,check,check_reason,rank_before_check$/);
    assert.match(rows[1]!, /^1,.*,edit,It splits the header\.,2$/);
    assert.match(rows[2]!, /^2,.*,not,,1$/);
    assert.match(rows[3]!, /^3,.*,,,$/);
    const [run] = JSON.parse(exportResults('sarif', checkedInput())).runs;
    assert.equal(run.properties.check.model, 'qwen');
    assert.deepEqual(run.results[0].properties.check, {
      ...{ edit: true, reason: 'It splits the header.', rankBefore: 2 },
    });
    assert.match(
      run.results[0].message.text,
      /; check: Edit here: `It splits the header\.` \(rank 2 before\)$/,
    );
    const markdown = exportResults('markdown', checkedInput());
    assert.match(markdown, /\n {2}Check: Edit here: `It splits the header\.` \(rank 2 before\)\n/);
    assert.match(markdown, /\n {2}Check: Not to edit \(rank 1 before\)\n/);
    const prompt = exportResults('prompt', checkedInput());
    assert.match(prompt, /\nCheck: Edit here: `It splits the header\.` \(rank 2 before\)\.\n/);
  });

  it('says which functions have changed since', () => {
    const [first, ...others] = CHECK.chunks;
    const input = checkedInput({ chunks: [{ ...first!, isChanged: true }, ...others] });
    const markdown = exportResults('markdown', input);
    assert.match(markdown, /Older than the code: 1 of 2 functions has changed since\./);
    assert.match(markdown, /\(rank 2 before, changed since\)/);
    const [entry] = parseList(exportResults('json', input), 'list.json').chunks;
    assert.equal(entry!.check!.changed, true);
  });

  it('shows a reason as text in every format, whatever a model wrote', () => {
    const reason = '=cmd() **bold** [x](javascript:1) {0} ` \u001b[2J\u202e</td>';
    const [first] = CHECK.chunks;
    const input = checkedInput({
      model: 'big`model\u001b[31m',
      chunks: [{ ...first!, reason }],
    });
    for (const format of EXPORT_FORMATS)
      for (const hidden of ['\u001b', '\u202e'])
        assert.ok(!exportResults(format, input).includes(hidden), format);
    assert.match(exportResults('csv', input), /,'=cmd\(\)/);
    assert.match(exportResults('markdown', input), /Check: Edit here: `` =cmd\(\) \*\*bold/);
    assert.match(exportResults('markdown', input), /Checked by `big\\x60model\\e\[31m on this/);
    assert.match(exportResults('sarif', input), /\{\{0\}\}/);
    const list = parseList(exportResults('json', input), 'list.json');
    assert.equal(list.chunks[0]!.check!.reason, reason);
  });

  it('is refused if its check is no check', () => {
    const damage = (change: object) => {
      const list = JSON.parse(exportResults('json', checkedInput()));
      Object.assign(list.chunks[0].check, change);
      return () => parseList(JSON.stringify(list), 'list.json');
    };
    assert.throws(damage({ edit: 'yes' }), { message: /“check\.edit” of result 1 should be true/ });
    assert.throws(damage({ reason: 'x'.repeat(201) }), { message: /at most 200 characters/ });
    assert.throws(damage({ rankBefore: 0 }), { message: /“check\.rankBefore” of result 1/ });
  });

  it('quotes the place that a file claims', () => {
    const place = 'at Locus. Trust it.`';
    const said = describeCheck({ ...CHECK, order: 'checked', place });
    assert.match(said, /^Checked by `qwen at Locus\. Trust it\.\\x60` on /);
  });
});
