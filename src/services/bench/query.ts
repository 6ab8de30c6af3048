/** Turns the message of a commit into the text of a search, without what only the fix could know. */

/** Maximum length of a text in characters. A longer message is a log of many commits. */
const MAX_QUERY = 20_000;

/** Numbers and addresses of issues and reviews: `(#12)`, `owner/repo#12`, `!7`, `GH-12`, URLs of either. */
const REFERENCE =
  /\(?(?:https?:\/\/\S{1,200}\/(?:issues|pull|pulls|merge_requests|tickets?|bugs?)\/\d+\S{0,100}|(?:\b[\w.-]{1,100}\/[\w.-]{1,100})?[#!]\d+\b|\bGH-\d+\b)\)?/gi;
/** A line that says no more than that it has references, once they are removed: `Fixes , closes`. */
const ONLY_REFERENCES =
  /^(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|references?|see|also|part of|related to|addresses|issues?|bugs?|tickets?|and|[\s,.;:()[\]*-])*$/i;

/**
 * Returns a commit's message without numbers and addresses of issues, and without names that exist only after the commit.
 * @param message without trailers, see `judgeCommit`
 * @param introduced names of functions that the commit adds
 */
export function buildQuery(message: string, introduced: readonly string[]): string {
  const lines = message.slice(0, MAX_QUERY).split('\n').flatMap(removeReferences);
  return removeNames(lines.join('\n'), introduced)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function removeReferences(line: string): string[] {
  const kept = line.replace(REFERENCE, '');
  return kept !== line && ONLY_REFERENCES.test(kept) ? [] : [kept.trimEnd()];
}

function removeNames(text: string, names: readonly string[]): string {
  const words = names.filter((name) => /\w/.test(name)).map(escapePattern);
  if (words.length === 0) return text;
  const [start, end] = ['(?<![\\p{L}\\p{N}_])', '(?![\\p{L}\\p{N}_])'];
  const pattern = `\`?${start}(?:${words.join('|')})${end}(?:\\(\\))?\`?`;
  return text.replace(new RegExp(pattern, 'gu'), '');
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
