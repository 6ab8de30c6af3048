import type { IssueSpan } from '../../../shared/evidence.ts';
import type { Issue } from '../../issue/issue.ts';
import type { IssueFrame } from '../../issue/mentions/frames.ts';
import type { IssueLines, PathToken } from '../../issue/mentions/paths.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { FileMatcher, getPathNames, getSectionPathNames, type PathNames } from './files.ts';

export interface PathMention {
  span: IssueSpan;
  files: string[];
  /** Form of the mention: a path or module of at least two parts (or a whole path from the root), or only a base name. */
  form: 'path' | 'module' | 'base name';
  /** Lines of the file that the issue mentions, and slots of the chunks that contain them; null without any, or in doubt. */
  lines: (IssueLines & { slots: number[] }) | null;
}

/** Returns true for a base name that many files have, such as `__init__.py`. It is not specific enough. */
export function isVague({ form, files }: PathMention): boolean {
  return form === 'base name' && files.length > 3;
}

const MAX_MENTIONS = 500;
const MAX_SPANS_EACH = 5;

/** Resolves the paths and modules that an issue mentions to files with code. */
export function resolvePaths(issue: Issue, index: SearchIndex): PathMention[] {
  return resolvePathsAmong(() => getPathNames(index), issue, index);
}

/** Resolves the paths that an issue mentions to files with sections. */
export function resolveSectionPaths(issue: Issue, index: SearchIndex): PathMention[] {
  if (index.sectionCount === 0) return [];
  const files = resolvePathsAmong(() => getSectionPathNames(index), issue, index);
  return files.filter(({ form }) => form !== 'module');
}

function resolvePathsAmong(
  getNames: () => PathNames,
  { mentions, syntaxes }: Issue,
  index: SearchIndex,
): PathMention[] {
  const files = new FileMatcher(getNames, mentions.paths, syntaxes);
  const seen = new Map<string, number>();
  const resolved: PathMention[] = [];
  for (const token of mentions.paths) {
    const times = seen.get(token.span.text) ?? 0;
    seen.set(token.span.text, times + 1);
    if (times >= MAX_SPANS_EACH || resolved.length >= MAX_MENTIONS) continue;
    const mention =
      token.kind === 'file' ? resolveFile(token, files, index) : resolveModule(token, files);
    if (mention) resolved.push(mention);
  }
  return resolved.sort((a, b) => a.span.start - b.span.start);
}

function resolveFile(
  { span, segments, lines: named, link }: PathToken,
  matcher: FileMatcher,
  index: SearchIndex,
): PathMention | null {
  const { files, common, isWholePath } = matcher.findBySuffix(segments, named !== null);
  const [file, other] = files;
  if (file === undefined) return null;
  // A link into another repository may have the same suffix as a path in this one.
  const isSure = other === undefined && (isWholePath || !link);
  const lines = named && isSure ? { ...named, slots: findSlotsAtLines(named, file, index) } : null;
  if (common > 1 || (isWholePath && segments.length === 1))
    return { span, files, form: 'path', lines };
  return segments.length === 1 ? { span, files, form: 'base name', lines } : null;
}

/** Resolves the longest prefix that is a module: django.http.cookie for `django.http.cookie.parse_cookie`. */
function resolveModule(
  { span, segments, ends }: PathToken,
  matcher: FileMatcher,
): PathMention | null {
  for (let length = segments.length; length >= 2; length--) {
    const files = matcher.findByModule(segments.slice(0, length).join('/'));
    if (files.length === 0) continue;
    const text = span.text.slice(0, ends[length - 1]);
    return {
      span: { start: span.start, end: span.start + text.length, text },
      files,
      form: 'module',
      lines: null,
    };
  }
  return null;
}

/**
 * Finds the innermost chunks that contain lines of a file: only functions and methods if there are any, else only classes,
 * else the module code.
 */
function findSlotsAtLines({ first, last }: IssueLines, file: string, index: SearchIndex): number[] {
  const near = index.getSlotsByPath(file).filter((slot) => {
    const { startLine, endLine } = index.getChunk(slot);
    return startLine <= last && first <= endLine;
  });
  const found = new Set<number>();
  for (let line = first; line <= last; line++) {
    const around = near.filter((slot) => {
      const { startLine, endLine } = index.getChunk(slot);
      return startLine <= line && line <= endLine;
    });
    const innermost = around.toSorted((a, b) => getLength(a) - getLength(b))[0];
    if (innermost !== undefined) found.add(innermost);
  }
  const getLevel = (slot: number) => ['class', 'module'].indexOf(index.getChunk(slot).kind);
  const innermostLevel = Math.min(...[...found].map(getLevel));
  return [...found].filter((slot) => getLevel(slot) === innermostLevel);

  /** Returns a chunk's length in lines; infinity for module code, which surrounds all definitions of its file. */
  function getLength(slot: number): number {
    const { kind, startLine, endLine } = index.getChunk(slot);
    return kind === 'module' ? Number.POSITIVE_INFINITY : endLine - startLine;
  }
}

export interface FrameMention extends IssueFrame {
  /** Slot of the chunk that contains the frame; -1 for code outside the repository. */
  slot: number;
}

export function resolveFrames({ mentions, syntaxes }: Issue, index: SearchIndex): FrameMention[] {
  const wanted = mentions.frames.map(({ segments }) => ({ kind: 'file' as const, segments }));
  const matcher = new FileMatcher(() => getPathNames(index), wanted, syntaxes);
  return mentions.frames.map((frame) => ({ ...frame, slot: findSlot(frame, matcher, index) }));
}

/**
 * Finds the chunk that contains a frame. The name decides before the line, since the issue may be about another version. If
 * the frame has only a base name, the file must have a function with the frame's name. If only the base name of its path
 * matches, as for files in the root of a library that was installed elsewhere, the line must also be in that function.
 */
function findSlot(frame: IssueFrame, matcher: FileMatcher, index: SearchIndex): number {
  const { segments } = frame;
  const { files, common, isWholePath } = matcher.findBySuffix(segments);
  const isSure = common > 1 || (isWholePath && segments.length === 1);
  const isElsewhere = !isSure && segments.length > 1;
  if (isElsewhere && !isWholePath) return -1;
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const slot of files.flatMap((file) => [...index.getSlotsByPath(file)])) {
    const chunk = index.getChunkOrNull(slot);
    const distance = chunk ? measureDistance(chunk, frame, isSure) : Number.POSITIVE_INFINITY;
    const isInside = chunk && chunk.startLine <= frame.line && frame.line <= chunk.endLine;
    if (isElsewhere && !(isInside && chunk.kind !== 'module')) continue;
    if (distance < bestDistance) {
      best = slot;
      bestDistance = distance;
    }
  }
  return best;
}

const isNamed = ({ name, alias }: IndexedChunk, definition: string): boolean =>
  definition === name || definition === alias;

/** Measures how badly a chunk fits a frame: by name, then by distance in lines, then by size. Infinity if it cannot fit. */
function measureDistance(chunk: IndexedChunk, frame: IssueFrame, isSure: boolean): number {
  const { kind, startLine, endLine } = chunk;
  const { line, isModuleCode, definition } = frame;
  const hasName = kind === 'module' ? isModuleCode : isNamed(chunk, definition);
  const away = Math.max(startLine - line, line - endLine, 0);
  if (!hasName && (away > 0 || !isSure)) return Number.POSITIVE_INFINITY;
  const wrongName = hasName ? 0 : kind === 'module' ? 2e9 : 1e9;
  return wrongName + away * 10 + (endLine - startLine) * 1e-6;
}
