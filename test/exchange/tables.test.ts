import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectFormat, exportResults } from '../../src/services/exchange/export.ts';
import { dropMarkReasons, type ExportInput } from '../../src/services/exchange/export-input.ts';
import { parseList } from '../../src/services/exchange/import.ts';
import type { LocusList } from '../../src/services/exchange/list.ts';
import { EXPORT_FORMATS } from '../../src/shared/lists.ts';
import type { RankedChunk, Reranking } from '../../src/shared/search.ts';
import { COOKIES, chunk, evidence, exportInput } from './sample.ts';

const code = new Map(COOKIES.map(({ address }) => [address, 'def f(): ...']));

describe('CSV', () => {
  it('has a header and a row for each result', () => {
    const [header, first, second, rest] = exportResults('csv', exportInput(COOKIES)).split('\r\n');
    assert.equal(
      header,
      'rank,score,path,qualified_name,kind,start_line,end_line,reasons,mark,note,content_hash,reranked_by,permalink,link,check,check_reason,rank_before_check',
    );
    assert.match(first!, /^1,2\.5,shop\/http\/cookies\.py,parse_cookie,function,42,45,/);
    assert.match(second!, /^2,1,shop\/http\/request\.py,Request\.cookies,method,10,13,/);
    assert.equal(rest, '');
  });

  it('never contains formulas for spreadsheets, and keeps negative numbers', () => {
    const names = ['=cmd()', '+1', '-1', '@sum'].map((name, i) => chunk(`=${i}.py`, name, name));
    const rows = exportResults('csv', exportInput(names)).split('\r\n').slice(1, -1);
    for (const row of rows) assert.doesNotMatch(row, /(^|,)"?[=+@]|,-1,function/);
    assert.match(rows[3]!, /^4,-2,'=3\.py,'@sum,/);
  });

  it('keeps commas, quotes and line ends of a note in one cell', () => {
    const marks = new Map([[COOKIES[0]!.address, { note: 'see "here", then\nthere' }]]);
    const text = exportResults('csv', exportInput(COOKIES, { marks }));
    assert.match(text, /"see ""here"", then\nthere"/);
  });
});

describe('Markdown', () => {
  it('links each location and gives the reasons', () => {
    const text = exportResults('markdown', exportInput(COOKIES));
    assert.match(text, /^# Where to edit: `Quoted cookies are cut`\n/);
    assert.match(
      text,
      /\n- \*\*1\.\*\* `parse_cookie` function, \[`shop\/http\/cookies\.py:42`\]\(<shop\/http\/cookies\.py#L42-L45>\)\n/,
    );
    assert.match(text, /at `0123456789ab`, as on disk/);
  });

  it('lists related functions with their ranks', () => {
    const input = exportInput(COOKIES);
    const [first, second] = input.response.results;
    const other = { path: 'shop/mail.py', qualifiedName: 'send', startLine: 1 };
    first!.related = [
      { relation: 'overrides', ...second! },
      { relation: 'changed', address: 'shop/mail.py::send', commits: 3, ...other },
    ];
    assert.match(
      exportResults('markdown', input),
      /\n {2}Related: overridden by `Request\.cookies` \(rank 2\) · often changes together with `send` \(3 commits; not among these results\)\n/,
    );
  });

  it('fences code, whatever it contains', () => {
    const code = new Map([[COOKIES[0]!.address, 'def f():\n    """\n    ```python\n    """\n']]);
    const text = exportResults('markdown', exportInput(COOKIES, { code }));
    assert.match(text, /\n {2}````python\n {2}def f\(\):\n[\s\S]*\n {2}````\n/);
  });

  it('escapes markup and control characters in names and notes', () => {
    const odd = chunk('<img>_[x](y)*.py', 'f`` `\u001b[31m', 'x');
    const marks = new Map([
      [odd.address, { mark: 'read' as const, note: '<script>\n# no heading' }],
    ]);
    const text = exportResults('markdown', exportInput([odd], { marks }));
    assert.match(
      text,
      /- \*\*1\.\*\* ``` f`` `\\e\[31m ``` function, \[`<img>_\[x\]\(y\)\*\.py:1`\]\(/,
    );
    assert.match(text, /\n {2}> \\<script\\>\n {2}> \\# no heading\n/);
    assert.match(text, / — \*\*Worth reading\*\*\n/);
  });
});

describe('every format', () => {
  it('is detected by the file name', () => {
    assert.deepEqual(
      ['a.md', 'b.JSON', 'c.csv', 'd.x.sarif', 'noextension', 'e.pdf', 'dir.md/x'].map(
        detectFormat,
      ),
      ['markdown', 'json', 'csv', 'sarif', null, null, null],
    );
  });

  it('says whether the list was reranked', () => {
    const input = exportInput(COOKIES);
    const [first, second] = input.response.results;
    const reranking: Reranking = {
      state: 'reranked',
      count: 1,
      of: 50,
      milliseconds: 900,
      models: ['coret-1 1.0.0'],
      note: null,
    };
    const results: RankedChunk[] = [{ ...first!, reranked: true }, second!];
    const read: ExportInput = {
      ...input,
      response: { ...input.response, reranking: reranking, results },
    };
    const said: LocusList['reranking'] = { count: 1, of: 50, models: ['coret-1 1.0.0'] };
    const list: LocusList = JSON.parse(exportResults('json', read));
    assert.deepEqual(list.reranking, said);
    assert.deepEqual(
      list.chunks.map((entry) => entry.reranked),
      [true, undefined],
    );
    const initial: LocusList = JSON.parse(exportResults('json', input));
    assert.equal(initial.reranking, null);
    assert.deepEqual(parseList(exportResults('json', read), 'list.json').reranking, said);
    const [run] = JSON.parse(exportResults('sarif', read)).runs;
    assert.deepEqual(run.properties.reranking, said);
    assert.equal(run.results[0].properties.reranked, true);
    assert.match(
      exportResults('markdown', read),
      /; 1 of the first 50 reranked by `coret-1 1\.0\.0`\)/,
    );
    const cells = (text: string) => text.split('\r\n').map((row) => row.split(',').at(11) ?? '');
    assert.deepEqual(cells(exportResults('csv', read)), ['reranked_by', 'coret-1 1.0.0', '', '']);
    assert.deepEqual(cells(exportResults('csv', input)), ['reranked_by', '', '', '']);
  });

  it('says which files that the issue mentions were not read', () => {
    const input = exportInput(COOKIES);
    const detail = 'Vue is not supported yet';
    input.response.issue.unindexed = [
      { start: 0, end: 8, text: 'Tree.vue', path: 'src/Tree.vue', reason: 'unsupported', detail },
    ];
    const [sentence, rest] = [
      '`src/Tree.vue` was not read (unsupported): Vue is not supported yet.',
      'The list cannot contain functions of files that were not read.',
    ];
    assert.ok(exportResults('markdown', input).includes(`\n\n${sentence}\n\n${rest}\n`));
    assert.ok(exportResults('prompt', { ...input, code }).includes(`${sentence} ${rest}`));
    const json = exportResults('json', input);
    assert.deepEqual(JSON.parse(json).notes, [sentence, rest]);
    assert.deepEqual(parseList(json, 'list.json').notes, [sentence, rest]);
    const [run] = JSON.parse(exportResults('sarif', input)).runs;
    const notified = run.invocations[0].toolExecutionNotifications;
    assert.deepEqual(
      notified.map((one: { message: { text: string } }) => one.message.text),
      [sentence, rest],
    );
    const rows = exportResults('csv', input).split('\r\n');
    assert.deepEqual(rows.slice(3), [`,,,,,,,${sentence},,,,,,,,,`, `,,,,,,,${rest},,,,,,,,,`, '']);
  });

  it('says once that marks adjusted the order, and never that a result is similar to marked ones', () => {
    const input = exportInput(COOKIES);
    const similar = evidence('marks', 'Similar to marked results', {
      value: 0.9,
      contribution: 2,
      sentence: 'similar to the results you marked',
    });
    const results = input.response.results.map((result) =>
      dropMarkReasons({ ...result, evidence: { ...result.evidence, likeMarked: similar } }),
    );
    const marked = { ...input, code, response: { ...input.response, results } };
    for (const format of EXPORT_FORMATS) {
      const text = exportResults(format, marked);
      assert.equal(text.split('Marks on some results adjusted the order').length, 2, format);
      assert.doesNotMatch(text, /you marked/, format);
    }
    const [entry] = parseList(exportResults('json', marked), 'list.json').chunks;
    assert.equal(entry?.evidence.likeMarked?.contribution, 2);
  });

  it('can hold an empty list, and ends in a line feed', () => {
    for (const format of EXPORT_FORMATS) {
      assert.match(exportResults(format, exportInput([])), /\n$/);
    }
  });
});
