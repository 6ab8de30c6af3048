/**
 * Cuts an issue into title, prose, code, traceback and noise, line by line, as a developer's eye does: words mean
 * different things in each, and a template's headings and a list of installed versions say nothing about code.
 * Works on Markdown, reStructuredText, Trac and text without any marks; takes linear time on any text.
 */
import type { Passage } from './text.ts';

export type SectionKind = 'title' | 'prose' | 'code' | 'trace' | 'noise';

/** Neighbouring lines of one kind. */
export interface Section {
  kind: SectionKind;
  /** Where it begins in the issue, in UTF-16 units. */
  start: number;
  text: string;
}

/** Lines are judged by their beginning. */
const LOOK = 240;

const FENCE = /^[ \t>]{0,20}(?:```|~~~)/;
const TRAC_OPEN = /^[ \t]{0,20}\{\{\{/;
const TRAC_CLOSE = /^[ \t]{0,20}\}\}\}/;
const HEADING =
  /^(?:#{1,6}[ \t]{1,8}(.{1,80}?)[#: \t]{0,8}|\*\*(.{1,80}?)\*\*:?|__(.{1,80}?)__:?)$/;
const UNDERLINE = /^[-=~^*#]{3,}$/;

/** Headings of issue templates are made of these words alone. */
const TEMPLATE_WORDS = new Set(
  `a actual additional an and any are be behavior behaviour bug can code comments complete context current describe
  describing description desired details did do does example examples exact expect expected experience feature fix for
  happen happened happening happens have how i in info information instead is issue it max minimal model motivation mvce
  new not notes of or other outcome output outputs possible problem procedure propose proposed reproducible reproduction
  reproduce reproducing request required result results sample screenshot screenshots script see should snippet solution
  solve steps subject suggested summary test the this to traceback use verifiable want was were what when workflow
  you your alternatives considered self-contained enable`.split(/\s+/),
);
/** Under such a heading stands what the reporter's machine is like. */
const ENVIRONMENT =
  /\b(?:versions?|environment|operating system|platform|system info(?:rmation)?|installation|installed|show_versions|dependencies|backend|screenshots?)\b/i;
const VERSION_LINE =
  /^[-*>\s]{0,10}[A-Za-z][\w .()/-]{0,40}?(?:==?|:|\s)[ \t]{0,30}v?\d{1,4}(?:\.\w{1,12}){1,5}[\w+.-]{0,30}$/;
const SYSTEM_LINE =
  /^[-*>\s]{0,10}(?:OS|Operating system|Platform|Python(?: version)?|Version)\s{0,3}[:=]/i;
const EMPTY_ANSWER =
  /^[\s*_-]{0,6}(?:no response|n\/a|none|no|yes|\[[ xX]?\].{0,200})[\s*_.]{0,4}$/i;
const TRAC_CHANGE = /^\s{0,40}\(last modified by .{1,80}\)\s{0,10}$/;

const TRACE_START =
  /Traceback \(most recent call last\)|^\s{0,12}File "[^"]{1,200}", line \d|^\s{0,8}File \S{1,200}:\d{1,7}, in |^\S{1,200}\.py:\d{1,7}: in |^\S{1,200}\.py in \w{1,80}\(|^\s{0,12}[\w.]{0,100}(?:Error|Exception|Warning): \S/;
const ERROR_LINE = /^(?:[\w.]{0,100}(?:Error|Exception|Warning|Exit|Interrupt)\b|[\w.]{1,100}: )/;
/** What stays in a traceback: source lines, arrows, line numbers, pytest's marks, the words between chained ones. */
const TRACE_LINE =
  /^(?:\s|$|[->]{2,}|>|E\s|\d{1,7}\s|[-_=*]{3,}|\.\.\.|During handling of|The above exception)/;

const INDENTED = /^(?: {4}|\t)/;
const PROMPT = /^\s{0,8}(?:>>>|\.\.\.(?:\s|$)|In \[\d{1,6}\]:|Out ?\[\d{1,6}\]:|\$ )/;
/** A line of code without any marks, as in Trac and in mail. */
const CODE_LINE =
  /^(?:from [\w.]{1,100} import\b|import [\w.]{1,100}(?:$| as |,)|(?:async )?def \w|class \w{1,80}[(:]|@[\w.]{1,80}(?:\(|$)|(?:if|for|while|with|elif|except|else|try)\b.{0,200}:$|(?:raise|assert|return) [\w.]{1,80}\(|[\w.[\]'"]{1,80}(?:, ?[\w.]{1,40}){0,4} ?[-+*/|&]?= ?[^\s=]|[\w.]{1,100}\(.{0,200}\)[;,]?$|[)\]}]{1,5},?$)/;

/** The sections of an issue in order; together they are all that is read of it. */
export function sectionsOf(passages: readonly Passage[]): Section[] {
  const reader = new LineReader();
  const sections: Section[] = [];
  for (const { offset, text } of passages) {
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline + 1;
      const kind = reader.kindOf(text.slice(start, Math.min(end, start + LOOK)).trimEnd());
      const last = sections.at(-1);
      const isNext = last && last.start + last.text.length === offset + start;
      if (last?.kind === kind && isNext) last.text += text.slice(start, end);
      else sections.push({ kind, start: offset + start, text: text.slice(start, end) });
      start = end;
    }
  }
  return sections;
}

/** The text of all sections of these kinds. */
export function textOf(sections: readonly Section[], ...kinds: SectionKind[]): string {
  return sections
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('\n');
}

/** What is searched for of an issue: everything but a template's headings, comments and lists of versions. */
export function searchedText(sections: readonly Section[]): string {
  return textOf(sections, 'title', 'prose', 'code', 'trace');
}

/** Says what a line is from its form and from the lines before. */
class LineReader {
  #hasTitle = false;
  #fence: '' | '```' | '{{{' = '';
  #inComment = false;
  #inTrace = false;
  #inCode = false;
  #inEnvironment = false;

  kindOf(line: string): SectionKind {
    if (!this.#hasTitle) return this.#title(line);
    if (this.#fence) return this.#fenced(line);
    if (this.#inComment || line.trimStart().startsWith('<!--')) {
      this.#inComment = !line.includes('-->');
      return 'noise';
    }
    if (this.#opensFence(line)) return 'noise';
    if (this.#continuesTrace(line)) return 'trace';
    if (line.trim() === '') return this.#inCode ? 'code' : 'prose';
    if (PROMPT.test(line)) return this.#code();
    const heading = this.#headingOf(line);
    if (heading !== null) {
      this.#inCode = false;
      this.#inEnvironment = ENVIRONMENT.test(heading) && heading.split(/\s+/).length <= 6;
      return this.#inEnvironment || isTemplate(heading) ? 'noise' : 'prose';
    }
    if (this.#inEnvironment || isNoise(line)) return 'noise';
    if (INDENTED.test(line) || CODE_LINE.test(line)) return this.#code();
    this.#inCode = false;
    return 'prose';
  }

  #title(line: string): SectionKind {
    if (line.trim() === '') return 'noise';
    this.#hasTitle = true;
    return 'title';
  }

  #code(): SectionKind {
    this.#inCode = true;
    return 'code';
  }

  #fenced(line: string): SectionKind {
    if ((this.#fence === '```' ? FENCE : TRAC_CLOSE).test(line)) {
      this.#fence = '';
      this.#inTrace = false;
      return 'noise';
    }
    if (this.#inEnvironment) return 'noise';
    return this.#continuesTrace(line) ? 'trace' : 'code';
  }

  #opensFence(line: string): boolean {
    if (FENCE.test(line)) this.#fence = '```';
    else if (TRAC_OPEN.test(line) && !line.includes('}}}')) this.#fence = '{{{';
    else return false;
    this.#inTrace = false;
    this.#inCode = false;
    return true;
  }

  #continuesTrace(line: string): boolean {
    const starts = TRACE_START.test(line);
    if (!starts && !this.#inTrace) return false;
    this.#inTrace = starts || TRACE_LINE.test(line) || ERROR_LINE.test(line);
    return this.#inTrace;
  }

  /** The words of a heading, or null. */
  #headingOf(line: string): string | null {
    if (UNDERLINE.test(line)) return '';
    const marked = HEADING.exec(line);
    if (marked) return (marked[1] ?? marked[2] ?? marked[3])!;
    const bare = line.replace(/:$/, '').trim();
    return bare.length <= 60 && !/[.!?]$/.test(bare) && isTemplate(bare) ? bare : null;
  }
}

function isTemplate(heading: string): boolean {
  const words = heading.toLowerCase().match(/[\p{L}-]{1,40}/gu) ?? [];
  return words.every((word) => TEMPLATE_WORDS.has(word));
}

function isNoise(line: string): boolean {
  return (
    VERSION_LINE.test(line) ||
    SYSTEM_LINE.test(line) ||
    EMPTY_ANSWER.test(line) ||
    TRAC_CHANGE.test(line)
  );
}
