import type { Line } from './lines.ts';

/**
 * What an encoder tells apart in an issue: its first line, its traceback frames with the lines that belong to them, its
 * other code, and the rest. Training cuts issues the same way: lab/encoder/issue_fields.py.
 */
export interface IssueFields {
  title: string;
  text: string;
  code: string;
  trace: string;
}

/** The fields of these lines, the first of which is the title. */
export function fieldsOf([first, ...others]: readonly Pick<Line, 'text' | 'marks'>[]): IssueFields {
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
