import type { Language } from '../languages/language.ts';
import { type Header, headerAt } from '../languages/layout/header.ts';

/** A line that begins a definition, as a reader without a syntax tree sees it. */
export interface PlacedHeader {
  header: Header;
  /** How deep it is laid out. */
  depth: number;
}

/** The lines of one version of a file that begin definitions: all that is to be known of it to tell where an edit is. */
export class Outline {
  /** From 1 on, in order. */
  readonly lines: number[] = [];
  /** Versions of a file share most of theirs. */
  readonly headers: PlacedHeader[] = [];

  /** Adds a header below all others. */
  add(line: number, header: PlacedHeader): void {
    this.lines.push(line);
    this.headers.push(header);
  }
}

/** A header that can be kept: strings that were cut out of a text hold all of it in memory. */
export function kept({ header: { kind, name, owner }, depth }: PlacedHeader): PlacedHeader {
  return { header: { kind, name: copied(name), owner: copied(owner) }, depth };
}

function copied(text: string): string {
  return Buffer.from(text).toString();
}

/** The header on the line that begins at `start`, with its depth, or null. */
export function placedHeaderAt(
  language: Language,
  text: string,
  start: number,
): PlacedHeader | null {
  const header = headerAt(language, text, start);
  return header && { header, depth: language.layout.depthAt(text, start) };
}

export function outlineOf(language: Language, text: string): Outline {
  const outline = new Outline();
  // What git shows of a file ends with a line feed, and so do all its lines here. A string in two pieces is slow to search.
  const lines = text.endsWith('\n') ? text : copied(`${text}\n`);
  let line = 1;
  for (let start = 0; start < lines.length; line++) {
    const found = placedHeaderAt(language, lines, start);
    if (found) outline.add(line, kept(found));
    start = lines.indexOf('\n', start) + 1;
  }
  return outline;
}

/** Headers that are kept: those of some 30,000 files. */
const MOST_HEADERS = 500_000;

/**
 * Outlines that wait for the commit that made the version which they are of: by the id of the blob, of each language that it
 * was read in. The oldest are forgotten when there are many.
 */
export class Outlines {
  readonly #kept = new Map<string, Outline>();
  readonly #mostHeaders: number;
  #headers = 0;

  constructor(mostHeaders = MOST_HEADERS) {
    this.#mostHeaders = mostHeaders;
  }

  has(blob: string, language: Language): boolean {
    return this.#kept.has(outlineKey(blob, language));
  }

  /** The outline of a version, which is forgotten: few commits make what another has made. */
  take(blob: string, language: Language): Outline | undefined {
    const key = outlineKey(blob, language);
    const outline = this.#kept.get(key);
    if (outline) this.#forget(key, outline);
    return outline;
  }

  put(blob: string, language: Language, outline: Outline): void {
    const key = outlineKey(blob, language);
    if (this.#kept.has(key)) return;
    this.#kept.set(key, outline);
    this.#headers += outline.lines.length;
    if (this.#headers <= this.#mostHeaders) return;
    for (const [oldest, first] of this.#kept) {
      if (this.#headers <= this.#mostHeaders) return;
      this.#forget(oldest, first);
    }
  }

  #forget(key: string, { lines }: Outline): void {
    this.#kept.delete(key);
    this.#headers -= lines.length;
  }
}

/** What an outline is kept by: a blob may be read in several languages. */
export function outlineKey(blob: string, language: Language): string {
  return `${blob} ${language.name}`;
}
