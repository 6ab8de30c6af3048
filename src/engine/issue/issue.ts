/**
 * Reads an issue: classifies its lines and finds what it may mention. Nothing here depends on a repository; `search`
 * resolves the mentions in one. All of the text is searched for mentions, with patterns that cannot backtrack far, so reading
 * takes linear time. In a long text, only some lines give words (`word-lines.ts`), and repeated lines are read once
 * (`repeats.ts`).
 */
import type { IssueSpan } from '../../shared/evidence.ts';
import { getIssueSyntaxes } from '../languages/index.ts';
import type { IssueScript, IssueSyntax } from '../languages/issue-syntax.ts';
import { findCodeRanges } from './code.ts';
import { type EntryPointToken, findEntryPoints } from './mentions/entry-points.ts';
import { findFrames, type IssueFrame } from './mentions/frames.ts';
import { findHistoryMentions, type HistoryMention } from './mentions/history.ts';
import { findNames, type NameToken } from './mentions/names.ts';
import { findPaths, type PathToken } from './mentions/paths.ts';
import { findErrors, findQuotes } from './mentions/quotes.ts';
import { blankPrompts, cutAtLines, type Passage, splitPassages } from './passages.ts';
import { blankRanges, type TextRange } from './ranges.ts';
import { readLines } from './read-lines.ts';
import { groupSections, type IssueSection } from './sections.ts';
import { getLeadingCommentsEnd } from './template.ts';
import { getIssueTitle } from './title.ts';
import { findWordless, type Wordless } from './wordless.ts';

export interface Issue {
  /** Length of the whole text in UTF-16 units. */
  length: number;
  /** First line; empty if the issue has no words. */
  title: string;
  /** The whole text; empty if it has no words. */
  passages: Passage[];
  /** Set if it only shows or links to something; then no words are searched for. */
  wordless: Wordless | null;
  /** The lines whose words are searched for, grouped into title, prose, code, tracebacks and noise. */
  sections: IssueSection[];
  /** True if the words of some lines are not searched for, because the text is very long. */
  isLimited: boolean;
  /** Number of very long lines, of which only the beginning is searched for words. */
  longLines: number;
  /** Blocks of code and output, with their fences. */
  blocks: TextRange[];
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
  entryPoints: EntryPointToken[];
  scripts: SectionScript[];
  history: HistoryMention[];
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
  const passages = blankPrompts(splitPassages(text));
  const lines = readLines(passages, syntaxes, getLeadingCommentsEnd(text), text.length);
  const wordless = findWordless(text);
  const sections = groupSections(wordless ? [] : lines.words);
  const code = sections.filter(({ kind }) => kind === 'code');
  const visible = blankRanges(passages, lines.comments);
  const distinct = blankRanges(passages, lines.skipped);
  const frames = findFrames(visible, syntaxes);
  return {
    length: text.length,
    title: wordless ? '' : getIssueTitle(text),
    passages: wordless ? [] : passages,
    wordless,
    sections,
    isLimited: lines.isLimited,
    longLines: lines.longLines,
    blocks: lines.blocks,
    mentions: {
      names: findNames(
        cutAtLines(distinct),
        findCodeRanges(distinct, lines.code),
        lines.headings,
        syntaxes,
      ),
      paths: findPaths(cutAtLines(distinct), syntaxes, lines.prose),
      frames,
      errors: findErrors(distinct, syntaxes, frames),
      quotes: findQuotes(distinct),
      entryPoints: findEntryPoints(cutAtLines(distinct), lines.code),
      scripts: syntaxes.flatMap((syntax) =>
        code.map(({ start, text }) => ({ ...syntax.readScript(text), start, syntax })),
      ),
      history: findHistoryMentions(sections),
    },
    syntaxes,
  };
}

export function isBlank({ passages }: Pick<Issue, 'passages'>): boolean {
  return !passages.some(({ text }) => /\S/.test(text));
}

/** Maximum cached readings of one text. A workspace of forty repositories has about twenty lists of languages. */
const MAX_READINGS = 64;
/** Maximum UTF-16 units of the cached readings together; one reading is always cached. */
const MAX_CACHED = 10_000_000;

let cached: { text: string; readings: Issue[] } = { text: '', readings: [] };

/** Reads an issue, cached for all repositories with the same languages. The result is shared: do not change it. */
export function readIssueCached(text: string, syntaxes: readonly IssueSyntax[]): Issue {
  if (cached.text !== text) cached = { text, readings: [] };
  const { readings } = cached;
  const before = readings.find((issue) => isSameList(issue.syntaxes, syntaxes));
  if (before) return before;
  const read = readIssue(text, syntaxes);
  const isFull = (readings.length + 1) * text.length > MAX_CACHED;
  if (readings.length === MAX_READINGS || isFull) readings.shift();
  readings.push(read);
  return read;
}

const isSameList = (a: readonly IssueSyntax[], b: readonly IssueSyntax[]): boolean =>
  a.length === b.length && a.every((syntax, i) => syntax === b[i]);
