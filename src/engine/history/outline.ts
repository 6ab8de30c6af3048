import { LRUCache } from 'lru-cache';
import type { Language } from '../languages/language.ts';
import { type DefinitionHeader, readSoundHeader } from '../languages/layout/header.ts';

/** A line that begins a definition or ends a block, found without a syntax tree. */
export interface OutlineBoundary {
  /** Header of the definition that begins; null if the line ends everything at its depth or deeper. */
  header: DefinitionHeader | null;
  depth: number;
}

/** The lines of one file version at which definitions begin and end. That is enough to find the definition around an edit. */
export class Outline {
  readonly lines: number[] = [];
  /** Boundaries, parallel to `lines`. Versions of a file share most of these objects. */
  readonly boundaries: OutlineBoundary[] = [];

  add(line: number, boundary: OutlineBoundary): void {
    this.lines.push(line);
    this.boundaries.push(boundary);
  }
}

/** Copies the strings of a boundary for long-term storage: a substring keeps its whole text in memory. */
export function copyBoundary(boundary: OutlineBoundary): OutlineBoundary {
  const { header, depth } = boundary;
  if (!header) return boundary;
  const { kind, name, owner } = header;
  return { header: { kind, name: copyText(name), owner: copyText(owner) }, depth };
}

const MAX_SHARED_DEPTH = 200;
/** Shared boundaries without a header, by depth: they are many and equal. */
const ENDS = Array.from(
  { length: MAX_SHARED_DEPTH },
  (_, depth): OutlineBoundary => ({ header: null, depth }),
);

const getEnd = (depth: number): OutlineBoundary => ENDS[depth] ?? { header: null, depth };

function copyText(text: string): string {
  return Buffer.from(text).toString();
}

export function findBoundary(
  language: Language,
  text: string,
  start: number,
): OutlineBoundary | null {
  const { layout } = language;
  // Ends come first: they are common, and faster to recognize than headers.
  if (layout.isBlockEnd(text, start)) return getEnd(layout.measureIndent(text, start));
  const header = readSoundHeader(language, text, start);
  return header && { header, depth: layout.measureIndent(text, start) };
}

export function createOutline(language: Language, text: string): Outline {
  const outline = new Outline();
  // Every line must end with a line feed, as in git's output. The copy is flat: a concatenated string is slow to search.
  const lines = text.endsWith('\n') ? text : copyText(`${text}\n`);
  let line = 1;
  for (let start = 0; start < lines.length; line++) {
    const found = findBoundary(language, lines, start);
    if (found) outline.add(line, copyBoundary(found));
    start = lines.indexOf('\n', start) + 1;
  }
  return outline;
}

/** Maximum number of cached boundaries: enough for about 30,000 files of Python, or half as many in other languages. */
const MAX_BOUNDARIES = 500_000;

/** Cache of outlines by blob and language, until the commit that created the version is read. The oldest are evicted. */
export class OutlineCache {
  readonly #waiting: LRUCache<string, Outline>;

  constructor(mostBoundaries = MAX_BOUNDARIES) {
    this.#waiting = new LRUCache({
      maxSize: mostBoundaries,
      sizeCalculation: ({ lines }) => Math.max(1, lines.length),
    });
  }

  has(blob: string, language: Language): boolean {
    return this.#waiting.has(formatOutlineKey(blob, language));
  }

  /** Returns the outline of a file version and removes it: two commits seldom create the same version. */
  take(blob: string, language: Language): Outline | undefined {
    const key = formatOutlineKey(blob, language);
    const outline = this.#waiting.get(key);
    this.#waiting.delete(key);
    return outline;
  }

  put(blob: string, language: Language, outline: Outline): void {
    if (!this.has(blob, language)) this.#waiting.set(formatOutlineKey(blob, language), outline);
  }
}

export function formatOutlineKey(blob: string, language: Language): string {
  return `${blob} ${language.name}`;
}
