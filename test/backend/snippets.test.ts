import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findWordRanges, makeSnippets } from '../../src/backend/snippets.ts';
import type { FileDetail, OutlinedChunk } from '../../src/shared/detail.ts';
import { LocusError } from '../../src/shared/errors.ts';

const TEXT = `class Retry:
    """Waits."""

    def delay(self, attempt):
        # delays grow
        wait = self.backoff * 2
        return min(wait, self.max_delay)
`;

const chunk = (
  qualifiedName: string,
  kind: OutlinedChunk['kind'],
  [startLine, endLine]: [number, number],
): OutlinedChunk => ({
  address: `retry.py::${qualifiedName}`,
  path: 'retry.py',
  qualifiedName,
  ordinal: 0,
  name: qualifiedName,
  kind,
  language: 'python',
  role: 'source',
  startLine,
  endLine,
  headerLine: startLine,
});

const FILE: FileDetail = {
  path: 'retry.py',
  text: TEXT,
  language: 'python',
  role: 'source',
  chunks: [chunk('Retry', 'class', [1, 7]), chunk('Retry.delay', 'method', [4, 7])],
};

const repository = {
  async file({ path }: { path: string }) {
    if (path === FILE.path) return FILE;
    throw new LocusError('not-found', `no ${path}`, 'none');
  },
};

async function snippetOf(address: string, ...words: [string, number][]) {
  const wanted = words.map(([word, score]) => ({ word, score }));
  const [found] = await makeSnippets(repository, [{ chunk: address, words: wanted }]);
  return found;
}

const marked = (lines: Awaited<ReturnType<typeof snippetOf>>) =>
  lines?.map(({ text, matches }) => matches.map(([start, end]) => text.slice(start, end)));

describe('places of words', () => {
  const found = async (text: string, words: string[], path: string | null = null) =>
    (await findWordRanges(text, words, path)).map(([start, end]) => text.slice(start, end));

  it('are where search reads them: parts of identifiers, in any case, and no parts of words', async () => {
    assert.deepEqual(await found('MaxDelay, max_delay, delayed: delay', ['delay']), [
      'Delay',
      'delay',
      'delay',
    ]);
    assert.deepEqual(await found('max_delay and maxDelay', ['max_delay']), ['max_delay']);
  });

  it('do not overlap', async () => {
    assert.deepEqual(await found('max_delay', ['delay', 'max_delay']), ['max_delay']);
  });

  it('have the rules of the language that the text is of', async () => {
    assert.deepEqual(await found('isIPv6', ['ipv'], 'a.java'), ['IPv']);
    assert.deepEqual(await found('isIPv6', ['ipv'], 'a.py'), []);
  });
});

describe('a snippet', () => {
  it('is the line whose words weigh most and the one after it, without what they are indented', async () => {
    const lines = await snippetOf('retry.py::Retry.delay', ['wait', 1], ['backoff', 3]);
    assert.deepEqual(
      lines?.map(({ line, text }) => [line, text]),
      [
        [6, 'wait = self.backoff * 2'],
        [7, 'return min(wait, self.max_delay)'],
      ],
    );
    assert.deepEqual(marked(lines), [['wait', 'backoff'], ['wait']]);
  });

  it('is the header only where no other line has a word', async () => {
    const second = await snippetOf('retry.py::Retry.delay', ['delay', 1]);
    assert.equal(second?.[0]?.line, 7);
    const header = await snippetOf('retry.py::Retry.delay', ['attempt', 1]);
    assert.deepEqual([header?.[0]?.line, marked(header)?.[0]], [4, ['attempt']]);
  });

  it('of a class has no line of its methods', async () => {
    const lines = await snippetOf('retry.py::Retry', ['backoff', 3], ['waits', 1]);
    assert.deepEqual(
      lines?.map(({ line }) => line),
      [2, 3],
    );
  });

  it('is null of what is gone', async () => {
    assert.equal(await snippetOf('retry.py::other', ['wait', 1]), null);
    assert.equal(await snippetOf('gone.py::other', ['wait', 1]), null);
  });
});
