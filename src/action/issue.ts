/** Reads the issue from the event of a workflow. A stranger wrote its text. */
import { badInput } from '../shared/errors.ts';
import { MAX_ISSUE } from '../shared/limits.ts';
import { SkippedIssue } from './runner.ts';

export interface ReportedIssue {
  number: number;
  /** Title and body. */
  text: string;
}

/** Minimum number of words of an issue that is ranked. */
const MIN_WORDS = 3;
/** Events after which the issue is gone. */
const GONE = new Set(['deleted', 'transferred']);

/**
 * Returns the issue of an event.
 * @param label label that prevents the ranking
 * @throws SkippedIssue for an issue that gets no comment; LocusError `bad-input` for an event that is not GitHub's
 */
export function readIssue(event: unknown, label: string): ReportedIssue {
  const { action, issue } = toObject(event);
  if (issue === undefined)
    throw new SkippedIssue('This event has no issue. The action is for the event `issues`.');
  const { number, title, body, labels, locked, pull_request: isPullRequest } = toObject(issue);
  if (isPullRequest) throw new SkippedIssue('This is a pull request. Only issues are ranked.');
  if (!isPositive(number) || typeof title !== 'string') throw invalidEvent();
  const what = `Issue ${number}`;
  if (GONE.has(String(action))) throw new SkippedIssue(`${what} is gone.`);
  if (locked === true) throw new SkippedIssue(`${what} is locked.`);
  if (label !== '' && hasLabel(labels, label))
    throw new SkippedIssue(`${what} has the label that prevents the ranking.`);
  const text = `${title}\n\n${typeof body === 'string' ? body : ''}`;
  if (text.length > MAX_ISSUE)
    throw new SkippedIssue(`${what} has more than ${MAX_ISSUE} characters.`);
  if (countWords(text) < MIN_WORDS)
    throw new SkippedIssue(`${what} has too few words to rank functions.`);
  return { number, text };
}

const toObject = (value: unknown): Record<string, unknown> => {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw invalidEvent();
};

const invalidEvent = () =>
  badInput('The event has no valid issue.', 'Run the workflow for the event issues.');

export const isPositive = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0;

const hasLabel = (labels: unknown, label: string): boolean =>
  Array.isArray(labels) &&
  labels.some((one) => String(one?.name).toLowerCase() === label.toLowerCase());

/** Parts of an issue without words about the code: pictures, comments of templates, HTML tags and addresses. */
const WORDLESS = [
  /!\[[^\]\n]{0,1000}\]\([^)\n]{0,4000}\)/g,
  /<!--[\s\S]{0,5000}?-->/g,
  /<\/?[a-z][^<>]{0,4000}>/gi,
  /https?:\/\/\S{1,4000}/g,
];

function countWords(text: string): number {
  const rest = WORDLESS.reduce((left, pattern) => left.replace(pattern, ' '), text);
  let count = 0;
  for (const _ of rest.matchAll(/[\p{L}\p{N}_]{2,}/gu)) if (++count === MIN_WORDS) break;
  return count;
}
