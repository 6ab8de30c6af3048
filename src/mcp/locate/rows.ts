/** Builds the rows of an answer: each result with its reasons, what surrounds it and the lines that matter, within a budget. */

import { chooseLines, weighLines } from '../../services/check/excerpt.ts';
import type { CheckedChunk } from '../../shared/check.ts';
import { type Evidence, MAX_ROW_REASONS, pickReasons } from '../../shared/evidence.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import type { SearchResponse } from '../../shared/search.ts';
import {
  CHARACTERS_PER_TOKEN,
  type ChunkLocation,
  cutSentence,
  formatLocation,
} from '../answer.ts';
import { measureLine, type NumberedLine, toNumberedLine } from '../numbered-lines.ts';
import { orderAround, orderTelling } from './line-order.ts';
import { findRelations, type Relation } from './relations.ts';
import { ResultSources } from './sources.ts';
import { type FoldedResult, foldTwins } from './twins.ts';

export interface LocatedRow extends ChunkLocation {
  rank: number;
  /** Reasons that the code does not show, such as the frame of a traceback; empty for none. */
  reason: string;
  /** Package of a monorepo. */
  package?: string;
  /** Verdict of the language model that checked the list. */
  check?: { edit: boolean; reason: string };
  /** Look-alikes that were found, too: `path::name`. */
  twins: string[];
  relations: Relation[];
  lines: NumberedLine[];
  /** Number of its own lines that are not shown. */
  omittedLines: number;
}

/** Number of first results with their relations and more code. */
const DETAILED = 5;
/** Shares of the budget for code, by rank; the others have the last. */
const SHARES = [4, 3, 3, 2, 2, 0.4];
/** Maximum part of the budget for everything but code. Rows that do not fit are left out. */
const MAX_HEADS = 0.7;
/** Maximum number of characters of a gap that is filled. */
const MAX_SHORT_GAP = 12;
/** Maximum length of reasons, in UTF-16 units. */
const MAX_REASON = 160;

interface RowsOptions {
  /** Maximum number of rows. */
  limit: number;
  /** Estimated size of all rows. */
  tokens: number;
  checked: readonly CheckedChunk[];
  /** Returns the number of characters of a row without its code. */
  measureHead: (row: LocatedRow) => number;
}

/**
 * Returns the rows that fit, and the number of others within the limit.
 * @param ranking results from rank 1, and the frames of the issue
 */
export async function buildRows(
  repository: Repository,
  { results, issue: { frames } }: Pick<SearchResponse, 'results' | 'issue'>,
  options: RowsOptions,
): Promise<{ rows: LocatedRow[]; omitted: number }> {
  const folded = await foldTwins(results, new ResultSources(repository));
  const listed = folded.slice(0, options.limit);
  const { rows, left } = await describeRows(repository, listed, options);
  const mentioned = Map.groupBy(frames, ({ address }) => address);
  let characters = left;
  let shares = rows.reduce((sum, _, at) => sum + getShare(at), 0);
  for (const [at, row] of rows.entries()) {
    const one = listed[at];
    const most = (characters * getShare(at)) / shares;
    shares -= getShare(at);
    const named = mentioned.get(one?.chunk.address ?? null)?.map(({ line }) => line);
    if (one) characters -= await addLines(row, one, named, most);
  }
  return { rows, omitted: listed.length - rows.length };
}

/** Describes the results that fit without their code. Returns the characters that are left for the code, too. */
async function describeRows(
  repository: Repository,
  listed: readonly FoldedResult[],
  { tokens, checked, measureHead }: RowsOptions,
): Promise<{ rows: LocatedRow[]; left: number }> {
  const ranks = new Map(listed.map(({ chunk }, at) => [chunk.address, at + 1]));
  const rows: LocatedRow[] = [];
  let left = tokens * CHARACTERS_PER_TOKEN;
  const leastForCode = left * (1 - MAX_HEADS);
  for (const [at, one] of listed.entries()) {
    const row = describeRow(one, at + 1, checked);
    if (at < DETAILED)
      row.relations = await findRelations(repository, one.chunk, (address) => ranks.get(address));
    const size = measureHead(row);
    if (at > 0 && left - size < leastForCode) break;
    left -= size;
    rows.push(row);
  }
  return { rows, left };
}

const getShare = (at: number): number => SHARES[Math.min(at, SHARES.length - 1)] ?? 0;

function describeRow(
  { chunk, twins }: FoldedResult,
  rank: number,
  checked: readonly CheckedChunk[],
): LocatedRow {
  const verdict = checked.find(({ address }) => address === chunk.address);
  return {
    ...formatLocation(chunk),
    rank,
    reason: writeReason(chunk.evidence),
    ...(chunk.package !== undefined && { package: escapeHidden(chunk.package) }),
    ...(verdict && { check: { edit: verdict.isEdit, reason: escapeHidden(verdict.reason) } }),
    twins: twins.map(({ address }) => escapeHidden(address)),
    relations: [],
    lines: [],
    omittedLines: 0,
  };
}

/** Writes the reasons that point to a place in the issue. Shared words are left out, since the code shows them. */
function writeReason(evidence: Evidence): string {
  const decisive = Object.entries(evidence).filter(
    ([, { spans = [], family, contribution }]) =>
      contribution > 0 && family !== 'words' && spans.length > 0,
  );
  if (!decisive.some(([, { sentence }]) => sentence !== null)) return '';
  const reasons = pickReasons(Object.fromEntries(decisive), MAX_ROW_REASONS);
  return cutSentence(reasons.map(({ sentence }) => escapeHidden(sentence)).join('; '), MAX_REASON);
}

/** Adds the most important lines that fit into `most` characters. Returns the characters that they take. */
async function addLines(
  row: LocatedRow,
  { chunk, source }: FoldedResult,
  mentioned: readonly number[] | undefined,
  most: number,
): Promise<number> {
  if (!source) return 0;
  const { evidence } = chunk;
  const weighed = await weighLines(source.file, source.chunk, { evidence, mentioned });
  const order = row.rank <= DETAILED ? orderAround(weighed) : orderTelling(weighed);
  const lines = weighed.lines.map(toNumberedLine);
  const sizes = lines.map(measureLine);
  const chosen = fillShortGaps(
    chooseLines(order, (at) => sizes[at] ?? 0, most),
    sizes,
  );
  row.lines = chosen.flatMap((at) => lines[at] ?? []);
  row.omittedLines = lines.filter(({ text }, at) => text !== '' && !chosen.includes(at)).length;
  return chosen.reduce((sum, at) => sum + (sizes[at] ?? 0), 0);
}

/** Adds omitted lines between chosen ones if they take little more room than the mark of a gap. */
function fillShortGaps(chosen: readonly number[], sizes: readonly number[]): number[] {
  return chosen.flatMap((at, i) => {
    const before = chosen[i - 1] ?? at - 1;
    const gap = Array.from({ length: at - before - 1 }, (_, k) => before + 1 + k);
    const size = gap.reduce((sum, one) => sum + (sizes[one] ?? 0), 0);
    return size <= MAX_SHORT_GAP ? [...gap, at] : [at];
  });
}
