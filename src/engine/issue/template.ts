/** Recognizes text of forms, trackers and lists of versions in issues, which is irrelevant to code. */
import type { IssueSyntax } from '../languages/issue-syntax.ts';

const HEADING =
  /^(?:#{1,6}[ \t]{1,8}(.{1,200}?)[#: \t]{0,8}|\*\*(.{1,80}?)\*\*:?|__(.{1,80}?)__:?)$/;
const UNDERLINE = /^[-=~^*#]{3,}$/;

/** Words of template headings. A heading of these words alone belongs to a template. */
const TEMPLATE_WORDS = new Set(
  `a actual additional an and any are be behavior behaviour bug can code comments complete context current describe
  describing description desired details did do does example examples exact expect expected experience feature fix for
  happen happened happening happens have how i in info information instead is issue it max minimal model motivation mvce
  new not notes of or other outcome output outputs possible problem procedure propose proposed reproducible reproduction
  reproduce reproducing request required result results sample screenshot screenshots script see should snippet solution
  solve steps subject suggested summary test the this to traceback use verifiable want was were what when workflow
  you your alternatives considered self-contained enable d error like message messages observed please related ve
  vs`.split(/\s+/),
);
const ENVIRONMENT =
  /\b(?:versions?|environment|operating system|platform|system info(?:rmation)?|installation|installed|dependencies|backend|screenshots?)\b/i;
/** A question about the reporter's machine. The text below it may go on with the report. */
const QUESTION =
  /^(?:what|which) (?:operating system\b.{0,60}|.{0,40}\b(?:version|compiler|platform)\b.{0,60} you\b.{0,40})\?$/i;
const VERSION_LINE =
  /^[-*>\s]{0,10}[A-Za-z][\w .()/-]{0,40}?(?:==?|:|\s)[ \t]{0,30}v?\d{1,4}(?:\.\w{1,12}){1,5}[\w+.-]{0,30}$/;
const SYSTEM_LINE = /^[-*>\s]{0,10}(?:OS|Operating system|Platform|Version)\s{0,3}[:=]/i;
const EMPTY_ANSWER =
  /^[\s*_-]{0,6}(?:no response|n\/a|none|no|yes|\[[ xX]?\].{0,200})[\s*_.]{0,4}$/i;
/** Placeholders of GitHub's templates for answers. */
const PLACEHOLDER =
  /^[\s>*_]{0,8}(?:a clear and concise description of (?:what (?:the (?:bug|problem) is|you (?:expected|want) to happen)|any alternative solutions or features you['’]ve considered)\.?(?: ex\. i['’]m always frustrated when \[(?:\.{3}|…)\])?|add any other context (?:or screenshots )?about the (?:problem|feature request) here\.?|if applicable, add screenshots to help explain your problem\.?)[*_]{0,4}$/i;
const TRAC_CHANGE = /^\s{0,40}\(last modified by .{1,80}\)\s{0,10}$/;

/** Maximum words of a heading above a description of the environment: longer ones are sentences. */
const MAX_HEADING_WORDS = 6;
/** Maximum UTF-16 units of a line about the machine: some trackers put a whole report into a line after the version. */
const MAX_SYSTEM_LINE = 160;

const LEADING_COMMENTS = /^\s*(?:<!--[\s\S]*?-->\s*)+/;

/** Returns the end of the comments that an issue begins with; 0 if there are none, or nothing follows them. */
export function getLeadingCommentsEnd(text: string): number {
  const length = LEADING_COMMENTS.exec(text)?.[0].length ?? 0;
  return length < text.length ? length : 0;
}

/** Returns the words of a heading, or null for other lines. */
export function getHeading(line: string): string | null {
  if (UNDERLINE.test(line)) return '';
  const marked = HEADING.exec(line);
  if (marked) return marked[1] ?? marked[2] ?? marked[3] ?? '';
  const bare = line.replace(/:$/, '').trim();
  return bare.length <= 60 && !/[.!?]$/.test(bare) && isTemplateHeading(bare) ? bare : null;
}

export function isTemplateHeading(heading: string): boolean {
  if (QUESTION.test(heading)) return true;
  const words = heading.toLowerCase().match(/[\p{L}-]{1,40}/gu) ?? [];
  return words.every((word) => TEMPLATE_WORDS.has(word));
}

/** Returns true if the text under a heading describes the reporter's machine. */
export function isEnvironmentHeading(heading: string, syntaxes: readonly IssueSyntax[]): boolean {
  const patterns = [ENVIRONMENT, ...syntaxes.map(({ environment }) => environment.heading)];
  const isShort = heading.split(/\s+/).length <= MAX_HEADING_WORDS;
  return isShort && patterns.some((pattern) => pattern.test(heading));
}

/** Returns true if a line is an empty answer to a template or describes the reporter's machine. */
export function isNoiseLine(line: string, syntaxes: readonly IssueSyntax[]): boolean {
  return (
    VERSION_LINE.test(line) ||
    EMPTY_ANSWER.test(line) ||
    PLACEHOLDER.test(line) ||
    TRAC_CHANGE.test(line) ||
    (line.length <= MAX_SYSTEM_LINE &&
      [SYSTEM_LINE, ...syntaxes.map(({ environment }) => environment.line)].some((pattern) =>
        pattern.test(line),
      ))
  );
}
