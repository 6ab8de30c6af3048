import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeHistory,
  describeLikely,
  describeRecognized,
  describeUnsupportedFiles,
} from '../../src/renderer/features/results/basis.ts';
import { describeShares, sumByFamily } from '../../src/renderer/features/results/evidence.ts';
import { listSnippetWords } from '../../src/renderer/features/results/snippets.ts';
import {
  findCodeHighlight,
  findIssueHighlight,
} from '../../src/renderer/features/search/highlight.ts';
import { type Evidence, pickReasons, type Reason } from '../../src/shared/evidence.ts';
import type { IssueReport } from '../../src/shared/search.ts';
import { describeUnindexed } from '../../src/shared/unsupported.ts';
import { chunk } from './support.ts';

const reason = (more: Partial<Reason>): Reason => ({
  signal: 'bm25',
  family: 'words',
  title: 'Words',
  value: 1,
  measured: '1',
  contribution: 1,
  sentence: 'shares `delay`',
  ...more,
});

function evidence(
  given: Record<string, Partial<Omit<Reason, 'sentence'>> & { sentence: string | null }>,
): Evidence {
  return Object.fromEntries(
    Object.entries(given).map(([signal, more]) => {
      const { signal: _, ...own } = reason({ ...more, sentence: '' });
      return [signal, { ...own, sentence: more.sentence }];
    }),
  );
}

const REPORT: IssueReport = {
  title: '',
  length: 0,
  names: [],
  paths: [],
  frames: [],
  unindexed: [],
  rare: [],
  blocks: [],
  notes: [],
};
const span = (start: number, text: string) => ({ start, end: start + text.length, text });

describe('the reasons in a row', () => {
  const sentences = (found: Evidence, limit = 2) =>
    pickReasons(found, limit).map(({ sentence }) => sentence);

  it('are the strongest positive ones', () => {
    const found = evidence({
      dense: { contribution: 0.5, sentence: 'similar' },
      kind: { contribution: 9, sentence: null },
      name: { contribution: 2, sentence: 'named' },
      path: { contribution: 0.1, sentence: 'in a path' },
    });
    assert.deepEqual(sentences(found), ['named', 'similar']);
    assert.equal(pickReasons(found, 1)[0]?.signal, 'name');
  });

  it('are the strongest signal if none is positive, and never empty', () => {
    const against = evidence({
      dense: { contribution: -2, sentence: 'similar' },
      bm25: { contribution: -1, sentence: 'shares `a`' },
      length: { contribution: 1, sentence: null, title: 'Length of its code' },
    });
    assert.deepEqual(sentences(against), ['shares `a`']);
    const unrelated = evidence({ length: { sentence: null, title: 'Length of its code' } });
    assert.match(sentences(unrelated)[0] ?? '', /length of its code$/);
    assert.match(sentences({})[0] ?? '', /\w/);
  });
});

describe('the highlight of a reason', () => {
  const own = chunk('a.py::Retry.delay');

  it('in the issue is its words as written there, or else its spans', () => {
    const words = [
      { word: 'rm', score: 2, of: 'delete' },
      { word: 'delay', score: 1 },
    ];
    const spans = [span(3, 'delay')];
    assert.deepEqual(findIssueHighlight({ chunk: own, reason: reason({ words }) }), {
      words: ['delete', 'delay'],
      spans: [],
    });
    assert.deepEqual(findIssueHighlight({ chunk: own, reason: reason({ spans }) }), {
      words: [],
      spans,
    });
  });

  it('in the code is its words, in the part that the evidence is about', () => {
    const words = [{ word: 'rm', score: 2, of: 'delete' }];
    const within = (family: Reason['family'], more: Partial<Reason> = {}) => {
      const lit = findCodeHighlight(
        { chunk: own, reason: reason({ family, words, ...more }) },
        REPORT,
      );
      return [lit.within, ...lit.words];
    };
    assert.deepEqual(within('words'), ['chunk', 'rm']);
    assert.deepEqual(within('location'), ['file', 'rm']);
    assert.deepEqual(within('names'), ['header', 'rm']);
    assert.deepEqual(within('names', { words: [] }), ['header', 'delay']);
  });

  it('in the code is the line of a frame', () => {
    const frame = { ...span(10, 'line 7, in delay'), path: 'a.py', line: 7, name: 'delay' };
    const frames = [
      { ...frame, address: own.address },
      { ...frame, start: 40, end: 56, line: 9, address: own.address },
      { ...frame, line: 8, address: 'a.py::other' },
    ];
    const lit = { chunk: own, reason: reason({ family: 'location', spans: [frame] }) };
    assert.deepEqual(findCodeHighlight(lit, { ...REPORT, frames }).lines, [7]);
  });

  it('in the code is the lines that the issue mentions', () => {
    const path = { ...span(10, 'a.py'), files: ['a.py'] };
    const paths = [
      { ...path, lines: { first: 7, last: 9, addresses: [own.address] } },
      { ...path, start: 30, end: 34, lines: { first: 2, last: 3, addresses: [own.address] } },
      { ...path, lines: { first: 20, last: 21, addresses: ['a.py::other'] } },
    ];
    const lit = { chunk: own, reason: reason({ family: 'location', spans: [path] }) };
    assert.deepEqual(findCodeHighlight(lit, { ...REPORT, paths }).lines, [7, 8, 9]);
  });
});

