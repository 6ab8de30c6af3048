import type { IssueSpan } from '../../../shared/evidence.ts';
import { present } from '../../../shared/present.ts';
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
    passages
      .flatMap((passage) => readFrames(passage, syntax))
      .toSorted(compareStarts)
      .slice(0, MAX_FRAMES),
  );
  const kept = removeDuplicates(read);
  // A trace may go through files of Java and Kotlin.
  const alike = Map.groupBy(syntaxes, ({ innermost, cause }) => `${innermost} ${cause}`);
  return [...alike.values()]
    .flatMap((group) => {
      const frames = kept.filter(({ syntax }) => group.includes(syntax)).toSorted(compareStarts);
      return sortOutermostFirst(frames, passages, present(group[0], 'a syntax of a group'));
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

/** Sorts frames: innermost last in each error, and an error that caused another one after it. */
function sortOutermostFirst(
  frames: Reading[],
  passages: readonly Passage[],
  { innermost, cause }: IssueSyntax,
): Reading[] {
  if (innermost === 'last') return frames;
  const causes = passages.flatMap(({ offset, text }) =>
    cause ? Array.from(text.matchAll(cause), ({ index }) => offset + index) : [],
  );
  const countCauses = ({ frame: { span } }: Reading) =>
    causes.filter((at) => at < span.start).length;
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

function readFrames(passage: Passage, syntax: IssueSyntax): Reading[] {
  return syntax.frames
    .flatMap((form) => [...passage.text.matchAll(form)])
    .flatMap((match) => {
      const frame = createFrame(match, passage, syntax);
      return frame ? { frame, syntax, end: passage.offset + match.index + match[0].length } : [];
    });
}

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
