import type { IssueSpan } from '../../../shared/evidence.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { FileMatcher, segmentsOf } from './paths.ts';
import { type Passage, spanOf } from './text.ts';

/** A frame of a traceback in the issue. */
export interface FrameMention {
  span: IssueSpan;
  /** As the issue has it. */
  path: string;
  line: number;
  /** Of the function; '' where the traceback does not tell. */
  name: string;
  /** The chunk it is in, or -1 for code outside the repository. */
  slot: number;
}

const MAX_FRAMES = 300;

/**
 * The forms of frames, each with groups path, line and name (some without a name):
 * Python's own, IPython's newer one, pytest's, and IPython's older one, whose line number stands at a later arrow.
 */
const FORMS: readonly RegExp[] = [
  /\bFile "(?<path>[^"\n]{1,500})", line (?<line>\d{1,7})(?:, in (?<name>[^\s,]{1,200}))?/g,
  /\bFile (?<path>(?:[A-Za-z]:)?[^\s":][^\n":]{0,400}\.\w{1,8}):(?<line>\d{1,7}), in (?<name>[\w.<>]{1,200})/g,
  /^[ \t>]{0,20}(?<path>(?:[A-Za-z]:)?[^\s:"'()>][^\s:"'()]{0,400}\.\w{1,8}):(?<line>\d{1,7}):[ \t]{0,20}(?:in (?<name>[\w.<>]{1,200})|$|(?=[\w.]{0,200}(?:Error|Exception|Warning|Failed)\b))/gm,
  /^[ \t]{0,20}(?<path>(?:[A-Za-z]:)?[~./\\\w-][^\s:"'()]{0,400}\.\w{1,8}) in (?<name>[\w.<>]{1,200})\([^\n]{0,500}\n(?:[^\n]{0,200}\n){0,8}?-{2,}> ?(?<line>\d{1,7})\b/gm,
];

/** The frames of tracebacks, in order of appearance: outermost first, as Python prints them. */
export function findFrames(passages: readonly Passage[], index: SearchIndex): FrameMention[] {
  const frames = passages
    .flatMap((passage) => FORMS.flatMap((form) => [...readFrames(form, passage)]))
    .sort((a, b) => a.span.start - b.span.start)
    .slice(0, MAX_FRAMES);
  const wanted = frames.map(({ path }) => ({ kind: 'file' as const, segments: segmentsOf(path) }));
  const matcher = new FileMatcher(index, wanted);
  for (const [i, frame] of frames.entries()) {
    frame.slot = slotOf(frame, wanted[i].segments, matcher, index);
  }
  return frames;
}

function* readFrames(form: RegExp, passage: Passage): Generator<FrameMention> {
  for (const match of passage.text.matchAll(form)) {
    const { path, line, name = '' } = match.groups!;
    if (segmentsOf(path!).length === 0) continue;
    // The span ends with the line: the older IPython form goes on to its arrow.
    const lead = match[0].length - match[0].trimStart().length;
    const length = (match[0].trimStart().split('\n', 1)[0] ?? '').trimEnd().length;
    const start = match.index + lead;
    yield {
      span: spanOf(passage, start, start + length),
      path: path!,
      line: Number(line),
      name,
      slot: -1,
    };
  }
}

/**
 * The chunk a frame is in. The name decides before the line, as the issue may be about another version. Where only the
 * base name of the path fits, a function of the frame's name must be there.
 */
function slotOf(
  frame: FrameMention,
  segments: string[],
  matcher: FileMatcher,
  index: SearchIndex,
): number {
  const { files, common, whole } = matcher.bySuffix(segments);
  const sure = common > 1 || (whole && segments.length === 1);
  if (!sure && segments.length > 1) return -1;
  const name = frame.name.slice(frame.name.lastIndexOf('.') + 1);
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const slot of files.flatMap((file) => [...index.slotsByPath(file)])) {
    const distance = distanceOf(index.chunks[slot]!, name, frame.line, sure);
    if (distance < bestDistance) {
      best = slot;
      bestDistance = distance;
    }
  }
  return best;
}

/** How badly a chunk fits a frame: by name first, then by lines away, then by size. Infinite when it cannot be it. */
function distanceOf(chunk: IndexedChunk, name: string, line: number, sure: boolean): number {
  const { kind, startLine, endLine } = chunk;
  const named = kind === 'module' ? name === '<module>' : name === chunk.name;
  const away = Math.max(startLine - line, line - endLine, 0);
  if (!named && (away > 0 || !sure)) return Number.POSITIVE_INFINITY;
  const wrongName = named ? 0 : kind === 'module' ? 2e9 : 1e9;
  return wrongName + away * 10 + (endLine - startLine) * 1e-6;
}
