import { issueSyntaxes } from '../languages/index.ts';
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { type Line, linesOf, marksOf } from './lines.ts';
import { SEARCHED, type Section } from './sections.ts';

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
  return { text: lines.map(({ text }) => text).join('\n'), fields: readFields(lines) };
}

const EMPTY_LINE: TextLine = { text: '', marks: marksOf('', []) };

/** Lines as splitting their text gives them: after the last line end comes an empty one. */
function splitLines(lines: readonly Line[]): TextLine[] {
  const last = lines.at(-1);
  return last && last.whole !== last.text ? [...lines, EMPTY_LINE] : [...lines];
}

/**
 * Parts of an issue that an encoder distinguishes: its first line, its traceback frames with the lines that belong to
 * them, its other code, and the rest.
 */
interface IssueFields {
  title: string;
  text: string;
  code: string;
  trace: string;
}

function readFields([first, ...others]: readonly Pick<Line, 'text' | 'marks'>[]): IssueFields {
  const text: string[] = [];
  const code: string[] = [];
  const trace: string[] = [];
  let fenced = false;
  let traced = false;
  for (const { text: line, marks } of others) {
    const { isFence, isFrame, isPrompt } = marks.trained;
    if (isFence) {
      fenced = !fenced;
      traced = false;
      continue;
    }
    traced = isFrame || (traced && /^[ \t]/.test(line));
    if (traced) trace.push(line);
    else if (fenced || isPrompt || marks.isIndented) code.push(line);
    else text.push(line);
  }
  return {
    title: first?.text ?? '',
    text: text.join('\n'),
    code: code.join('\n'),
    trace: trace.join('\n'),
  };
}
