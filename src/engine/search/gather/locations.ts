import type { IssueSpan } from '../../../shared/evidence.ts';
import type { Issue } from '../../issue/issue.ts';
import type { Frame } from '../../issue/mentions/frames.ts';
import type { NamedLines, PathToken } from '../../issue/mentions/paths.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { FileMatcher } from './files.ts';

export interface PathMention {
  span: IssueSpan;
  files: string[];
  /** Form of the mention: a path or module of at least two parts (or a whole path from the root), or only a base name. */
  by: 'path' | 'module' | 'base name';
  /** Lines of the file that the issue names, and slots of the chunks that contain them; null without any, or in doubt. */
  lines: (NamedLines & { slots: number[] }) | null;
}

/** A base name that many files have, `__init__.py` and the like, says too little. */
export function isVague({ by, files }: PathMention): boolean {
  return by === 'base name' && files.length > 3;
}

const MAX_MENTIONS = 500;
const MAX_SPANS_EACH = 5;

export function resolvePaths({ mentions, syntaxes }: Issue, index: SearchIndex): PathMention[] {
  const files = new FileMatcher(index, mentions.paths, syntaxes);
  const seen = new Map<string, number>();
  const resolved: PathMention[] = [];
  for (const token of mentions.paths) {
    const times = seen.get(token.span.text) ?? 0;
    seen.set(token.span.text, times + 1);
    if (times >= MAX_SPANS_EACH || resolved.length >= MAX_MENTIONS) continue;
    const mention =
      token.kind === 'file' ? fileMention(token, files, index) : moduleMention(token, files);
    if (mention) resolved.push(mention);
  }
  return resolved.sort((a, b) => a.span.start - b.span.start);
}

function fileMention(
  { span, segments, lines: named, link }: PathToken,
  matcher: FileMatcher,
  index: SearchIndex,
): PathMention | null {
  const { files, common, whole } = matcher.bySuffix(segments, named !== null);
  const [file, other] = files;
  if (file === undefined) return null;
  // A link into another repository may end as a path of this one does.
  const isSure = other === undefined && (whole || !link);
  const lines = named && isSure ? { ...named, slots: slotsOfLines(named, file, index) } : null;
  if (common > 1 || (whole && segments.length === 1)) return { span, files, by: 'path', lines };
  return segments.length === 1 ? { span, files, by: 'base name', lines } : null;
}

/** `django.http.cookie.parse_cookie` names the module django.http.cookie: the longest beginning that is one counts. */
function moduleMention(
  { span, segments, ends }: PathToken,
  matcher: FileMatcher,
): PathMention | null {
  for (let length = segments.length; length >= 2; length--) {
    const files = matcher.byModule(segments.slice(0, length).join('/'));
    if (files.length === 0) continue;
    const text = span.text.slice(0, ends[length - 1]);
    return {
      span: { start: span.start, end: span.start + text.length, text },
      files,
      by: 'module',
      lines: null,
    };
  }
  return null;
}

/**
 * Returns the slots of the innermost chunks that contain lines of a file: only functions and methods if there are any, else
 * only classes, else the code outside any definition.
 */
function slotsOfLines({ first, last }: NamedLines, file: string, index: SearchIndex): number[] {
  const near = index.slotsByPath(file).filter((slot) => {
    const { startLine, endLine } = index.chunk(slot);
    return startLine <= last && first <= endLine;
  });
  const found = new Set<number>();
  for (let line = first; line <= last; line++) {
    const around = near.filter((slot) => {
      const { startLine, endLine } = index.chunk(slot);
      return startLine <= line && line <= endLine;
    });
    const innermost = around.toSorted((a, b) => getLength(a) - getLength(b))[0];
    if (innermost !== undefined) found.add(innermost);
  }
  const kindOf = (slot: number) => ['class', 'module'].indexOf(index.chunk(slot).kind);
  const innerKind = Math.min(...[...found].map(kindOf));
  return [...found].filter((slot) => kindOf(slot) === innerKind);

  /** The code outside any definition has what is left of all of the file. */
  function getLength(slot: number): number {
    const { kind, startLine, endLine } = index.chunk(slot);
    return kind === 'module' ? Number.POSITIVE_INFINITY : endLine - startLine;
  }
}

export interface FrameMention extends Frame {
  /** The chunk it is in, or -1 for code outside the repository. */
  slot: number;
}

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

/** Returns how badly a chunk fits a frame: by name first, then by distance in lines, then by size. Infinite if it cannot fit. */
function distanceOf(chunk: IndexedChunk, frame: Frame, sure: boolean): number {
  const { kind, startLine, endLine } = chunk;
  const { line, isOfModule, definition } = frame;
  const named = kind === 'module' ? isOfModule : definition === chunk.name;
  const away = Math.max(startLine - line, line - endLine, 0);
  if (!named && (away > 0 || !sure)) return Number.POSITIVE_INFINITY;
  const wrongName = named ? 0 : kind === 'module' ? 2e9 : 1e9;
  return wrongName + away * 10 + (endLine - startLine) * 1e-6;
}
