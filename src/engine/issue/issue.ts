/**
 * An issue is read once: what its lines are, and what it may name. Nothing here knows a repository; what the mentions
 * stand for in one is said in `search`. At most 200,000 characters are read, with patterns that cannot backtrack far, so
 * any paste takes bounded time.
 */
import type { IssueSpan } from '../../shared/evidence.ts';
import { blank } from '../languages/blank.ts';
import { issueSyntaxes } from '../languages/index.ts';
import type { IssueSyntax, Script } from '../languages/issue-syntax.ts';
import { codeBlocks, codeRanges } from './code.ts';
import { type ReadLine, readLines } from './kinds.ts';
import { linesOf } from './lines.ts';
import { type Frame, findFrames } from './mentions/frames.ts';
import { findNames, type NameToken } from './mentions/names.ts';
import { findPaths, type PathToken } from './mentions/paths.ts';
import { findErrors, findQuotes } from './mentions/quotes.ts';
import { type Passage, passagesOf, withoutPrompts } from './passages.ts';
import { type Section, sectionsOf } from './sections.ts';
import { leadingComments } from './template.ts';
import { getIssueTitle } from './title.ts';

export interface Issue {
  /** UTF-16 units of the text given. */
  length: number;
  title: string;
  passages: Passage[];
  /** The same, cut by what it is: title, prose, code, tracebacks and noise. */
  sections: Section[];
  /** Code and output as a reader sees them, with the marks around them. */
  blocks: { start: number; end: number }[];
  mentions: Mentions;
  /** The languages whose looks were known to the reader. */
  syntaxes: readonly IssueSyntax[];
}

/** What may name something of a repository. */
interface Mentions {
  names: NameToken[];
  paths: PathToken[];
  /** Outermost first, as most languages print them. */
  frames: Frame[];
  /** Messages of exceptions and warnings. */
  errors: IssueSpan[];
  quotes: IssueSpan[];
  scripts: SectionScript[];
}

/** What one language reads in a section of code. */
export interface SectionScript extends Script {
  /** Where the section begins in the issue, in UTF-16 units. */
  start: number;
  syntax: IssueSyntax;
}

/** Reads an issue's text. Never throws, whatever the text. */
export function readIssue(text: string, syntaxes: readonly IssueSyntax[] = issueSyntaxes()): Issue {
  const passages = withoutPrompts(passagesOf(text));
  const lines = [...readLines(linesOf(passages, syntaxes), syntaxes, leadingComments(text))];
  const sections = sectionsOf(lines);
  const prose = sections.filter(({ kind }) => kind === 'title' || kind === 'prose');
  const code = sections.filter(({ kind }) => kind === 'code');
  const said = withoutComments(passages, lines);
  return {
    length: text.length,
    title: getIssueTitle(text),
    passages,
    sections,
    blocks: codeBlocks(lines),
    mentions: {
      names: [...findNames(said, codeRanges(said, lines), syntaxes)],
      paths: findPaths(
        said,
        syntaxes,
        prose.map(({ start, text }) => [start, start + text.length]),
      ),
      frames: findFrames(said, syntaxes),
      errors: findErrors(said, syntaxes),
      quotes: findQuotes(said),
      scripts: syntaxes.flatMap((syntax) =>
        code.map(({ start, text }) => ({ ...syntax.readScript(text), start, syntax })),
      ),
    },
    syntaxes,
  };
}

export function isBlank({ passages }: Pick<Issue, 'passages'>): boolean {
  return !passages.some(({ text }) => /\S/.test(text));
}

/** What a template's comments say is the maintainers', not the reporter's: spaces in their place. */
function withoutComments(passages: readonly Passage[], lines: readonly ReadLine[]): Passage[] {
  const comments = lines.filter(({ isComment }) => isComment);
  if (comments.length === 0) return [...passages];
  return passages.map((passage) => {
    const { offset, text } = passage;
    const parts: string[] = [];
    let from = 0;
    for (const { start, text: line } of comments) {
      const at = start - offset;
      if (at < from || at >= text.length) continue;
      const [comment = ''] = line.split('-->', 1);
      parts.push(text.slice(from, at), blank(comment));
      from = at + comment.length;
    }
    return { ...passage, text: [...parts, text.slice(from)].join('') };
  });
}

/** Cached readings of one text: a workspace of forty repositories has twenty lists of languages. */
const MAX_READINGS = 64;

let asked: { text: string; readings: Issue[] } = { text: '', readings: [] };

/** Reads an issue once for all repositories of the same languages. The result is shared: do not change it. */
export function readOnce(text: string, syntaxes: readonly IssueSyntax[]): Issue {
  if (asked.text !== text) asked = { text, readings: [] };
  const { readings } = asked;
  const before = readings.find((issue) => isSame(issue.syntaxes, syntaxes));
  if (before) return before;
  const read = readIssue(text, syntaxes);
  if (readings.length === MAX_READINGS) readings.shift();
  readings.push(read);
  return read;
}

const isSame = (a: readonly IssueSyntax[], b: readonly IssueSyntax[]): boolean =>
  a.length === b.length && a.every((syntax, i) => syntax === b[i]);
