import { assertPresent } from '../../../shared/assert-present.ts';
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { createIssueSpan, type Passage } from '../passages.ts';
import { splitPathSegments } from './paths.ts';

export interface IssueFrame {
  span: IssueSpan;
  /** Path as the issue has it; `segments` are its parts. */
  path: string;
  segments: string[];
  line: number;
  /** Function name as the issue has it; '' if the traceback has none. */
  name: string;
  /** Last part of `name`. */
  definition: string;
  /** True for code outside any definition. */
  isModuleCode: boolean;
}

const MAX_FRAMES = 300;

/** Finds the frames of tracebacks, outermost first. Frames of languages with the same order of frames are sorted together. */
export function findFrames(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): IssueFrame[] {
  const read = syntaxes.flatMap((syntax) =>
    limitFrames(syntax.frames.flatMap((form) => readFrames(passages, form, syntax))),
  );
  const kept = removeDuplicates(read);
  // A trace may go through files of Java and Kotlin.
  const alike = Map.groupBy(syntaxes, ({ innermost, cause }) => `${innermost} ${cause}`);
  return [...alike.values()]
    .flatMap((group) => {
      const frames = kept.filter(({ syntax }) => group.includes(syntax)).toSorted(compareStarts);
      return sortOutermostFirst(frames, passages, assertPresent(group[0], 'a syntax of a group'));
    })
    .map(({ frame }) => frame)
    .slice(0, MAX_FRAMES);
}

/** A frame, as one pattern of a language matched it. */
interface Reading {
  frame: IssueFrame;
  syntax: IssueSyntax;
  /** End of the match, which may be lines below the frame's span. */
  end: number;
}

const compareStarts = (a: Reading, b: Reading): number => a.frame.span.start - b.frame.span.start;

/** Sorts frames, given by start: innermost last in each error, and an error that caused another one after it. */
function sortOutermostFirst(
  frames: Reading[],
  passages: readonly Passage[],
  { innermost, cause }: IssueSyntax,
): Reading[] {
  if (innermost === 'last') return frames;
  const causes = passages.flatMap(({ offset, text }) =>
    cause ? Array.from(text.matchAll(cause), ({ index }) => offset + index) : [],
  );
  let before = 0;
  const causesBefore = new Map<Reading, number>();
  for (const reading of frames) {
    while ((causes[before] ?? Number.POSITIVE_INFINITY) < reading.frame.span.start) before++;
    causesBefore.set(reading, before);
  }
  const countCauses = (reading: Reading) => causesBefore.get(reading) ?? 0;
  return frames.toSorted((a, b) => countCauses(a) - countCauses(b) || compareStarts(b, a));
}

/** Keeps one reading of each frame, preferably by the language of its file and with a name. */
function removeDuplicates(read: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  for (const reading of read.toSorted((a, b) => rateReading(b) - rateReading(a)))
    if (!kept.some((other) => isSameFrame(reading, other))) kept.push(reading);
  return kept;
}

function rateReading({ frame: { path, name }, syntax }: Reading): number {
  return (syntax.sourceFile.test(path) ? 2 : 0) + (name === '' ? 0 : 1);
}

/** Returns true if two readings are of the same frame, whatever their languages. */
function isSameFrame({ frame: a, end: aEnd }: Reading, { frame: b, end: bEnd }: Reading): boolean {
  return a.line === b.line && a.span.start < bEnd && b.span.start < aEnd;
}

/** Reads the frames of one form. Once there are many, it leaves out repetitions, as in logs. */
function readFrames(passages: readonly Passage[], form: RegExp, syntax: IssueSyntax): Reading[] {
  const read: Reading[] = [];
  const seen = new Set<string>();
  for (const passage of passages) {
    for (const match of passage.text.matchAll(form)) {
      const frame = createFrame(match, passage, syntax);
      const isOld = frame && seen.has(describeFrame(frame));
      if (!frame || (isOld && read.length >= MAX_FRAMES)) continue;
      seen.add(describeFrame(frame));
      read.push({ frame, syntax, end: passage.offset + match.index + match[0].length });
      if (read.length === 2 * MAX_FRAMES) return read;
    }
  }
  return read;
}

/** Returns the first frames, in order. If there are too many, only the first of equal ones counts. */
function limitFrames(read: readonly Reading[]): Reading[] {
  const sorted = read.toSorted(compareStarts);
  if (sorted.length <= MAX_FRAMES) return sorted;
  const groups = Map.groupBy(sorted, ({ frame }) => describeFrame(frame));
  return Array.from(groups.values())
    .flatMap(([first]) => first ?? [])
    .slice(0, MAX_FRAMES);
}

const describeFrame = ({ path, line, name }: IssueFrame): string => `${path}:${line} ${name}`;

function createFrame(
  match: RegExpExecArray,
  passage: Passage,
  syntax: IssueSyntax,
): IssueFrame | null {
  const groups = match.groups ?? {};
  const { path = '', name = '' } = syntax.readFrame?.(groups) ?? groups;
  const segments = splitPathSegments(path);
  if (segments.length === 0) return null;
  // The span ends with its first line: some patterns go on to a line number further down.
  const trimmed = match[0].trimStart();
  const start = match.index + match[0].length - trimmed.length;
  const [first = ''] = trimmed.split('\n', 1);
  const definition = name.split(syntax.separator).at(-1) ?? '';
  return {
    span: createIssueSpan(passage, start, start + first.trimEnd().length),
    path,
    segments,
    line: Number(groups.line),
    name,
    definition,
    isModuleCode: definition === syntax.moduleFrame,
  };
}
