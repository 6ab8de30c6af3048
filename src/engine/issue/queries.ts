/** What an encoder is asked with. */
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { fieldsOf, type IssueFields } from './fields.ts';
import { type Line, linesOf, marksOf } from './lines.ts';
import { SEARCHED, type Section } from './sections.ts';
import { issueSyntaxes } from './syntaxes.ts';

export interface EncoderQuery {
  /** All of it; the first line is the title. */
  text: string;
  fields: IssueFields;
}

type TextLine = Pick<Line, 'text' | 'marks'>;

/** A text that is asked as it is, such as a commit's message. */
export function queryOf(
  text: string,
  syntaxes: readonly IssueSyntax[] = issueSyntaxes(),
): EncoderQuery {
  return queryOfLines(splitLines([...linesOf([{ offset: 0, text }], syntaxes)]));
}

/** Everything that is searched for of an issue, its title first. */
export function issueQuery(sections: readonly Section[]): EncoderQuery {
  const searched = sections.filter(({ kind }) => SEARCHED.includes(kind));
  return queryOfLines(searched.flatMap(({ lines }) => splitLines(lines)));
}

/** An issue's title and prose, without the words of code and logs. */
export function proseQuery(sections: readonly Section[]): EncoderQuery {
  const title = sections.find(({ kind }) => kind === 'title')?.lines ?? [];
  const prose = sections.filter(({ kind }) => kind === 'prose');
  if (prose.length === 0) return queryOfLines(splitLines(title));
  return queryOfLines([...title, ...prose.flatMap(({ lines }) => splitLines(lines))]);
}

function queryOfLines(lines: readonly TextLine[]): EncoderQuery {
  return { text: lines.map(({ text }) => text).join('\n'), fields: fieldsOf(lines) };
}

const EMPTY_LINE: TextLine = { text: '', marks: marksOf('', []) };

/** Lines as splitting their text gives them: after the last line end comes an empty one. */
function splitLines(lines: readonly Line[]): TextLine[] {
  const last = lines.at(-1);
  return last && last.whole !== last.text ? [...lines, EMPTY_LINE] : [...lines];
}
