import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { createKeywordTests } from './code.ts';
import type { ClassifiedLine, LineKind } from './line-kinds.ts';

/** Neighboring lines of one kind. */
export interface IssueSection {
  kind: LineKind;
  /** Start in the issue, in UTF-16 units. */
  start: number;
  text: string;
  lines: ClassifiedLine[];
}

/** Groups lines into sections, in order. */
export function groupSections(lines: Iterable<ClassifiedLine>): IssueSection[] {
  const sections: IssueSection[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    const isNext = last?.kind === line.kind && last.start + last.text.length === line.start;
    if (isNext) {
      last.text += line.whole;
      last.lines.push(line);
    } else {
      sections.push({ kind: line.kind, start: line.start, text: line.whole, lines: [line] });
    }
  }
  return sections;
}

/** Kinds of lines that are searched for: all except noise, such as template headings, comments and lists of versions. */
export const SEARCHED_KINDS: readonly LineKind[] = ['title', 'prose', 'code', 'traceback'];

/** An identifier, whatever the language. */
const WORD = /[\p{L}\p{N}_$]{1,200}/gu;

/** Returns the text that is searched for, without keywords in code: they tell the language and nothing else. */
export function getSearchedText(
  sections: readonly IssueSection[],
  syntaxes: readonly IssueSyntax[],
): string {
  const createTest = createKeywordTests(syntaxes);
  const removeKeywords = ({ whole, info }: ClassifiedLine) => {
    const isKeyword = createTest(info);
    return whole.replace(WORD, (word) => (isKeyword(word) ? ' ' : word));
  };
  return sections
    .filter(({ kind }) => SEARCHED_KINDS.includes(kind))
    .map(({ kind, text, lines }) => (kind === 'code' ? lines.map(removeKeywords).join('') : text))
    .join('\n');
}

export function joinSections(
  sections: readonly IssueSection[],
  kinds: readonly LineKind[],
): string {
  return sections
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('\n');
}
