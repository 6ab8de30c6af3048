/** Mentions: names, paths and frames that the engine recognized in the issue, with their targets. */
import { type ChunkAddress, formatAddress, MODULE_NAME } from '../../../shared/address.ts';
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueReport, LinesNamed, RankedChunk } from '../../../shared/search.ts';

export type MentionKind = 'name' | 'path' | 'frame';

export type Mention = { span: IssueSpan } & (
  | { kind: 'name'; definitions: number }
  | { kind: 'path'; files: string[]; lines?: LinesNamed }
  | { kind: 'frame'; path: string; line: number; address: ChunkAddress | null }
);

/** A chunk or file that a mention refers to. */
export interface MentionTarget {
  address: ChunkAddress;
  /** Rank in the current list; null if it isn't in the list. */
  rank: number | null;
}

/** Returns all mentions in an issue, in order; of two with the same start, the longer first. */
export function listMentions({ names, paths, frames }: IssueReport): Mention[] {
  const mentions: Mention[] = [
    ...names.map(({ definitions, ...span }) => ({ kind: 'name' as const, span, definitions })),
    ...paths.map(({ start, end, text, files, lines }) => {
      return { kind: 'path' as const, span: { start, end, text }, files, lines };
    }),
    ...frames.map(({ start, end, text, path, line, address }) => {
      return { kind: 'frame' as const, span: { start, end, text }, path, line, address };
    }),
  ];
  return mentions.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

/**
 * Returns the mentions whose text is unchanged. The issue may have been edited since the search; the response to the
 * new text follows soon.
 */
export const filterUnchanged = (mentions: readonly Mention[], text: string): Mention[] =>
  mentions.filter(({ span }) => text.startsWith(span.text, span.start));

/** Sorts mentions at one position by length, the shortest first. Of equal length, paths and frames precede names. */
export const sortInnermostFirst = (mentions: readonly Mention[]): Mention[] =>
  mentions.toSorted(
    (a, b) => getLength(a) - getLength(b) || Number(a.kind === 'name') - Number(b.kind === 'name'),
  );

const getLength = ({ span }: Mention) => span.end - span.start;

/** Returns the targets of a mention. For a name, these are the results that have it as evidence, best first. */
export function findAddresses(mention: Mention, results: readonly RankedChunk[]): ChunkAddress[] {
  if (mention.kind === 'path') {
    if (mention.lines) return mention.lines.addresses;
    return mention.files.map((path) =>
      formatAddress({ path, qualifiedName: MODULE_NAME, ordinal: 0 }),
    );
  }
  if (mention.kind === 'frame') return mention.address ? [mention.address] : [];
  const { start, end } = mention.span;
  return results
    .filter(({ evidence }) =>
      evidence.name?.spans?.some((span) => span.start === start && span.end === end),
    )
    .map(({ address }) => address);
}

/** The part of the editor's text model that is used here. */
interface TextModel {
  getValueLength(): number;
  getPositionAt(offset: number): { lineNumber: number };
}

/**
 * Returns the first and last line (1-based) of each block of code or output. Returns null if the text was edited since
 * the report, judging by its length.
 */
export function findBlockLines(
  report: IssueReport | null,
  text: TextModel,
): [first: number, last: number][] | null {
  if (!report) return [];
  if (report.length !== text.getValueLength()) return null;
  return report.blocks.map(({ start, end }) => [
    text.getPositionAt(start).lineNumber,
    text.getPositionAt(end).lineNumber,
  ]);
}
