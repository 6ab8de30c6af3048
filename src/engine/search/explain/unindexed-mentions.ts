/** Finds out which files an issue mentions that no list can contain, because they were not indexed. */
import type { SkippedFile } from '../../../shared/indexing.ts';
import type { IssueReport } from '../../../shared/search.ts';
import { describeUnindexed } from '../../../shared/unsupported.ts';
import type { Issue } from '../../issue/issue.ts';
import { isUnsupportedCode } from '../../languages/unsupported.ts';
import { describeMissingFile } from '../gather/doubtful-paths.ts';
import { NO_FRAME, NO_NAMES } from '../gather/issue.ts';

/** A mention of a file in an issue: in prose, or as the frame of a traceback. */
export interface FileMention {
  start: number;
  end: number;
  text: string;
  /** Parts of the path as written, which may begin with folders of another machine. */
  segments: readonly string[];
}

const MAX_MENTIONS = 40;

/** Returns the mentions of files that are not in the index, each text once. */
export function listUnresolved({ mentions }: Issue, report: IssueReport): FileMention[] {
  const resolved = new Set(report.paths.map(({ start }) => start));
  const paths = mentions.paths
    .filter(({ kind, span }) => kind === 'file' && !resolved.has(span.start))
    .map(({ span, segments }) => ({ ...span, segments }));
  const outside = new Map(report.frames.map(({ start, address }) => [start, address === null]));
  const frames = mentions.frames
    .filter(({ span }) => outside.get(span.start))
    .map(({ span, path, segments }) => ({ ...span, text: path, segments }));
  const distinct = new Map([...frames, ...paths].map((mention) => [mention.text, mention]));
  return [...distinct.values()]
    .map(({ segments, ...span }) => ({ ...span, segments: segments.filter(isPlain) }))
    .filter(({ segments }) => segments.length > 0)
    .slice(0, MAX_MENTIONS);
}

const isPlain = (segment: string): boolean => !['', '.', '..'].includes(segment);

/** Maximum number of leading folders of another machine that are left out to find a path in this repository. */
const MAX_LEFT_OUT = 8;

/** Returns the paths that a mention may mean in this repository: as written, and without its first folders. */
export function listPathEnds(mentions: readonly FileMention[]): (readonly string[])[] {
  return mentions.flatMap(({ segments }) =>
    Array.from({ length: Math.min(segments.length, MAX_LEFT_OUT) }, (_, i) => segments.slice(i)),
  );
}

/** Returns the files that mentions name, and that were skipped, each with its first mention. */
export function matchSkipped(
  mentions: readonly FileMention[],
  skipped: readonly SkippedFile[],
): IssueReport['unindexed'] {
  const files = new Map<string, IssueReport['unindexed'][number]>();
  for (const { segments, ...span } of mentions) {
    const written = `/${segments.join('/')}`;
    for (const file of skipped) {
      const path = `/${file.path}`;
      if (isMeant(written, path, file.reason) && !files.has(file.path))
        files.set(file.path, { ...span, ...file });
    }
  }
  return [...files.values()];
}

/** Returns true if a path as written means a skipped file, or a file below a skipped folder. */
function isMeant(written: string, path: string, reason: SkippedFile['reason']): boolean {
  if (path.endsWith('/') || reason === 'submodule')
    return written.includes(`${path.replace(/\/$/, '')}/`);
  return path.endsWith(written) || written.endsWith(path);
}

/** Returns true if the fix may be in one of these files, so that nobody knows how likely it is in the list. */
export const mayHideFix = (unindexed: IssueReport['unindexed']): boolean =>
  unindexed.some(({ path, reason }) => reason !== 'unsupported' || isUnsupportedCode(path));

/** Returns a report with the files that were not read, and with notes that say so. Notes that they contradict are left out. */
export function reportUnindexed(
  report: IssueReport,
  unindexed: IssueReport['unindexed'],
): IssueReport {
  if (unindexed.length === 0) return report;
  const contradicted = [
    NO_NAMES,
    NO_FRAME,
    ...unindexed.map(({ text }) => describeMissingFile(text)),
  ];
  const notes = report.notes.filter((note) => !contradicted.includes(note));
  return { ...report, unindexed, notes: [...describeUnindexed(unindexed), ...notes] };
}
