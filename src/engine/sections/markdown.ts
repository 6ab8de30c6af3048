import type { Section } from './form.ts';
import { Headings } from './headings.ts';
import { findText, readLines } from './lines.ts';
import { cleanTitle, findAnchors } from './markdown-titles.ts';
import { SectionList } from './section-list.ts';

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
/** Number of spaces from which an indented line is code. */
const CODE_INDENT = 4;

const HEADING = /^(#{1,6})(?:[ \t]+([^ \t\n].*)?)?$/;
const UNDERLINE = /^(?:=+|-{2,})[ \t]*$/;
/** Line of front matter that names the page. */
const FRONT_KEY = /^(?:title|id|slug):[ \t]*["']?([^"']*)/;
/** Start of a block of code. Backquotes that close on the same line are code in text. */
const FENCE = /^(?:`{3,}|~{3,})/;
/** Line that is the target of a link and nothing else. */
const ANCHOR = /^<a (?:id|name)=["'][^"'<>]+["'][^<>]*>(?:<\/a>)?[ \t]*$/;
/** First line of front matter, which has no blank line below. */
const FRONT = /^---[ \t]*\r?\n[ \t]*[^\s-]/;
const FRONT_END = /^(?:---|\.\.\.)[ \t]*$/m;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})[ \t]*$/;
/** Start of a line that is no paragraph, so that a line of dashes below it is no underline. */
const NO_PARAGRAPH = /^(?:[>|<]|[-*_]{3,}$|[-*+] |\d{1,9}[.)] |#{1,6} |!\[)/;

/** Splits Markdown by its headings. Front matter and code are no headings. */
export function splitMarkdown(text: string): Section[] {
  const splitter = new MarkdownSplitter(hasFrontMatter(text));
  const lineCount = readLines(text, (line, number) => splitter.read(line, number));
  return splitter.end(lineCount);
}

/** Returns true if the text begins with lines of keys that have an end. */
function hasFrontMatter(text: string): boolean {
  return FRONT.test(text) && FRONT_END.test(text.slice(4));
}

class MarkdownSplitter {
  readonly #list = new SectionList();
  readonly #headings = new Headings(this.#list);
  /** Fence that ends the open block of code; empty outside. */
  #fence = '';
  #isFrontMatter: boolean;
  #isComment = false;
  /** The line before if it begins a paragraph, which may turn out to be a heading. */
  #paragraph = '';
  #isParagraph = false;
  /** Targets of links in the lines before, which may belong to a heading. */
  #anchors: string[] = [];

  constructor(isFrontMatter: boolean) {
    this.#isFrontMatter = isFrontMatter;
  }

  read(line: string, number: number): void {
    const indent = findText(line);
    const written = line.slice(indent, indent + MAX_READ);
    if (this.#paragraph !== '' && indent < CODE_INDENT && UNDERLINE.test(written)) {
      this.#openHeading(number - 1, written[0] === '=' ? 1 : 2, this.#paragraph);
      this.#paragraph = '';
    } else {
      this.#endParagraph();
      if (written === '') this.#readBlank(number);
      else this.#readLine(line, number, indent, written);
    }
  }

  #readBlank(number: number): void {
    this.#isParagraph = false;
    if (this.#anchors.length > 0) this.#list.addComment(number);
  }

  end(lineCount: number): Section[] {
    this.#endParagraph();
    this.#addText('');
    return this.#list.end(lineCount);
  }

  #readLine(line: string, number: number, indent: number, written: string): void {
    if (this.#isFrontMatter) this.#readFront(line, number);
    else if (this.#fence !== '') this.#readFenced(written);
    else if (this.#isComment || written.startsWith('<!--')) {
      this.#isComment = !line.includes('-->');
      this.#addText(written);
    } else if (indent >= CODE_INDENT || line[0] === '\t') this.#addText(written);
    else {
      const [fence = ''] = FENCE.exec(written) ?? [];
      const isFence =
        fence !== '' && (fence[0] === '~' || !line.includes('`', indent + fence.length));
      if (isFence) this.#fence = fence;
      if (isFence) this.#addText('');
      else this.#readMarks(written, number);
    }
  }

  #readMarks(written: string, number: number): void {
    const [, marks, title = ''] = HEADING.exec(written) ?? [];
    if (ANCHOR.test(written)) {
      this.#anchors.push(...findAnchors(written));
      this.#list.addComment(number);
    } else if (marks) this.#openHeading(number, marks.length, title);
    else {
      // A line of dashes below several lines is a rule rather than an underline.
      if (this.#isParagraph || NO_PARAGRAPH.test(written)) this.#addText(written);
      else this.#paragraph = written;
      this.#isParagraph = !RULE.test(written);
    }
  }

  #endParagraph(): void {
    if (this.#paragraph !== '') this.#addText(this.#paragraph);
    this.#paragraph = '';
  }

  #readFenced(written: string): void {
    const mark = written.trimEnd();
    const isEnd = mark.startsWith(this.#fence) && mark === (mark[0] ?? '').repeat(mark.length);
    if (isEnd) this.#fence = '';
  }

  #readFront(line: string, number: number): void {
    this.#list.addContent();
    this.#list.addKey(FRONT_KEY.exec(line.slice(0, MAX_READ))?.[1] ?? '');
    if (number > 1 && FRONT_END.test(line)) this.#isFrontMatter = false;
  }

  #addText(written: string): void {
    this.#list.addContent();
    for (const anchor of [...this.#anchors, ...findAnchors(written)]) this.#list.addKey(anchor);
    this.#anchors = [];
  }

  #openHeading(number: number, level: number, title: string): void {
    this.#isParagraph = false;
    const keys = [...this.#anchors, ...findAnchors(title)];
    this.#headings.open(number, level, cleanTitle(title), keys);
    this.#anchors = [];
  }
}
