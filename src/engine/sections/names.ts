/** Names of sections, which become part of addresses (`shared/address.ts`), and the keys in them. */

const MAX_NAME = 80;
/** Length of the text that is read for a name, in UTF-16 units. */
const MAX_READ = 400;

/** White space and control characters, a mark of addresses, and the end that addresses read as an ordinal. */
const RESERVED = /[\s\p{Cc}]+|::+|#(?=\d+$)/gu;

/** Returns a written name without what addresses reserve, cut at 80 characters. Empty if nothing is left. */
export function formatName(written: string): string {
  const cut = cutText(
    cutText(written.trim(), MAX_READ).replace(RESERVED, replaceReserved).trim(),
    MAX_NAME,
  );
  const name = cut.trimEnd().toWellFormed();
  return name === '<module>' ? 'module' : name.replace(/#(?=\d+$)/, '');
}

/** Returns a key as it is listed; empty if it is too long to be one. */
export function formatKey(written: string): string {
  const key = written.trim();
  return key.length > MAX_NAME ? '' : key.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed();
}

const replaceReserved = (mark: string) => (mark[0] === ':' ? ':' : mark === '#' ? '' : ' ');

/** Cuts a text without splitting a pair of surrogates. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
