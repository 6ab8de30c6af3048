import { addressOf } from '../../../shared/address.ts';
import type { IssueSpan } from '../../../shared/evidence.ts';
import { grouped } from '../../../shared/grouped.ts';
import type { IssueReport, LinesNamed } from '../../../shared/search.ts';
import { type Issue, isBlank } from '../../issue/issue.ts';
import { MAX_HEAD, MAX_LINE, MAX_TAIL } from '../../issue/passages.ts';
import { searchedText } from '../../issue/sections.ts';
import { unreadKindOf } from '../../languages/unread.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { type FrameMention, type PathMention, resolveFrames, resolvePaths } from './locations.ts';
import { type NameMention, resolveNames } from './names.ts';
import { type ApiUse, resolveUses } from './script.ts';
import { rareWords } from './words.ts';

export interface ResolvedIssue
  extends Pick<Issue, 'length' | 'title' | 'passages' | 'sections' | 'blocks'> {
  names: NameMention[];
  paths: PathMention[];
  /** Paths of files in languages that are not read, in the repository or not. */
  unread: IssueReport['unread'];
  /** Frames of tracebacks, in the repository or not. */
  frames: FrameMention[];
  errors: IssueSpan[];
  quotes: IssueSpan[];
  uses: ApiUse[];
  searched: string;
  notes: string[];
}

/** Looks up what an issue mentions. Never throws, whatever the text. */
export function resolveIssue(issue: Issue, index: SearchIndex): ResolvedIssue {
  const { mentions, syntaxes, ...read } = issue;
  const resolved: ResolvedIssue = {
    ...read,
    names: resolveNames(issue, index),
    paths: resolvePaths(issue, index),
    unread: unreadPaths(issue),
    frames: resolveFrames(issue, index),
    errors: mentions.errors,
    quotes: mentions.quotes,
    uses: resolveUses(issue, index),
    searched: searchedText(read.sections, syntaxes),
    notes: [],
  };
  resolved.notes = notesOn(resolved);
  return resolved;
}

const MAX_UNREAD = 100;

function unreadPaths({ mentions }: Issue): IssueReport['unread'] {
  const found = mentions.paths.flatMap(({ kind: of, span }) => {
    const kind = of === 'file' ? unreadKindOf(span.text.replaceAll('\\', '/')) : null;
    return kind === null ? [] : [{ ...span, kind }];
  });
  return found.slice(0, MAX_UNREAD);
}

export function reportOf(issue: ResolvedIssue, index: SearchIndex): IssueReport {
  const { title, length, searched, blocks, notes } = issue;
  return {
    title,
    length,
    names: issue.names
      .flatMap(({ spans, definitions }) => spans.map((span) => ({ ...span, definitions })))
      .sort((a, b) => a.start - b.start || a.end - b.end),
    paths: issue.paths.map(({ span, files, lines }) => {
      return { ...span, files, ...(lines && { lines: namedIn(lines, index) }) };
    }),
    unread: issue.unread,
    frames: issue.frames.toSorted(byPlace).map(({ span, path, line, name, slot }) => {
      const chunk = index.chunkAt(slot);
      return { ...span, path, line, name, address: chunk ? addressOf(chunk) : null };
    }),
    rare: rareWords(`${title}\n${searched}`, index),
    blocks,
    notes,
  };
}

function namedIn(
  { first, last, slots }: NonNullable<PathMention['lines']>,
  index: SearchIndex,
): LinesNamed {
  return { first, last, addresses: slots.map((slot) => addressOf(index.chunk(slot))) };
}

const NAMES_NOTHING = 'The issue names no definition and no file of this repository.';

/** The report while a part of the repository is still unread: what the issue names may be in there. */
export function meanwhile(
  report: IssueReport,
  { read, of }: { read: number; of: number },
): IssueReport {
  const so = `The issue names no definition and no file of the ${grouped(read)} of ${grouped(of)} files that are read so far.`;
  return { ...report, notes: report.notes.map((note) => (note === NAMES_NOTHING ? so : note)) };
}

const byPlace = (a: FrameMention, b: FrameMention): number => a.span.start - b.span.start;

function notesOn(issue: ResolvedIssue): string[] {
  const { length, passages, names, paths, frames } = issue;
  const notes: string[] = [];
  if (isBlank(issue)) return ['The issue is empty.'];
  if (length > MAX_HEAD + MAX_TAIL) {
    notes.push(
      `The issue has ${grouped(length)} characters; the first ${grouped(MAX_HEAD)} and the last ${grouped(MAX_TAIL)} were read.`,
    );
  }
  const cut = passages.filter(({ isCut }) => isCut).length;
  if (cut > 0) {
    const lines = cut === 1 ? 'A line of the issue is' : `${grouped(cut)} lines of the issue are`;
    notes.push(
      `${lines} longer than ${grouped(MAX_LINE)} characters; the rest of ${cut === 1 ? 'it' : 'them'} was not read.`,
    );
  }
  if (passages.some(({ text }) => looksBinary(text))) {
    notes.push('Part of the issue looks like binary data, which says nothing about code.');
  }
  const outside = frames.filter(({ slot }) => slot < 0).length;
  if (frames.length > 0 && outside === frames.length) {
    notes.push('No frame of the traceback is in this repository.');
  }
  if (names.length + paths.length + frames.length === 0) {
    notes.push(NAMES_NOTHING);
  }
  return notes;
}

/** Whether more than one character in twenty is a control character or could not be decoded. */
function looksBinary(text: string): boolean {
  let odd = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 9 || (code > 13 && code < 32 && code !== 27) || code === 0xfffd || code === 127)
      odd++;
  }
  return odd * 20 > text.length;
}
