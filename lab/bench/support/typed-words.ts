/** What a person types into a search of text who has an issue in front of them. */

/** Words of English that no developer would search for. */
const COMMON = new Set(
  'the and for with not are was has have does when that this from into but can cannot could should would will use using used after before only all any its than then there which while where what how why get set add via out off too per due one two new old same different instead without within being been they them their wrong error fails fail failed doesn incorrect incorrectly'.split(
    ' ',
  ),
);

/** Letters of what may be pasted, with dots: `QuerySet.only`, `_encode_files`, `max_length`. */
const CODE = /[A-Za-z_][A-Za-z0-9_.]{2,79}/g;
const ADDRESS = /https?:\/\/\S+/g;
/** Candidates for pasting, the first ones. */
const MAX_PASTED = 12;

/** Of the first line: three letters or more, each once, in small letters. */
export function titleWords(issue: string): string[] {
  const [title = ''] = issue.trim().split('\n');
  const words = (title.match(/[A-Za-z_][A-Za-z0-9_]{2,}/g) ?? []).map((word) => word.toLowerCase());
  return [...new Set(words)].filter((word) => !COMMON.has(word));
}

/**
 * What looks like a name in code: with an underscore, a capital inside, or a dot between words; of a dotted one the last part. In
 * the order of the text, each once.
 */
export function pastable(issue: string): string[] {
  const names = (issue.replaceAll(ADDRESS, ' ').match(CODE) ?? []).flatMap((text) => {
    const isCode = /[a-z][A-Z]|_|[a-z]\.[a-z]/.test(text);
    const name = text.split('.').findLast((part) => part.length > 2);
    return isCode && name !== undefined ? [name] : [];
  });
  return [...new Set(names)].slice(0, MAX_PASTED);
}
