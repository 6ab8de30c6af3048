import type { HunkHeader } from '../../base/unified-diff.ts';
import { MODULE_NAME } from '../../shared/address.ts';
import type { Language } from '../languages/language.ts';
import type { Header } from '../languages/layout/header.ts';
import { type Boundary, boundaryAt } from './outline.ts';

interface OpenDefinition {
  depth: number;
  qualifiedName: string;
  kind: Header['kind'];
}

/**
 * The definitions that are open at a line of a file, as its lines go by. Only a header, or a line that ends a block, closes what
 * is open, so that text at the margin inside a string does not. What is defined inside a function belongs to the function, as
 * chunks do.
 */
export class OpenDefinitions {
  readonly #open: OpenDefinition[] = [];

  /** Closes definitions as deep as the boundary or deeper, and opens the one that its header begins. */
  pass({ header, depth }: Boundary): void {
    while ((this.#open.at(-1)?.depth ?? -1) >= depth) this.#open.pop();
    if (!header) return;
    const { kind, name, owner } = header;
    const outer = this.#open.at(-1);
    if (outer?.kind === 'function') return;
    // What extends a type inside of another belongs to the one around it.
    const own = owner === '' || outer?.kind === 'class' ? name : `${owner}.${name}`;
    const qualifiedName = [outer?.qualifiedName, own].filter(Boolean).join('.');
    this.#open.push({ depth, qualifiedName, kind });
  }

  /** The qualified name of the definition that a header just entered opens or belongs to. */
  innermost(): string {
    return this.around(Number.POSITIVE_INFINITY);
  }

  /** The qualified name of the innermost definition around a line that is laid out this deep; `<module>` outside any. */
  around(depth: number): string {
    const chunk = this.#open.findLast((one) => one.depth < depth && one.kind !== 'namespace');
    return chunk?.qualifiedName ?? MODULE_NAME;
  }
}

/** A file's part of a diff, as it is read. */
export interface EditedFile {
  beginHunk(header: HunkHeader): void;
  /** Lines of both versions, `text[start, end)` with their marks and line feeds. */
  context(text: string, start: number, end: number): void;
  /** A line of one version, from `start` on without its mark. */
  changed(mark: '+' | '-', text: string, start: number): void;
  /** The diff of the file is over; returns the qualified names of what it edits. */
  end(): Iterable<string>;
}

/** The definitions that a diff edits, as the headers of both versions and the changed lines between them go by. */
export class Edited {
  readonly names = new Set<string>();
  readonly #language: Language;
  readonly #before = new OpenDefinitions();
  readonly #after = new OpenDefinitions();
  /** True if a decorator changed: the next header counts as edited. */
  decorated = false;

  constructor(language: Language) {
    this.#language = language;
  }

  pass(boundary: Boundary): void {
    this.#before.pass(boundary);
    this.#after.pass(boundary);
    if (!boundary.header) return;
    if (this.decorated) this.names.add(this.#after.innermost());
    this.decorated = false;
  }

  change(mark: '+' | '-', text: string, start: number): Boundary | null {
    const version = mark === '+' ? this.#after : this.#before;
    const found = boundaryAt(this.#language, text, start);
    if (found) {
      version.pass(found);
      if (!found.header) return found;
      this.names.add(version.innermost());
      this.decorated = false;
    } else if (isDecorator(this.#language, text, start)) this.decorated = true;
    // Blank lines say nothing, and the end of a list may stand anywhere.
    else if (!'\r\n)]}'.includes(firstLetter(text, start))) {
      this.names.add(version.around(this.#language.layout.depthAt(text, start)));
    }
    return found;
  }
}

function isDecorator({ text: { decorator } }: Language, text: string, start: number): boolean {
  if (!decorator) return false;
  decorator.lastIndex = start;
  return decorator.test(text);
}

function firstLetter(text: string, start: number): string {
  let i = start;
  while (text[i] === ' ' || text[i] === '\t') i++;
  return text.charAt(i);
}
