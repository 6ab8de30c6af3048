import { createHash } from 'node:crypto';
import { getIssueTitle } from '../../src/engine/issue/title.ts';
import type { ExportInput } from '../../src/services/exchange/export-input.ts';
import type { HashedChunk } from '../../src/shared/chunk.ts';
import type { ChunkKind } from '../../src/shared/chunk-kind.ts';
import type { Family, SignalEvidence } from '../../src/shared/evidence.ts';
import type { RankedChunk, Reranking, SearchResponse } from '../../src/shared/search.ts';

export const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

/** Returns a chunk at `path::name` whose content is `text`. */
export function chunk(
  path: string,
  qualifiedName: string,
  text: string,
  at: { line?: number; ordinal?: number; kind?: ChunkKind } = {},
): HashedChunk {
  const { line = 1, ordinal = 0, kind = qualifiedName.includes('.') ? 'method' : 'function' } = at;
  return {
    address: `${path}::${qualifiedName}${ordinal ? `#${ordinal + 1}` : ''}`,
    path,
    qualifiedName,
    ordinal,
    name: qualifiedName.split('.').at(-1)!,
    kind,
    language: 'python',
    role: 'source',
    startLine: line,
    endLine: line + 3,
    contentHash: sha1(text),
  };
}

export const ISSUE = '# Quoted cookies are cut\n\n`parse_cookie` stops at a comma inside quotes.\n';

/** Returns evidence of a signal, with a reason only if given one. */
export function evidence(
  family: Family,
  title: string,
  said: Partial<SignalEvidence> & Pick<SignalEvidence, 'value' | 'contribution'>,
): SignalEvidence {
  return { family, title, measured: String(said.value), sentence: null, ...said };
}

/** Reranking of an initial ranking, as without a reranker model. */
export const NOT_REFINED: Reranking = {
  state: 'missing',
  count: 0,
  of: 2,
  milliseconds: 0,
  models: [],
  note: null,
};

/** Ranks chunks in the given order. */
export function searchResponse(chunks: HashedChunk[]): SearchResponse {
  const results: RankedChunk[] = chunks.map(({ contentHash: _, ...summary }, i) => ({
    ...summary,
    rank: i + 1,
    score: 2.5 - 1.5 * i,
    evidence: {
      dense: evidence('meaning', 'Similar in meaning', {
        value: 0.61 - i / 10,
        contribution: 1.2 - i,
        sentence: `similar in meaning (${(0.61 - i / 10).toFixed(2)})`,
      }),
      name: evidence('names', 'Its name is mentioned', {
        value: i === 0 ? 1 : 0,
        contribution: i === 0 ? 1.1 : -0.1,
        ...(i === 0 && {
          sentence: 'the issue mentions `parse_cookie`',
          spans: [{ start: 27, end: 39, text: 'parse_cookie' }],
        }),
      }),
    },
  }));
  return {
    repository: {
      root: '/home/ann/secret/shop',
      name: 'shop',
      revision: null,
      files: 9,
      chunks: 40,
    },
    issue: {
      title: 'Quoted cookies are cut',
      length: ISSUE.length,
      names: [{ start: 27, end: 39, text: 'parse_cookie', definitions: 1 }],
      paths: [],
      frames: [],
      unindexed: [],
      rare: [],
      blocks: [],
      notes: [],
    },
    model: { id: 'bag-1', version: '0.1.0', device: 'cpu', ranker: 'ranker-1' },
    partial: null,
    considered: 40,
    confidence: null,
    reranking: NOT_REFINED,
    tookMs: 4,
    results,
  };
}

/** Returns an export of these chunks. */
export function exportInput(chunks: HashedChunk[], more: Partial<ExportInput> = {}): ExportInput {
  const { issue = ISSUE } = more;
  const response = searchResponse(chunks);
  response.issue.title = getIssueTitle(issue);
  return {
    response,
    issue,
    contentHashes: new Map(chunks.map(({ address, contentHash }) => [address, contentHash])),
    commit: '0123456789abcdef0123456789abcdef01234567',
    ...more,
  };
}

export const COOKIES = [
  chunk('shop/http/cookies.py', 'parse_cookie', 'def parse_cookie(header): ...', { line: 42 }),
  chunk('shop/http/request.py', 'Request.cookies', 'class Request:\n  def cookies', { line: 10 }),
];
