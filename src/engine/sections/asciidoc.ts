import type { Section } from './form.ts';
import { Headings } from './headings.ts';
import { readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*)/;
/** Marks of the lines below titles, by level. */
const UNDERLINES = '=-~^+';
/** Line that begins a block, and ends it when it is repeated. */
const DELIMITER = /^(?:-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|`{3,}|[|,:!]={3,})$/;
/** Anchor above a heading, or within a line. */
const ANCHOR = /^\[\[([^\],]{1,80})[^\]]*\]\]|^\[#([\w-]{1,80})/;
const INNER_ANCHOR = /\[\[([\w-]{1,80})\]\]|\banchor:([\w-]{1,80})\[/;

/** Splits AsciiDoc by its headings, except those in blocks. */
export function splitAsciidoc(text: string): Section[] {
  const splitter = new AsciidocSplitter();
  const lineCount = readLines(text, (line, number) =>
    splitter.read(line.slice(0, MAX_READ).trimEnd(), number),
  );
  return splitter.end(lineCount);
}

class AsciidocSplitter {
  readonly #list = new SectionList();
  readonly #headings = new Headings(this.#list);
  /** Line that ends the open block; empty outside. */
  #delimiter = '';
  /** Anchors directly above the line. */
  #anchors: string[] = [];
  /** The line before if it begins a paragraph, which may turn out to be a title. */
  #paragraph = '';
  #isParagraph = false;

  read(line: string, number: number): void {
    if (this.#delimiter !== '') {
      if (line === this.#delimiter) this.#delimiter = '';
    } else if (isUnderline(line, this.#paragraph)) {
      this.#openHeading(number - 1, UNDERLINES.indexOf(line.slice(0, 1)) + 1, this.#paragraph);
    } else {
      this.#endParagraph();
      if (line !== '') this.#readText(line, number);
      else this.#isParagraph = false;
    }
  }

  end(lineCount: number): Section[] {
    this.#endParagraph();
    return this.#list.end(lineCount);
  }

  #readText(line: string, number: number): void {
    const [, marks, title = ''] = HEADING.exec(line) ?? [];
    const [anchor, double, single] = ANCHOR.exec(line) ?? [];
    if (marks) this.#openHeading(number, marks.length, title);
    else if (anchor) {
      this.#list.addComment(number);
      this.#anchors.push(double ?? single ?? '');
    } else if (DELIMITER.test(line)) {
      this.#delimiter = line;
      this.#addText('');
    } else if (this.#isParagraph || line[0] === '[' || line[0] === ':') this.#addText(line);
    else {
      this.#paragraph = line;
      this.#isParagraph = true;
    }
  }

  #endParagraph(): void {
    if (this.#paragraph !== '') this.#addText(this.#paragraph);
    this.#paragraph = '';
  }

  #addText(line: string): void {
    this.#list.addContent();
    const [, inner, macro] = INNER_ANCHOR.exec(line) ?? [];
    for (const key of [...this.#anchors, inner ?? macro ?? '']) this.#list.addKey(key);
    this.#anchors = [];
  }

  #openHeading(number: number, level: number, title: string): void {
    this.#headings.open(number, level, cleanTitle(title), this.#anchors);
    this.#anchors = [];
    this.#paragraph = '';
    this.#isParagraph = false;
  }
}

/** Returns true for a line of marks below a title of about the same length. */
function isUnderline(line: string, title: string): boolean {
  const mark = line.slice(0, 1);
  if (title === '' || !UNDERLINES.includes(mark) || !/\w/.test(title)) return false;
  return Math.abs(line.length - title.length) <= 1 && line === mark.repeat(line.length);
}

/** Returns a title as people read it, without marks and closing signs. */
function cleanTitle(written: string): string {
  return written.replace(/\[\[[^\]]{0,200}\]\]|`+|\*+|__/g, '').replace(/ =+$/, '');
}
