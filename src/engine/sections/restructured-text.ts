import type { Section } from './form.ts';
import { Headings } from './headings.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

/** Length of the start of a line that is read, in UTF-16 units. */
const MAX_READ = 400;
/** Length from which a line of one mark is an underline, whatever the length of its title. */
const MIN_UNDERLINE = 4;

const LABEL = /^\.\. _(?:`([^`]+)`|([^:`\s][^:]*)):[ \t]*$/;
const DIRECTIVE = /^\.\. ([\w:.-]+)::[ \t]*([^\s(]*)/;
/** Directives that mark the title below them. */
const MARKS = new Set(
  'confval currentmodule django-admin django-admin-option envvar fieldlookup index module py:module setting templatefilter templatetag'.split(
    ' ',
  ),
);
/** Directives whose argument is text or a file rather than a name. */
const TEXTS = new Set(
  'admonition code code-block console contents csv-table deprecated epigraph figure highlight image include index list-table literalinclude note only parsed-literal raw rubric seealso snippet sourcecode table tip topic versionadded versionchanged warning'.split(
    ' ',
  ),
);

/** Splits reStructuredText by its titles, whose levels are in the order of their first use. */
export function splitRestructuredText(text: string): Section[] {
  const lines: string[] = [];
  readLines(text, (line) => lines.push(line.slice(0, MAX_READ).trimEnd()));
  const splitter = new RestructuredTextSplitter(lines);
  for (let index = 0; index < lines.length; ) index = splitter.read(index);
  return splitter.end();
}

class RestructuredTextSplitter {
  readonly #lines: readonly string[];
  readonly #list = new SectionList();
  readonly #headings = new Headings(this.#list);
  /** Styles of titles, outermost first: the mark, twice if there is also a line above. */
  readonly #styles: string[] = [];
  /** Labels since the last text, and the index of the first line of them; -1 for none. */
  #labels: string[] = [];
  #labelIndex = -1;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Reads a line, or all lines of a title. Returns the index of the next. */
  read(index: number): number {
    const [line = '', second = '', third = ''] = this.#lines.slice(index, index + 3);
    if (line === '') return index + 1;
    if (isRule(line)) {
      if (third !== line || second === '' || isRule(second)) return this.#readText(line, index);
      this.#openTitle(index, second, line.slice(0, 1).repeat(2));
      return index + 3;
    }
    if (!isRule(second) || !this.#isTitle(line, second, index)) return this.#readText(line, index);
    this.#openTitle(index, line, second.slice(0, 1));
    return index + 2;
  }

  end(): Section[] {
    this.#endLabels();
    return this.#list.end(this.#lines.length);
  }

  #isTitle(line: string, rule: string, index: number): boolean {
    const before = this.#lines[index - 1] ?? '';
    const isFirst = before === '' || before.startsWith('.. ') || isRule(before);
    return isFirst && line[0] !== ' ' && rule.length >= Math.min(line.length, MIN_UNDERLINE);
  }

  #openTitle(index: number, written: string, style: string): void {
    if (!this.#styles.includes(style)) this.#styles.push(style);
    const first = this.#labelIndex < 0 ? index : this.#labelIndex;
    for (let line = first; line < index; line++) this.#list.addComment(line + 1);
    const level = this.#styles.indexOf(style) + 1;
    this.#headings.open(index + 1, level, cleanTitle(written), this.#labels);
    this.#labels = [];
    this.#labelIndex = -1;
  }

  #readText(written: string, index: number): number {
    const line = written.slice(findText(written));
    const [label, quoted, plain] = LABEL.exec(line) ?? [];
    const [, directive = '', name = ''] = line.startsWith('.. ')
      ? (DIRECTIVE.exec(line) ?? [])
      : [];
    if ((label || MARKS.has(directive)) && line === written) {
      if (this.#labelIndex < 0) this.#labelIndex = index;
      if (directive !== 'index') this.#labels.push(quoted ?? plain ?? name);
    } else {
      this.#endLabels();
      this.#list.addContent();
      if (!TEXTS.has(directive)) this.#list.addKey(name);
    }
    return index + 1;
  }

  /** Adds labels that mark no title to the open section. */
  #endLabels(): void {
    if (this.#labelIndex < 0) return;
    this.#list.addContent();
    for (const label of this.#labels) this.#list.addKey(label);
    this.#labels = [];
    this.#labelIndex = -1;
  }
}

/** Returns true for a line of one punctuation mark. */
function isRule(line: string): boolean {
  const mark = line[0] ?? '';
  if (line.length < 2 || line[1] !== mark || !/^[!-/:-@[-`{-~]$/.test(mark)) return false;
  return line === mark.repeat(line.length);
}

/** Returns a title as people read it, without roles, links and emphasis. */
function cleanTitle(written: string): string {
  return written
    .replace(
      /``([^`]+)``|(?::[\w:+.-]{1,60}:)?`([^`]+)`_{0,2}/g,
      (_, code?: string, text = '') =>
        code ?? text.replace(/^[~!]/, '').replace(/(\S)\s*<[^<>]*>$/, '$1'),
    )
    .replace(/`+|\*+|\\(?=[^\w\s])/g, '');
}
