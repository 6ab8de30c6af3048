/** Titles of Markdown, and the targets of links in its text. */

/** Code, or a part of a title that shows no text: a tag, an anchor, a picture. */
const HIDDEN =
  /`[^`]+`|<\/?(?:a|b|br|center|code|div|em|h\d|i|img|kbd|p|picture|small|source|span|strong|sub|sup)\b[^<>]*>|\{#[^{}]*\}|!\[[^[\]]*\]\([^()]*\)/g;

/** Returns the targets of links in a line: `<a id="x">`, `{#x}`. */
export function findAnchors(written: string): string[] {
  if (!written.includes('<a ') && !written.includes('{#')) return [];
  const anchors = written.matchAll(/<a (?:id|name)=["']([^"'<>]{1,80})["']|\{#([^\s{}]{1,80})\}/g);
  return Array.from(anchors, ([, link = '', mark = '']) => link || mark);
}

/** Returns a title as people read it, without marks. */
export function cleanTitle(written: string): string {
  const title = written
    .replace(HIDDEN, (part) => (part[0] === '`' ? part : ''))
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/`+|\*+|~~|\\(?=[^\w\s])/g, '')
    .trimEnd();
  const closed = title.replace(/(?<!#)#+$/, '');
  return closed === title || /(?:^|[ \t])$/.test(closed) ? closed.trim() : title.trim();
}
