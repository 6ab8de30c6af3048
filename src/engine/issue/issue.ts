/**
 * Reads an issue: classifies its lines and finds what it may mention. Nothing here depends on a repository; `search`
 * resolves the mentions in one. At most 200,000 characters are read, with patterns that cannot backtrack far, so reading
 * takes bounded time for any text.
 */
import type { IssueSpan } from '../../shared/evidence.ts';
import { blankOut } from '../languages/blank.ts';
import { getIssueSyntaxes } from '../languages/index.ts';
import type { IssueScript, IssueSyntax } from '../languages/issue-syntax.ts';
import { findCodeBlocks, findCodeRanges } from './code.ts';
import { type ClassifiedLine, classifyLines } from './line-kinds.ts';
import { markLines } from './lines.ts';
import { findFrames, type IssueFrame } from './mentions/frames.ts';
import { findNames, type NameToken } from './mentions/names.ts';
import { findPaths, type PathToken } from './mentions/paths.ts';
import { findErrors, findQuotes } from './mentions/quotes.ts';
import { blankPrompts, type Passage, selectPassages } from './passages.ts';
import { groupSections, type IssueSection } from './sections.ts';
import { getLeadingCommentsEnd } from './template.ts';
import { getIssueTitle } from './title.ts';

export interface Issue {
  /** Length of the whole text in UTF-16 units. */
  length: number;
  title: string;
  passages: Passage[];
  /** The same text, split into title, prose, code, tracebacks and noise. */
  sections: IssueSection[];
  /** Blocks of code and output, with their fences. */
  blocks: { start: number; end: number }[];
  mentions: Mentions;
  /** Languages that the reader recognized. */
  syntaxes: readonly IssueSyntax[];
}

/** Texts of an issue that may name something in a repository. */
interface Mentions {
  names: NameToken[];
  paths: PathToken[];
  /** Outermost first, as most languages print them. */
  frames: IssueFrame[];
  /** Messages of exceptions and warnings. */
  errors: IssueSpan[];
  quotes: IssueSpan[];
  scripts: SectionScript[];
}

/** A section of code as one language reads it. */
export interface SectionScript extends IssueScript {
  /** Start of the section in the issue, in UTF-16 units. */
  start: number;
  syntax: IssueSyntax;
}

/** Reads an issue's text. Never throws, whatever the text. */
export function readIssue(
  text: string,
  syntaxes: readonly IssueSyntax[] = getIssueSyntaxes(),
): Issue {
  const passages = blankPrompts(selectPassages(text));
  const lines = [
    ...classifyLines(markLines(passages, syntaxes), syntaxes, getLeadingCommentsEnd(text)),
  ];
  const sections = groupSections(lines);
  const prose = sections.filter(({ kind }) => kind === 'title' || kind === 'prose');
  const code = sections.filter(({ kind }) => kind === 'code');
  const visible = blankComments(passages, lines);
  return {
    length: text.length,
    title: getIssueTitle(text),
    passages,
    sections,
    blocks: findCodeBlocks(lines),
    mentions: {
      names: [...findNames(visible, findCodeRanges(visible, lines), syntaxes)],
      paths: findPaths(
        visible,
        syntaxes,
        prose.map(({ start, text }) => [start, start + text.length]),
      ),
      frames: findFrames(visible, syntaxes),
      errors: findErrors(visible, syntaxes),
      quotes: findQuotes(visible),
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

/** Replaces comments of a template by spaces: they are the maintainers' words, not the reporter's. */
function blankComments(passages: readonly Passage[], lines: readonly ClassifiedLine[]): Passage[] {
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
      parts.push(text.slice(from, at), blankOut(comment));
      from = at + comment.length;
    }
    return { ...passage, text: [...parts, text.slice(from)].join('') };
  });
}

/** Maximum cached readings of one text. A workspace of forty repositories has about twenty lists of languages. */
const MAX_READINGS = 64;

let cached: { text: string; readings: Issue[] } = { text: '', readings: [] };

/** Reads an issue, cached for all repositories with the same languages. The result is shared: do not change it. */
export function readIssueCached(text: string, syntaxes: readonly IssueSyntax[]): Issue {
  if (cached.text !== text) cached = { text, readings: [] };
  const { readings } = cached;
  const before = readings.find((issue) => isSameList(issue.syntaxes, syntaxes));
  if (before) return before;
  const read = readIssue(text, syntaxes);
  if (readings.length === MAX_READINGS) readings.shift();
  readings.push(read);
  return read;
}

const isSameList = (a: readonly IssueSyntax[], b: readonly IssueSyntax[]): boolean =>
  a.length === b.length && a.every((syntax, i) => syntax === b[i]);
