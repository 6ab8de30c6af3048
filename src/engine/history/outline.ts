import { LRUCache } from 'lru-cache';
import type { Language } from '../languages/language.ts';
import { type Header, soundHeaderAt } from '../languages/layout/header.ts';

/** A line that begins a definition, or ends what is open, as a reader without a syntax tree sees it. */
export interface Boundary {
  /** Of what begins; null where the line ends what is laid out as deep as it, or deeper. */
  header: Header | null;
  depth: number;
}

/** The lines of one version of a file at which definitions begin and end: all that is to be known of it to tell where an edit is. */
export class Outline {
  readonly lines: number[] = [];
  /** Versions of a file share most of theirs. */
  readonly boundaries: Boundary[] = [];

  add(line: number, boundary: Boundary): void {
    this.lines.push(line);
    this.boundaries.push(boundary);
  }
}

/** A boundary that can be kept: strings that were cut out of a text hold all of it in memory. */
export function kept(boundary: Boundary): Boundary {
  const { header, depth } = boundary;
  if (!header) return boundary;
  const { kind, name, owner } = header;
  return { header: { kind, name: copied(name), owner: copied(owner) }, depth };
}

const DEEPEST = 200;
/** By their depth: there are many ends, and few that differ. */
const ENDS = Array.from({ length: DEEPEST }, (_, depth): Boundary => ({ header: null, depth }));

const endOf = (depth: number): Boundary => ENDS[depth] ?? { header: null, depth };

function copied(text: string): string {
  return Buffer.from(text).toString();
}

export function boundaryAt(language: Language, text: string, start: number): Boundary | null {
  const { layout } = language;
  // Sooner told than that a line is no header, and many lines are one.
  if (layout.endsAt(text, start)) return endOf(layout.depthAt(text, start));
  const header = soundHeaderAt(language, text, start);
  return header && { header, depth: layout.depthAt(text, start) };
}

export function outlineOf(language: Language, text: string): Outline {
  const outline = new Outline();
  // What git shows of a file ends with a line feed, and so do all its lines here. A string in two pieces is slow to search.
  const lines = text.endsWith('\n') ? text : copied(`${text}\n`);
  let line = 1;
  for (let start = 0; start < lines.length; line++) {
    const found = boundaryAt(language, lines, start);
    if (found) outline.add(line, kept(found));
    start = lines.indexOf('\n', start) + 1;
  }
  return outline;
}

/** Boundaries that are kept: those of some 30,000 files of Python, of half as many in other languages. */
const MOST_BOUNDARIES = 500_000;

/** Outlines by blob and language, until the commit is read that made that version. The oldest are forgotten. */
export class Outlines {
  readonly #waiting: LRUCache<string, Outline>;

  constructor(mostBoundaries = MOST_BOUNDARIES) {
    this.#waiting = new LRUCache({
      maxSize: mostBoundaries,
      sizeCalculation: ({ lines }) => Math.max(1, lines.length),
    });
  }

  has(blob: string, language: Language): boolean {
    return this.#waiting.has(outlineKey(blob, language));
  }

  /** Returns the outline of a version and forgets it: few commits make what another has made. */
  take(blob: string, language: Language): Outline | undefined {
    const key = outlineKey(blob, language);
    const outline = this.#waiting.get(key);
    this.#waiting.delete(key);
    return outline;
  }

  put(blob: string, language: Language, outline: Outline): void {
    if (!this.has(blob, language)) this.#waiting.set(outlineKey(blob, language), outline);
  }
}

export function outlineKey(blob: string, language: Language): string {
  return `${blob} ${language.name}`;
}
