import type { Language } from '../languages/language.ts';
import { Edited, type EditedFile } from './edited-file.ts';
import { type Boundary, boundaryAt } from './outline.ts';

/** A file's part of a diff that has the whole file as context. */
export class WholeFile implements EditedFile {
  readonly #language: Language;
  readonly #edited: Edited;
  /** Lines of both versions, with their marks, that nothing has asked about yet: most files change in few places. */
  #passed: { text: string; start: number; end: number }[] = [];

  constructor(language: Language) {
    this.#language = language;
    this.#edited = new Edited(language);
  }

  beginHunk(): void {}

  context(text: string, start: number, end: number): void {
    this.#passed.push({ text, start, end });
    if (this.#edited.decorated) this.#enterPassed();
  }

  changed(mark: '+' | '-', text: string, start: number): void {
    if (this.#passed.length > 0) this.#enterPassed();
    this.#edited.change(mark, text, start);
  }

  end(): Iterable<string> {
    return this.#edited.names;
  }

  #enterPassed(): void {
    for (const boundary of this.#passedBoundaries()) this.#edited.pass(boundary);
    this.#passed = [];
  }

  /** From the last one that nothing lies around, which closes all before it; all of them where a decorator waits for the first. */
  #passedBoundaries(): Boundary[] {
    const passed: Boundary[] = [];
    for (const { text, start, end } of this.#passed.toReversed()) {
      for (let line = end; line > start; ) {
        line = line < 2 ? 0 : Math.max(start, text.lastIndexOf('\n', line - 2) + 1);
        const boundary = boundaryAt(this.#language, text, line + 1);
        if (!boundary) continue;
        passed.push(boundary);
        if (boundary.depth === 0 && !this.#edited.decorated) return passed.reverse();
      }
    }
    return passed.reverse();
  }
}
