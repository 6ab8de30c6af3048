/** Converts a ranking to the rows of the list: filtered, grouped, with marks. */
import { type ChunkAddress, MODULE_NAME, splitAddress } from '../../../shared/address.ts';
import type { CheckedChunk, CheckOutcome } from '../../../shared/check.ts';
import { sortByCheck } from '../../../shared/checked-order.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { MARK_TITLES, MARKS, type Mark, type MarkedChunk } from '../../../shared/marks.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import type { MarksByAddress } from '../search/index.ts';
import { sortLikeTree } from './folders.ts';

/** A chunk in the list. A marked chunk that is not in the ranking has neither rank nor evidence. */
export type ListedChunk = ChunkSummary &
  Partial<
    Pick<
      RankedChunk,
      'rank' | 'rankWithoutMarks' | 'score' | 'evidence' | 'repository' | 'package' | 'probability'
    >
  >;

export interface ResultChunkRow {
  type: 'chunk';
  key: string;
  chunk: ListedChunk;
  marked: MarkedChunk | undefined;
  checked: CheckedChunk | undefined;
  /** Position among the shown chunks, from 1. */
  position: number;
}
export interface ResultHeaderRow {
  type: 'header';
  key: string;
  title: string;
  /** Number of chunks below it. */
  count: number;
  /** Number of these that are collapsed. */
  hidden: number;
  /** File of the header; null for a section of marks. */
  path: string | null;
}
export type ResultListRow = ResultChunkRow | ResultHeaderRow;

export interface ResultRows {
  rows: readonly ResultListRow[];
  /** Rows that are chunks, in order. */
  chunks: readonly ResultChunkRow[];
}

export interface ResultRowsInput {
  results: readonly RankedChunk[];
  marks: MarksByAddress;
  /** Result of a check; null for none. */
  outcome: CheckOutcome | null;
  /** True if the list is in the checked order. */
  applied: boolean;
  text: string;
  view: 'ranked' | 'marked';
  grouped: boolean;
  collapsed: ReadonlySet<string>;
  /** True if the results are shown as a tree, and in its order. */
  tree: boolean;
}

export function buildRows(input: ResultRowsInput): ResultRows {
  const { marks, outcome, text, view, grouped, collapsed, tree } = input;
  const results = applyOrder(input);
  const checked = new Map(outcome?.chunks.map((chunk) => [chunk.address, chunk]));
  const matches = createMatcher(text);
  const groups =
    view === 'marked'
      ? groupByMark(results, marks, matches)
      : tree
        ? [{ header: null, chunks: sortLikeTree(results.filter(matches)) }]
        : grouped
          ? groupByFile(results.filter(matches), collapsed)
          : [{ header: null, chunks: results.filter(matches) }];
  const rows: ResultListRow[] = [];
  const chunks: ResultChunkRow[] = [];
  for (const group of groups) {
    if (group.header) rows.push(group.header);
    for (const chunk of group.chunks) {
      const { address } = chunk;
      const position = chunks.length + 1;
      const row = {
        type: 'chunk',
        key: address,
        chunk,
        marked: marks.get(address),
        checked: checked.get(address),
        position,
      } as const;
      rows.push(row);
      chunks.push(row);
    }
  }
  return { rows, chunks };
}

/** Applies the checked order, if chosen, and numbers the ranks in it. Marked results keep the ranks that the marks give them. */
function applyOrder({ results, marks, outcome, applied }: ResultRowsInput): readonly RankedChunk[] {
  if (!outcome || !applied) return results;
  const isMarked = ({ address, rankWithoutMarks }: RankedChunk) =>
    // Without this rank, the marks have not adjusted the list, or not yet.
    rankWithoutMarks !== undefined && marks.get(address)?.mark != null;
  return sortByCheck(results, outcome, isMarked).map((chunk, at) => {
    const rank = at + 1;
    // The check moved it, not the marks.
    return chunk.rank === rank ? chunk : { ...chunk, rank, rankWithoutMarks: undefined };
  });
}

interface RowGroup {
  header: ResultHeaderRow | null;
  chunks: readonly ListedChunk[];
}

/** Groups results by file, in the order of their best chunk. A collapsed file shows only that chunk. */
function groupByFile(results: readonly RankedChunk[], collapsed: ReadonlySet<string>): RowGroup[] {
  return [...Map.groupBy(results, ({ path }) => path)].map(([path, chunks]) => {
    const shown = collapsed.has(path) ? chunks.slice(0, 1) : chunks;
    const hidden = chunks.length - shown.length;
    const key = `file ${path}`;
    return {
      header: { type: 'header', key, title: path, count: chunks.length, hidden, path },
      chunks: shown,
    };
  });
}

const SECTIONS: [Mark | null, string][] = [
  ...MARKS.map((mark): [Mark, string] => [mark, MARK_TITLES[mark]]),
  [null, 'With a note only'],
];

function groupByMark(
  results: readonly RankedChunk[],
  marks: MarksByAddress,
  matches: (chunk: ChunkSummary) => boolean,
): RowGroup[] {
  const ranked = new Map(results.map((result) => [result.address, result]));
  const all = [...marks].map(([address, { mark, now }]) => ({
    mark,
    chunk: ranked.get(address) ?? now ?? createFromAddress(address),
  }));
  const last = Number.POSITIVE_INFINITY;
  const getRank = (chunk: ListedChunk) => chunk.rank ?? last;
  return SECTIONS.flatMap(([mark, title]) => {
    const chunks: ListedChunk[] = all
      .filter((marked) => marked.mark === mark && matches(marked.chunk))
      .map(({ chunk }) => chunk)
      .sort((a, b) => getRank(a) - getRank(b) || (a.address < b.address ? -1 : 1));
    if (chunks.length === 0) return [];
    const key = `section ${mark}`;
    const header = {
      type: 'header',
      key,
      title,
      count: chunks.length,
      hidden: 0,
      path: null,
    } as const;
    return [{ header, chunks }];
  });
}

/** Creates a summary of a chunk that is gone, from its address alone. */
function createFromAddress(address: ChunkAddress): ChunkSummary {
  const { path, name: qualifiedName } = splitAddress(address);
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  const kind = qualifiedName === MODULE_NAME ? 'module' : 'function';
  const unknown = { ordinal: 0, language: '', role: 'source', startLine: 0, endLine: 0 } as const;
  return { address, path, qualifiedName, name, kind, ...unknown };
}

function createMatcher(text: string): (chunk: ChunkSummary) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return ({ path, qualifiedName, kind }) => {
    const haystack = `${path} ${qualifiedName} ${kind}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  };
}
