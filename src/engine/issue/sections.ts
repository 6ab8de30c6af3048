import type { LineKind, ReadLine } from './kinds.ts';

/** Neighbouring lines of one kind. */
export interface Section {
  kind: LineKind;
  /** Where it begins in the issue, in UTF-16 units. */
  start: number;
  text: string;
  lines: ReadLine[];
}

/** The sections of an issue in order; together they are all that is read of it. */
export function sectionsOf(lines: Iterable<ReadLine>): Section[] {
  const sections: Section[] = [];
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

/** What is searched for of an issue: everything but a template's headings, comments and lists of versions. */
export const SEARCHED: readonly LineKind[] = ['title', 'prose', 'code', 'traceback'];

/** The text of all sections of these kinds. */
export function textOf(sections: readonly Section[], kinds: readonly LineKind[]): string {
  return sections
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('\n');
}
