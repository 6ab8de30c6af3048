/** Names, paths and frames that the engine recognized in the issue, and what they point to. */
import { addressOf, type ChunkAddress, MODULE_NAME } from '../../../shared/address.ts';
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueReport, LinesNamed, RankedChunk } from '../../../shared/search.ts';

export type MentionKind = 'name' | 'path' | 'frame';

export type Mention = { span: IssueSpan } & (
  | { kind: 'name'; definitions: number }
  | { kind: 'path'; files: string[]; lines?: LinesNamed }
  | { kind: 'frame'; path: string; line: number; address: ChunkAddress | null }
);

/** A chunk or a file that a mention points to. */
export interface Target {
  address: ChunkAddress;
  /** In the list of this search, if it is there. */
  rank: number | null;
}

/** All mentions of an issue from its start to its end. */
export function mentionsOf({ names, paths, frames }: IssueReport): Mention[] {
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
 * The mentions that stand in the text as they stood in the issue that the report is of. It may have been edited since:
 * an answer to the newer text follows soon.
 */
export const standing = (mentions: readonly Mention[], text: string): Mention[] =>
  mentions.filter(({ span }) => text.startsWith(span.text, span.start));

/** Sorts mentions around one position: the innermost first, and of equal ones, paths and frames before names. */
export const innermostFirst = (mentions: readonly Mention[]): Mention[] =>
  mentions.toSorted(
    (a, b) => length(a) - length(b) || Number(a.kind === 'name') - Number(b.kind === 'name'),
  );

const length = ({ span }: Mention) => span.end - span.start;

/** Returns the targets of a mention that the ranking knows, best first; for a name, chunks that it is evidence for. */
export function addressesOf(mention: Mention, results: readonly RankedChunk[]): ChunkAddress[] {
  if (mention.kind === 'path') {
    if (mention.lines) return mention.lines.addresses;
    return mention.files.map((path) => addressOf({ path, qualifiedName: MODULE_NAME, ordinal: 0 }));
  }
  if (mention.kind === 'frame') return mention.address ? [mention.address] : [];
  const { start, end } = mention.span;
  return results
    .filter(({ evidence }) =>
      evidence.name?.spans?.some((span) => span.start === start && span.end === end),
    )
    .map(({ address }) => address);
}

/** Part of the editor's text model that is used here. */
interface PlacedText {
  getValueLength(): number;
  getPositionAt(offset: number): { lineNumber: number };
}

/**
 * The first and the last line (from 1) of each block of code or output; null where the report is of another text than
 * this, as far as its length tells.
 */
export function blockLines(
  report: IssueReport | null,
  text: PlacedText,
): [first: number, last: number][] | null {
  if (!report) return [];
  if (report.length !== text.getValueLength()) return null;
  return report.blocks.map(({ start, end }) => [
    text.getPositionAt(start).lineNumber,
    text.getPositionAt(end).lineNumber,
  ]);
}
