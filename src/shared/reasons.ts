/** Evidence in words, for a line in a terminal, a cell in a table, a comment in a review. */
import type { IssueSpan, RankedChunk, SearchResponse, SignalEvidence } from './types.ts';

/**
 * Why a chunk is where it is in a ranking: the strongest signals first, in words a person would use.
 * Identifiers stand between backquotes. At most `limit`; empty when nothing speaks for the chunk.
 */
export function reasons(result: RankedChunk, _response: SearchResponse, limit = 3): string[] {
  return Object.entries(result.evidence)
    .filter(([, { contribution }]) => contribution > 0)
    .sort(([, a], [, b]) => b.contribution - a.contribution)
    .slice(0, limit)
    .map(([signal, evidence]) => phrase(signal, evidence));
}

function phrase(signal: string, evidence: SignalEvidence): string {
  return evidence.detail ? `${signal}: ${evidence.detail}` : signal + quoted(evidence.spans);
}

const quoted = (spans: IssueSpan[] | undefined) => (spans?.length ? ` \`${spans[0]!.text}\`` : '');
