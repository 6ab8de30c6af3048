import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import { type Passage, spanOf } from '../passages.ts';
import { segmentsOf } from './paths.ts';

/** A frame of a traceback in the issue. */
export interface Frame {
  span: IssueSpan;
  /** As the issue has it, and its parts. */
  path: string;
  segments: string[];
  line: number;
  /** As the issue has it; '' where the traceback does not tell. */
  name: string;
  /** The last part of the name. */
  definition: string;
  /** In code outside any definition. */
  isOfModule: boolean;
}

const MAX_FRAMES = 300;

/** The frames of tracebacks, outermost first, one language after the other. */
export function findFrames(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
): Frame[] {
  const found: Frame[] = [];
  for (const syntax of syntaxes) {
    const own = passages.flatMap((passage) => framesIn(passage, syntax));
    const kept = own.sort(byPlace).slice(0, MAX_FRAMES);
    const news = kept.filter((frame) => !found.some((other) => isSame(frame, other)));
    found.push(...outermostFirst(news, passages, syntax));
  }
  return found.slice(0, MAX_FRAMES);
}

const byPlace = (a: Frame, b: Frame): number => a.span.start - b.span.start;

/** The frames of an error after those of the error that it caused, each of them innermost last. */
function outermostFirst(
  frames: Frame[],
  passages: readonly Passage[],
  { innermost, cause }: IssueSyntax,
): Frame[] {
  if (innermost === 'last') return frames;
  const causes = passages.flatMap(({ offset, text }) =>
    cause ? Array.from(text.matchAll(cause), ({ index }) => offset + index) : [],
  );
  const errorOf = ({ span }: Frame) => causes.filter((at) => at < span.start).length;
  return frames.toSorted((a, b) => errorOf(a) - errorOf(b) || byPlace(b, a));
}

/** Whether two languages read one place as a frame. */
function isSame(a: Frame, b: Frame): boolean {
  return a.line === b.line && a.span.start < b.span.end && b.span.start < a.span.end;
}

function framesIn(passage: Passage, syntax: IssueSyntax): Frame[] {
  return syntax.frames
    .flatMap((form) => [...passage.text.matchAll(form)])
    .flatMap((match) => frameOf(match, passage, syntax) ?? []);
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
