import { formatAddress } from '../../../shared/address.ts';
import type { IssueSpan } from '../../../shared/evidence.ts';
import { formatCount } from '../../../shared/format-count.ts';
import type { IssueReport, LinesNamed } from '../../../shared/search.ts';
import { type Issue, isBlank } from '../../issue/issue.ts';
import { MAX_LINE } from '../../issue/passages.ts';
import { getSearchedText } from '../../issue/sections.ts';
import { MAX_HEAD, MAX_TAIL } from '../../issue/word-lines.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { describeMissingFiles, describeMissingLines, isMissingFileNote } from './doubtful-paths.ts';
import { type EntryPointMention, resolveEntryPoints } from './entry-points.ts';
import {
  type FrameMention,
  type PathMention,
  resolveFrames,
  resolvePaths,
  resolveSectionPaths,
} from './locations.ts';
import { MISSING_MARKS } from './marks.ts';
import { type NameMention, resolveNames } from './names.ts';
import { type NamedCommits, resolveNamedCommits } from './past-commits.ts';
import { type ApiUse, resolveUses } from './script.ts';
import { findRareWords } from './words.ts';

export interface ResolvedIssue extends Omit<Issue, 'mentions' | 'syntaxes'> {
  names: NameMention[];
  paths: PathMention[];
  /** Mentions of files with sections instead of code. */
  sectionPaths: PathMention[];
  /** Frames of tracebacks, in the repository or not. */
  frames: FrameMention[];
  errors: IssueSpan[];
  quotes: IssueSpan[];
  uses: ApiUse[];
  /** Past commits that the issue names. */
  commits: NamedCommits[];
  entryPoints: EntryPointMention[];
  searched: string;
  notes: string[];
}

/** Resolves everything that an issue mentions. Never throws, whatever the text. */
export function resolveIssue(issue: Issue, index: SearchIndex): ResolvedIssue {
  const { mentions, syntaxes, ...read } = issue;
  const resolved: ResolvedIssue = {
    ...read,
    names: resolveNames(issue, index),
    paths: resolvePaths(issue, index),
    sectionPaths: resolveSectionPaths(issue, index),
    frames: resolveFrames(issue, index),
    errors: mentions.errors,
    quotes: mentions.quotes,
    uses: resolveUses(issue, index),
    commits: resolveNamedCommits(issue, index),
    entryPoints: resolveEntryPoints(mentions.entryPoints, index),
    searched: getSearchedText(read.sections, syntaxes),
    notes: [],
  };
  resolved.notes = writeNotes(
    resolved,
    describeMissingFiles(issue, resolved.paths, index.getPaths()),
  );
  return resolved;
}

export function buildIssueReport(issue: ResolvedIssue, index: SearchIndex): IssueReport {
  const { title, length, searched, blocks, notes } = issue;
  return {
    // An issue without words has a list only if it links to a file.
    title: title || (issue.paths[0]?.span.text ?? ''),
    length,
    names: issue.names
      .flatMap(({ spans, definitions }) => spans.map((span) => ({ ...span, definitions })))
      .sort((a, b) => a.start - b.start || a.end - b.end),
    paths: [...issue.paths, ...issue.sectionPaths]
      .sort((a, b) => a.span.start - b.span.start)
      .map(({ span, files, lines }) => {
        return { ...span, files, ...(lines && { lines: reportLines(lines, index) }) };
      }),
    unindexed: [],
    frames: issue.frames.toSorted(compareByStart).map(({ span, path, line, name, slot }) => {
      const chunk = index.getChunkOrNull(slot);
      return { ...span, path, line, name, address: chunk ? formatAddress(chunk) : null };
    }),
    rare: findRareWords(`${title}\n${searched}`, index),
    blocks,
    notes,
  };
}

function reportLines(
  { first, last, slots }: NonNullable<PathMention['lines']>,
  index: SearchIndex,
): LinesNamed {
  return { first, last, addresses: slots.map((slot) => formatAddress(index.getChunk(slot))) };
}

/** Note about an index without functions. */
export const NO_CODE = 'There is no code here in a language that Locus reads.';
export const NO_FRAME = 'No frame of the traceback is in this repository.';
export const NO_NAMES = 'No function or file names recognized.';

/** Returns the report while indexing is under way: the issue may mention files that are not indexed yet. */
export function limitReportToIndexed(
  report: IssueReport,
  { read, of }: { read: number; of: number },
): IssueReport {
  const partly = `No function or file names recognized in the ${formatCount(read)} of ${formatCount(of)} files indexed so far.`;
  const notes = report.notes
    .filter(
      (note) => note !== NO_FRAME && !note.includes(MISSING_MARKS) && !isMissingFileNote(note),
    )
    .map((note) => (note === NO_NAMES || note === NO_CODE ? partly : note));
  return { ...report, notes };
}

const compareByStart = (a: FrameMention, b: FrameMention): number => a.span.start - b.span.start;

function writeNotes(issue: ResolvedIssue, missingFiles: readonly string[]): string[] {
  const { length, passages, longLines, names, paths, frames, sectionPaths } = issue;
  const notes: string[] = [];
  const resolved = [names, paths, sectionPaths, frames, issue.entryPoints, issue.commits];
  const hasMentions = resolved.some((some) => some.length > 0);
  if (issue.wordless && !hasMentions)
    return [`The issue has only a ${issue.wordless}. Describe the problem in words.`];
  if (!issue.wordless && isBlank(issue)) return ['The issue is empty.'];
  if (issue.isLimited) {
    notes.push(
      `The issue has ${formatCount(length)} characters. All of it was searched for names, paths and tracebacks, but only the first ${formatCount(MAX_HEAD)} and the last ${formatCount(MAX_TAIL)} characters for other words, without repeated lines.`,
    );
  }
  if (longLines > 0) {
    const lines =
      longLines === 1
        ? 'A line of the issue is'
        : `${formatCount(longLines)} lines of the issue are`;
    notes.push(
      `${lines} longer than ${formatCount(MAX_LINE)} characters. The rest was searched only for names, paths and tracebacks.`,
    );
  }
  if (passages.some(({ text }) => looksBinary(text))) {
    notes.push('Part of the issue looks like binary data, which does not help the search.');
  }
  notes.push(...missingFiles, ...describeMissingLines(paths));
  const outside = frames.filter(({ slot }) => slot < 0).length;
  if (frames.length > 0 && outside === frames.length) {
    notes.push(NO_FRAME);
  }
  if (!hasMentions) {
    notes.push(NO_NAMES);
  }
  return notes;
}

/** Returns true if more than one character in twenty is a control character or could not be decoded. */
function looksBinary(text: string): boolean {
  let odd = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 9 || (code > 13 && code < 32 && code !== 27) || code === 0xfffd || code === 127)
      odd++;
  }
  return odd * 20 > text.length;
}
