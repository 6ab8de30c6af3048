import type { Issue } from '../../issue/issue.ts';
import type { Frame } from '../../issue/mentions/frames.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { FileMatcher } from './paths.ts';

/** A frame of a traceback in the issue. */
export interface FrameMention extends Frame {
  /** The chunk it is in, or -1 for code outside the repository. */
  slot: number;
}

/** The frames of tracebacks, in order of appearance. */
export function resolveFrames({ mentions, syntaxes }: Issue, index: SearchIndex): FrameMention[] {
  const wanted = mentions.frames.map(({ segments }) => ({ kind: 'file' as const, segments }));
  const matcher = new FileMatcher(index, wanted, syntaxes);
  return mentions.frames.map((frame) => ({ ...frame, slot: slotOf(frame, matcher, index) }));
}

/**
 * The chunk a frame is in. The name decides before the line, as the issue may be about another version. Where only the
 * base name of the path fits, a function of the frame's name must be there.
 */
function slotOf(frame: Frame, matcher: FileMatcher, index: SearchIndex): number {
  const { segments } = frame;
  const { files, common, whole } = matcher.bySuffix(segments);
  const sure = common > 1 || (whole && segments.length === 1);
  if (!sure && segments.length > 1) return -1;
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const slot of files.flatMap((file) => [...index.slotsByPath(file)])) {
    const chunk = index.chunkAt(slot);
    const distance = chunk ? distanceOf(chunk, frame, sure) : Number.POSITIVE_INFINITY;
    if (distance < bestDistance) {
      best = slot;
      bestDistance = distance;
    }
  }
  return best;
}

/** How badly a chunk fits a frame: by name first, then by lines away, then by size. Infinite when it cannot be it. */
function distanceOf(chunk: IndexedChunk, frame: Frame, sure: boolean): number {
  const { kind, startLine, endLine } = chunk;
  const { line, isOfModule, definition } = frame;
  const named = kind === 'module' ? isOfModule : definition === chunk.name;
  const away = Math.max(startLine - line, line - endLine, 0);
  if (!named && (away > 0 || !sure)) return Number.POSITIVE_INFINITY;
  const wrongName = named ? 0 : kind === 'module' ? 2e9 : 1e9;
  return wrongName + away * 10 + (endLine - startLine) * 1e-6;
}
