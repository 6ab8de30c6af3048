import type { IssueSpan } from '../../../shared/evidence.ts';
import { present } from '../../../shared/present.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { type Passage, spanOf } from '../passages.ts';
import { segmentsOf } from './paths.ts';

export interface Frame {
  span: IssueSpan;
  /** As the issue has it, and its parts. */
  path: string;
  segments: string[];
  line: number;
  /** As the issue has it; '' where the traceback does not tell. */
  name: string;
  definition: string;
  /** In code outside any definition. */
  isOfModule: boolean;
}

const MAX_FRAMES = 300;

/** The frames of tracebacks, outermost first; those of languages that print them alike are in one order. */
export function findFrames(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): Frame[] {
  const read = syntaxes.flatMap((syntax) =>
    passages
      .flatMap((passage) => readingsOf(passage, syntax))
      .toSorted(byPlace)
      .slice(0, MAX_FRAMES),
  );
  const kept = eachOnce(read);
  // A trace through files of Java and Kotlin is one trace.
  const alike = Map.groupBy(syntaxes, ({ innermost, cause }) => `${innermost} ${cause}`);
  return [...alike.values()]
    .flatMap((those) => {
      const frames = kept.filter(({ syntax }) => those.includes(syntax)).toSorted(byPlace);
      return outermostFirst(frames, passages, present(those[0], 'a syntax of a group'));
    })
    .map(({ frame }) => frame)
    .slice(0, MAX_FRAMES);
}

/** A frame as one form of a language read it. */
interface Reading {
  frame: Frame;
  syntax: IssueSyntax;
  /** Where its form ends, which may be lines below the frame's span. */
  end: number;
}

const byPlace = (a: Reading, b: Reading): number => a.frame.span.start - b.frame.span.start;

/** The frames of an error after those of the error that it caused, each of them innermost last. */
function outermostFirst(
  frames: Reading[],
  passages: readonly Passage[],
  { innermost, cause }: IssueSyntax,
): Reading[] {
  if (innermost === 'last') return frames;
  const causes = passages.flatMap(({ offset, text }) =>
    cause ? Array.from(text.matchAll(cause), ({ index }) => offset + index) : [],
  );
  const errorOf = ({ frame: { span } }: Reading) => causes.filter((at) => at < span.start).length;
  return frames.toSorted((a, b) => errorOf(a) - errorOf(b) || byPlace(b, a));
}

/** One reading of each frame: by the language of its file, with a name. */
function eachOnce(read: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  for (const reading of read.toSorted((a, b) => worthOf(b) - worthOf(a)))
    if (!kept.some((other) => isSame(reading, other))) kept.push(reading);
  return kept;
}

function worthOf({ frame: { path, name }, syntax }: Reading): number {
  return (syntax.sourceFile.test(path) ? 2 : 0) + (name === '' ? 0 : 1);
}

/** Whether two forms, of one language or of two, read one place as a frame. */
function isSame({ frame: a, end: aEnd }: Reading, { frame: b, end: bEnd }: Reading): boolean {
  return a.line === b.line && a.span.start < bEnd && b.span.start < aEnd;
}

function readingsOf(passage: Passage, syntax: IssueSyntax): Reading[] {
  return syntax.frames
    .flatMap((form) => [...passage.text.matchAll(form)])
    .flatMap((match) => {
      const frame = frameOf(match, passage, syntax);
      return frame ? { frame, syntax, end: passage.offset + match.index + match[0].length } : [];
    });
}

function frameOf(match: RegExpExecArray, passage: Passage, syntax: IssueSyntax): Frame | null {
  const groups = match.groups ?? {};
  const { path = '', name = '' } = syntax.frameOf?.(groups) ?? groups;
  const segments = segmentsOf(path);
  if (segments.length === 0) return null;
  // The span ends with the line: some forms go on to a line number further down.
  const trimmed = match[0].trimStart();
  const start = match.index + match[0].length - trimmed.length;
  const [first = ''] = trimmed.split('\n', 1);
  const definition = name.split(syntax.separator).at(-1) ?? '';
  return {
    span: spanOf(passage, start, start + first.trimEnd().length),
    path,
    segments,
    line: Number(groups.line),
    name,
    definition,
    isOfModule: definition === syntax.moduleFrame,
  };
}
