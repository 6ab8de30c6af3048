import type { HunkHeader } from '../../base/unified-diff.ts';
import { MODULE_NAME } from '../../shared/address.ts';
import type { Language } from '../languages/language.ts';
import type { DefinitionHeader } from '../languages/layout/header.ts';
import { findBoundary, type OutlineBoundary } from './outline.ts';

interface OpenDefinition {
  depth: number;
  qualifiedName: string;
  kind: DefinitionHeader['kind'];
}

/**
 * The stack of definitions that are open at a line, as lines are read in order. Only a header, or a line that ends a block,
 * closes definitions: text at the margin inside a string does not. Definitions inside a function belong to the function, as
 * they do for chunks.
 */
export class OpenDefinitions {
  readonly #open: OpenDefinition[] = [];

  /** Closes definitions at the boundary's depth or deeper, and opens the one that its header begins. */
  pass({ header, depth }: OutlineBoundary): void {
    while ((this.#open.at(-1)?.depth ?? -1) >= depth) this.#open.pop();
    if (!header) return;
    const { kind, name, owner } = header;
    const outer = this.#open.at(-1);
    if (outer?.kind === 'function') return;
    // Inside a class, an extension of a type belongs to the enclosing class.
    const own = owner === '' || outer?.kind === 'class' ? name : `${owner}.${name}`;
    const qualifiedName = [outer?.qualifiedName, own].filter(Boolean).join('.');
    this.#open.push({ depth, qualifiedName, kind });
  }

  /** Returns the qualified name of the definition that the last header opens or belongs to. */
  getInnermost(): string {
    return this.getEnclosing(Number.POSITIVE_INFINITY);
  }

  /** Returns the qualified name of the innermost definition around a line of this depth; `<module>` outside any. */
  getEnclosing(depth: number): string {
    const chunk = this.#open.findLast((one) => one.depth < depth && one.kind !== 'namespace');
    return chunk?.qualifiedName ?? MODULE_NAME;
  }
}

/** A reader of one file's diff. */
export interface EditedFileReader {
  beginHunk(header: HunkHeader): void;
  /** Reads context lines, `text[start, end)` with their marks and line feeds. */
  passContext(text: string, start: number, end: number): void;
  /** Reads an added or removed line, from `start` on without its mark. */
  passChange(mark: '+' | '-', text: string, start: number): void;
  /** Ends the diff of the file; returns the qualified names of the edited definitions. */
  end(): Iterable<string>;
}

/** Collects the definitions that a diff edits, from headers of both versions and changed lines in order. */
export class EditedDefinitions {
  readonly names = new Set<string>();
  readonly #language: Language;
  readonly #before = new OpenDefinitions();
  readonly #after = new OpenDefinitions();
  /** True if a decorator changed: the next header counts as edited. */
  isDecorated = false;

  constructor(language: Language) {
    this.#language = language;
  }

  pass(boundary: OutlineBoundary): void {
    this.#before.pass(boundary);
    this.#after.pass(boundary);
    if (!boundary.header) return;
    if (this.isDecorated) this.names.add(this.#after.getInnermost());
    this.isDecorated = false;
  }

  change(mark: '+' | '-', text: string, start: number): OutlineBoundary | null {
    const version = mark === '+' ? this.#after : this.#before;
    const found = findBoundary(this.#language, text, start);
    if (found) {
      version.pass(found);
      if (!found.header) return found;
      this.names.add(version.getInnermost());
      this.isDecorated = false;
    } else if (isDecorator(this.#language, text, start)) this.isDecorated = true;
    // Blank lines edit nothing, and a closing bracket may be at any depth.
    else if (!'\r\n)]}'.includes(getFirstLetter(text, start))) {
      this.names.add(version.getEnclosing(this.#language.layout.measureIndent(text, start)));
    }
    return found;
  }
}

function isDecorator({ text: { decorator } }: Language, text: string, start: number): boolean {
  if (!decorator) return false;
  decorator.lastIndex = start;
  return decorator.test(text);
}

function getFirstLetter(text: string, start: number): string {
  let i = start;
  while (text[i] === ' ' || text[i] === '\t') i++;
  return text.charAt(i);
}
