/**
 * What an issue says outright: names that are defined in the repository, paths of its files, frames of tracebacks.
 * Reads at most 200,000 characters with patterns that cannot backtrack far, so any paste takes bounded time.
 */
import { addressOf } from '../../shared/address.ts';
import type { IssueSpan } from '../../shared/evidence.ts';
import type { IssueReport } from '../../shared/search.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { type ErrorMention, findErrors } from './mentions/errors.ts';
import { type FrameMention, findFrames } from './mentions/frames.ts';
import { findNames, type NameMention } from './mentions/names.ts';
import { findPaths, type PathMention } from './mentions/paths.ts';
import { findQuotes } from './mentions/quotes.ts';
import { type ApiUse, findUses } from './mentions/script.ts';
import { type Section, sectionsOf } from './mentions/sections.ts';
import { MAX_HEAD, MAX_LINE, MAX_TAIL, type Passage, passagesOf } from './mentions/text.ts';

/** An issue as search uses it. */
export interface Issue {
  /** UTF-16 units of the text given. */
  length: number;
  title: string;
  /** What is read of the text. */
  passages: Passage[];
  /** The same, cut by what it is. */
  sections: Section[];
  names: NameMention[];
  paths: PathMention[];
  frames: FrameMention[];
  errors: ErrorMention[];
  quotes: IssueSpan[];
  uses: ApiUse[];
  notes: string[];
}

const MAX_TITLE = 300;

/** Reads an issue's text. Never throws, whatever the text. */
export function readIssue(text: string, index: SearchIndex): Issue {
  const passages = passagesOf(text);
  const sections = sectionsOf(passages);
  const issue: Issue = {
    length: text.length,
    title: titleOf(text),
    passages,
    sections,
    names: findNames(passages, index),
    paths: findPaths(passages, index),
    frames: findFrames(passages, index),
    errors: findErrors(passages),
    quotes: findQuotes(passages),
    uses: findUses(sections, index),
    notes: [],
  };
  issue.notes = notesOn(issue);
  return issue;
}

/** The issue as the answer to a search shows it. */
export function reportOf(issue: Issue, index: SearchIndex): IssueReport {
  const { title, length, notes } = issue;
  return {
    title,
    length,
    names: issue.names
      .flatMap(({ spans, definitions }) => spans.map((span) => ({ ...span, definitions })))
      .sort((a, b) => a.start - b.start || a.end - b.end),
    paths: issue.paths.map(({ span, files }) => ({ ...span, files })),
    frames: issue.frames.map(({ span, path, line, name, slot }) => {
      return {
        ...span,
        path,
        line,
        name,
        address: slot < 0 ? null : addressOf(index.chunks[slot]!),
      };
    }),
    notes,
  };
}

/** The first line with anything in it, without Markdown heading marks. */
export function titleOf(text: string): string {
  const line = /\S[^\n]{0,2000}/.exec(text)?.[0] ?? '';
  return line
    .replace(/^#{1,6}[ \t]+/, '')
    .trim()
    .slice(0, MAX_TITLE);
}

function notesOn(issue: Issue): string[] {
  const { length, passages, names, paths, frames } = issue;
  const notes: string[] = [];
  if (isBlank(issue)) return ['The issue is empty.'];
  if (length > MAX_HEAD + MAX_TAIL) {
    notes.push(
      `The issue has ${counted(length)} characters; the first ${counted(MAX_HEAD)} and the last ${counted(MAX_TAIL)} were read.`,
    );
  }
  const cut = passages.filter(({ isCut }) => isCut).length;
  if (cut > 0) {
    const lines = cut === 1 ? 'A line of the issue is' : `${counted(cut)} lines of the issue are`;
    notes.push(
      `${lines} longer than ${counted(MAX_LINE)} characters; the rest of ${cut === 1 ? 'it' : 'them'} was not read.`,
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
    notes.push('The issue names no definition and no file of this repository.');
  }
  return notes;
}

const counted = (number: number): string => number.toLocaleString('en');

/** Whether there is nothing but white space. */
export function isBlank({ passages }: Issue): boolean {
  return !passages.some(({ text }) => /\S/.test(text));
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