describe('the label of an evidence bar', () => {
  it('lists the shares, largest first, or says that there is no evidence', () => {
    const found = evidence({
      dense: { family: 'meaning', contribution: 1, sentence: 'similar' },
      bm25: { family: 'words', contribution: 3, sentence: 'shares' },
    });
    assert.equal(
      describeShares(sumByFamily(found)),
      'Evidence: shared words 75%, similar in meaning 25%',
    );
    assert.match(describeShares([]), /^No evidence/);
  });
});

describe('the words of a snippet', () => {
  it('are those in the text of the chunk, each once', () => {
    const words = [{ word: 'delay', score: 1 }];
    const fields = [{ field: 'body', score: 1 }];
    const found = evidence({
      bm25: { sentence: '', words, fields },
      title: { sentence: '', words: [{ word: 'delay', score: 3 }], fields },
      name: { sentence: '', family: 'names', words: [{ word: 'name', score: 3 }], fields },
    });
    assert.deepEqual(listSnippetWords(found), [{ word: 'delay', score: 3 }]);
    const elsewhere = evidence({
      bm25: { sentence: '', words, fields: [{ field: 'path', score: 1 }] },
    });
    assert.deepEqual(listSnippetWords(elsewhere), []);
    assert.deepEqual(listSnippetWords(undefined), []);
  });
});

describe('the basis of a list', () => {
  it('counts recognized names once each, and says how many frames are in the repository', () => {
    const name = { ...span(0, 'delay'), definitions: 2 };
    const frame = { ...span(9, 'in delay'), path: 'a.py', line: 1, name: 'delay' };
    const report = {
      ...REPORT,
      names: [name, { ...name, start: 7, end: 12 }],
      frames: [
        { ...frame, address: 'a.py::delay' },
        { ...frame, address: null },
      ],
    };
    assert.equal(
      describeRecognized(report),
      '1 name, 2 frames recognized, 1 of the frames in this repository',
    );
    const outside = { ...report, frames: [{ ...frame, address: null }] };
    assert.match(describeRecognized(outside), /1 frame recognized, none of the frames in this/);
    assert.equal(describeRecognized(REPORT), 'no names recognized');
  });

  it('names mentioned files that were not read, with the reason', () => {
    const unread = (path: string) => ({
      ...span(0, path),
      path,
      reason: 'too large' as const,
      detail: '9.0 MiB; files over 8 MiB are not indexed',
    });
    assert.deepEqual(describeUnindexed([]), []);
    assert.deepEqual(describeUnindexed([unread('src/checker.ts')]), [
      '`src/checker.ts` was not read (too large): 9.0 MiB; files over 8 MiB are not indexed.',
      'The list cannot contain functions of files that were not read.',
    ]);
    const many = describeUnindexed(['a', 'b', 'c', 'd', 'e'].map(unread));
    assert.equal(many.length, 5);
    assert.equal(many[3], '2 more files that the issue mentions were not read.');
  });

  it('describes the history, unsupported files, and likely repositories', () => {
    assert.equal(describeHistory({ commits: 5000 }, false), 'history 5,000 commits');
    assert.equal(describeHistory({ commits: 0 }, true), 'no history');
    assert.equal(describeHistory({ commits: 0 }, false), 'history is still being read');
    assert.equal(describeUnsupportedFiles({ unread: [], files: 4 }), null);
    const unread = [{ kind: 'Elixir', files: 3 }];
    assert.equal(
      describeUnsupportedFiles({ unread, files: 237 }),
      '3 of 240 files not read: Elixir',
    );
    const kinds = ['configuration', 'style sheets', 'templates'].map((kind) => ({
      kind,
      files: 1,
    }));
    assert.equal(
      describeUnsupportedFiles({ unread: kinds, files: 1 }),
      '3 of 4 files not read: configuration, style sheets…',
    );
    assert.equal(describeLikely({}), null);
    const one = {
      root: '/',
      revision: null,
      files: 1,
      chunks: 1,
      confidence: null,
      partial: null,
      failure: null,
      results: 3,
    };
    const repositories = ['a', 'b', 'c', 'd'].map((name, at) => ({
      ...one,
      name,
      chance: [0.6, 0.25, 0.1, 0.05][at] ?? 0,
    }));
    assert.equal(
      describeLikely({ repositories }),
      'likely in a (60%), b (25%), c (10%) and 1 more',
    );
  });
});
