/** Words that a person with an issue would type into a text search. */

/** English words that no developer would search for. */
const COMMON = new Set(
  'the and for with not are was has have does when that this from into but can cannot could should would will use using used after before only all any its than then there which while where what how why get set add via out off too per due one two new old same different instead without within being been they them their wrong error fails fail failed doesn incorrect incorrectly'.split(
    ' ',
  ),
);

/** Names that may be pasted, dots included: `QuerySet.only`, `_encode_files`, `max_length`. */
const CODE = /[A-Za-z_][A-Za-z0-9_.]{2,79}/g;
const ADDRESS = /https?:\/\/\S+/g;
/** Maximum number of names to paste. The first ones count. */
const MAX_PASTED = 12;

/** Returns the words of the first line with three or more letters, in lower case, without duplicates. */
export function findTitleWords(issue: string): string[] {
  const [title = ''] = issue.trim().split('\n');
  const words = (title.match(/[A-Za-z_][A-Za-z0-9_]{2,}/g) ?? []).map((word) => word.toLowerCase());
  return [...new Set(words)].filter((word) => !COMMON.has(word));
}

/**
 * Returns the words that look like names in code: with an underscore, an inner capital, or a dot between words. Only the last
 * part of a dotted name counts. The names are in the order of the text, without duplicates.
 */
export function findPastableNames(issue: string): string[] {
  const names = (issue.replaceAll(ADDRESS, ' ').match(CODE) ?? []).flatMap((text) => {
    const isCode = /[a-z][A-Z]|_|[a-z]\.[a-z]/.test(text);
    const name = text.split('.').findLast((part) => part.length > 2);
    return isCode && name !== undefined ? [name] : [];
  });
  return [...new Set(names)].slice(0, MAX_PASTED);
}
