/** What a bag model tells apart in an issue. Training cuts issues the same way: lab/encoder/issue_fields.py. */
export interface IssueFields {
  title: string;
  text: string;
  code: string;
  trace: string;
}

const FENCE = /^[ \t]*(?:```|~~~)/;
const PROMPT = /^[ \t]*(?:>>>|\.\.\.|In \[[0-9]*\]:|\$ )/;
const INDENTED = /^(?: {4}|\t)/;
/** Frames as Python, pytest and IPython write them. */
const FRAME =
  /^[ \t]*File ".*?", line [0-9]|^[^ \t]+\.py:[0-9]|^[ \t]*(?:>[ \t]*)?[^ \t]+\.py in |^-+> *[0-9]|^[ \t]*Traceback \(most recent/;

/** An issue's first line, its traceback frames with the lines that belong to them, its other code, and the rest. */
export function splitIssue(issue: string): IssueFields {
  const [title, ...lines] = issue.split('\n');
  const text: string[] = [];
  const code: string[] = [];
  const trace: string[] = [];
  let fenced = false;
  let traced = false;
  for (const line of lines) {
    if (FENCE.test(line)) {
      fenced = !fenced;
      traced = false;
      continue;
    }
    traced = FRAME.test(line) || (traced && /^[ \t]/.test(line));
    if (traced) trace.push(line);
    else if (fenced || PROMPT.test(line) || INDENTED.test(line)) code.push(line);
    else text.push(line);
  }
  return { title, text: text.join('\n'), code: code.join('\n'), trace: trace.join('\n') };
}
