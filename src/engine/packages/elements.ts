/** Texts of elements of XML, as far as telling a package's name takes. */

/** Elements further in are passed over: a text may be nothing but opening tags. */
const DEEPEST = 8;

/**
 * Elements without others in them: their names from the outermost on, `project/artifactId`, and their text. It takes what no
 * parser would, knows no entities, and takes linear time.
 */
export function* elementsOf(text: string): Generator<{ path: string; text: string }> {
  const open: string[] = [];
  /** Where the text of the element begins that was opened last; -1 once another has ended. */
  let content = -1;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const aside = ASIDES.find(([start]) => text.startsWith(start, at));
    const close = text.indexOf(aside ? aside[1] : '>', at);
    if (close < 0) return;
    if (!aside && text[at + 1] === '/') {
      if (content >= 0 && open.length <= DEEPEST)
        yield { path: open.join('/'), text: text.slice(content, at).trim() };
      open.pop();
      content = -1;
    } else if (!aside && text[close - 1] !== '/') {
      open.push(nameOf(text.slice(at + 1, close)));
      content = close + 1;
    }
    at = text.indexOf('<', close);
  }
}

/** What is no element, with its end; the longer beginning first. */
const ASIDES = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const;

function nameOf(tag: string): string {
  const end = tag.search(/\s/);
  return end < 0 ? tag : tag.slice(0, end);
}
