import type { Section, SectionForm } from './form.ts';
import { Headings } from './headings.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

export const markdown: SectionForm = {
  name: 'markdown',
  title: 'Markdown',
  monaco: 'markdown',
  group: 'documentation',
  extensions: ['.md', '.markdown', '.mdx'],
  names: [],
  split: splitMarkdown,
};

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
/** Number of spaces from which an indented line is code. */
const CODE_INDENT = 4;

const HEADING = /^(#{1,6})(?:[ \t]+(.*))?$/;
const UNDERLINE = /^(?:=+|-{2,})[ \t]*$/;
/** Line of front matter that names the page. */
const FRONT_KEY = /^(?:title|id|slug):[ \t]*["']?([^"']*)/;
const FENCE = /^(?:`{3,}|~{3,})/;
/** Start of a line that is no paragraph, so that a line of dashes below it is no underline. */
const NO_PARAGRAPH = /^(?:[>|<]|[-*+] |\d{1,9}[.)] |#{1,6} |!\[)/;

/** Part of a title that shows no text: a tag, an anchor, a picture. */
const HIDDEN =
  /<\/?(?:a|b|br|center|code|div|em|h\d|i|img|kbd|p|picture|small|source|span|strong|sub|sup)\b[^<>]*>|\{#[^{}]*\}|!\[[^[\]]*\]\([^()]*\)/g;

/** Splits Markdown by its headings. Front matter and code are no headings. */
function splitMarkdown(text: string): Section[] {
  const splitter = new MarkdownSplitter();
  const lineCount = readLines(text, (line, number) => splitter.read(line, number));
  return splitter.end(lineCount);
}

class MarkdownSplitter {
  readonly #list = new SectionList();
  readonly #headings = new Headings(this.#list);
  /** Fence that ends the open block of code, `---` in front matter; empty outside. */
  #fence = '';
  #isComment = false;
  /** The line before if it is one of a paragraph, which may turn out to be a heading. */
  #paragraph = '';

  read(line: string, number: number): void {
    const indent = findText(line);
    const written = line.slice(indent, indent + MAX_READ);
    if (this.#paragraph !== '' && indent < CODE_INDENT && UNDERLINE.test(written)) {
      this.#openHeading(number - 1, written[0] === '=' ? 1 : 2, this.#paragraph);
      this.#paragraph = '';
    } else {
      this.#endParagraph();
      if (written !== '') this.#readLine(line, number, indent, written);
    }
  }

  end(lineCount: number): Section[] {
    this.#endParagraph();
    return this.#list.end(lineCount);
  }

  #readLine(line: string, number: number, indent: number, written: string): void {
    if (this.#fence !== '') this.#readFenced(written);
    else if (this.#isComment || written.startsWith('<!--')) {
      this.#isComment = !line.includes('-->');
      this.#addText(written);
    } else if (indent >= CODE_INDENT || line[0] === '\t') this.#addText(written);
    else if (number === 1 && written.trimEnd() === '---') {
      this.#fence = '---';
      this.#list.addContent();
    } else this.#readMarks(written, number);
  }

  #readMarks(written: string, number: number): void {
    const [fence] = FENCE.exec(written) ?? [];
    const [, marks, title = ''] = HEADING.exec(written) ?? [];
    if (fence) {
      this.#fence = fence;
      this.#list.addContent();
    } else if (marks) this.#openHeading(number, marks.length, title);
    else if (NO_PARAGRAPH.test(written)) this.#addText(written);
    else this.#paragraph = written;
  }

  #endParagraph(): void {
    if (this.#paragraph !== '') this.#addText(this.#paragraph);
    this.#paragraph = '';
  }

  #readFenced(written: string): void {
    const isFrontMatter = this.#fence === '---';
    if (isFrontMatter) this.#list.addKey(FRONT_KEY.exec(written)?.[1] ?? '');
    const mark = written.trimEnd();
    const isEnd = mark.startsWith(this.#fence) && mark === (mark[0] ?? '').repeat(mark.length);
    if (isEnd && (!isFrontMatter || mark === '---')) this.#fence = '';
  }

  #addText(written: string): void {
    this.#list.addContent();
    for (const anchor of findAnchors(written)) this.#list.addKey(anchor);
  }

  #openHeading(number: number, level: number, title: string): void {
    this.#headings.open(number, level, cleanTitle(title), findAnchors(title));
  }
}

/** Returns the targets of links in a line: `<a id="x">`, `{#x}`. */
function findAnchors(written: string): string[] {
  if (!written.includes('<a ') && !written.includes('{#')) return [];
  const anchors = written.matchAll(/<a (?:id|name)=["']([^"'<>]{1,80})["']|\{#([^\s{}]{1,80})\}/g);
  return Array.from(anchors, ([, link = '', mark = '']) => link || mark);
}

/** Returns a title as people read it, without marks. */
function cleanTitle(written: string): string {
  const title = written
    .replace(HIDDEN, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/`+|\*+|~~|\\(?=[^\w\s])/g, '')
    .trimEnd();
  const closed = title.replace(/#+$/, '');
  return closed === title || /(?:^|[ \t])$/.test(closed) ? closed.trim() : title.trim();
}
