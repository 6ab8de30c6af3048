import { getIssueSyntaxes } from '../languages/index.ts';
import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { type MarkedLine, markLine, markLines } from './lines.ts';
import { type IssueSection, SEARCHED_KINDS } from './sections.ts';

export interface EncoderQuery {
  /** Whole text; the first line is the title. */
  text: string;
  fields: IssueFields;
}

type TextLine = Pick<MarkedLine, 'text' | 'marks'>;

/** Creates a query from a whole text, such as a commit message. */
export function createTextQuery(
  text: string,
  syntaxes: readonly IssueSyntax[] = getIssueSyntaxes(),
): EncoderQuery {
  return createQuery(splitLines([...markLines([{ offset: 0, text }], syntaxes)]));
}

/** Creates a query from all searched sections of an issue, its title first. */
export function createIssueQuery(sections: readonly IssueSection[]): EncoderQuery {
  const searched = sections.filter(({ kind }) => SEARCHED_KINDS.includes(kind));
  return createQuery(searched.flatMap(({ lines }) => splitLines(lines)));
}

/** Creates a query from an issue's title and prose, without code and logs. */
export function createProseQuery(sections: readonly IssueSection[]): EncoderQuery {
  const title = sections.find(({ kind }) => kind === 'title')?.lines ?? [];
  const prose = sections.filter(({ kind }) => kind === 'prose');
  if (prose.length === 0) return createQuery(splitLines(title));
  return createQuery([...title, ...prose.flatMap(({ lines }) => splitLines(lines))]);
}

function createQuery(lines: readonly TextLine[]): EncoderQuery {
  return { text: lines.map(({ text }) => text).join('\n'), fields: readFields(lines) };
}

const EMPTY_LINE: TextLine = { text: '', marks: markLine('', []) };

/** Returns lines as `split('\n')` would: with an empty one after a final line end. */
function splitLines(lines: readonly MarkedLine[]): TextLine[] {
  const last = lines.at(-1);
  return last && last.whole !== last.text ? [...lines, EMPTY_LINE] : [...lines];
}

/**
 * Parts of an issue that an encoder distinguishes: its first line, traceback frames with the lines that belong to them,
 * other code, and the rest.
 */
interface IssueFields {
  title: string;
  text: string;
  code: string;
  trace: string;
}

function readFields([first, ...others]: readonly Pick<
  MarkedLine,
  'text' | 'marks'
>[]): IssueFields {
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
