import type { Section, SectionForm } from './form.ts';
import { Headings } from './headings.ts';
import { readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

export const asciidoc: SectionForm = {
  name: 'asciidoc',
  title: 'AsciiDoc',
  monaco: 'plaintext',
  group: 'documentation',
  extensions: ['.adoc', '.asciidoc'],
  names: [],
  split: splitAsciidoc,
};

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*)/;
/** Line that begins a block, and ends it when it is repeated. */
const DELIMITER = /^(?:-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|`{3,}|[|,:!]={3,})$/;
/** Anchor above a heading, or within a line. */
const ANCHOR = /^\[\[([^\],]{1,80})[^\]]*\]\]|^\[#([\w-]{1,80})/;
const INNER_ANCHOR = /\[\[([\w-]{1,80})\]\]|\banchor:([\w-]{1,80})\[/;

/** Splits AsciiDoc by its headings, except those in blocks. */
function splitAsciidoc(text: string): Section[] {
  const list = new SectionList();
  const headings = new Headings(list);
  let delimiter = '';
  let anchors: string[] = [];
  const lineCount = readLines(text, (line, number) => {
    const written = line.slice(0, MAX_READ).trimEnd();
    if (written === '') return;
    if (delimiter !== '') {
      if (written === delimiter) delimiter = '';
      return;
    }
    const [, marks, title = ''] = HEADING.exec(written) ?? [];
    const [anchor, double, single] = ANCHOR.exec(written) ?? [];
    if (marks) headings.open(number, marks.length, cleanTitle(title), anchors);
    else if (anchor) list.addComment(number);
    else {
      for (const key of anchors) list.addKey(key);
      if (DELIMITER.test(written)) delimiter = written;
      list.addContent();
      const [, inner, macro] = INNER_ANCHOR.exec(written) ?? [];
      list.addKey(inner ?? macro ?? '');
    }
    anchors = anchor ? [...anchors, double ?? single ?? ''] : [];
  });
  return list.end(lineCount);
}

/** Returns a title as people read it, without marks and closing signs. */
function cleanTitle(written: string): string {
  return written.replace(/\[\[[^\]]*\]\]|`+|\*+|__/g, '').replace(/ =+$/, '');
}
