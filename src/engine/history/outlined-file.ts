import type { HunkHeader } from '../../base/unified-diff.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { Language } from '../languages/language.ts';
import { EditedDefinitions, type EditedFileReader } from './edited-file.ts';
import { copyBoundary, Outline } from './outline.ts';

/**
 * Reads the diff of a file with little context. The outline of the version after the edit replaces the lines that are not
 * shown. Undoing the diff gives the outline of the version before.
 */
export class OutlinedFileReader implements EditedFileReader {
  readonly #edited: EditedDefinitions;
  readonly #after: Outline;
  readonly before = new Outline();
  #passed = 0;
  /** Numbers of the next line in both versions. */
  #oldLine = 1;
  #newLine = 1;

  constructor(language: Language, after: Outline) {
    this.#edited = new EditedDefinitions(language);
    this.#after = after;
  }

  beginHunk({ oldStart, oldLines, newStart, newLines }: HunkHeader): void {
    // All boundaries up to here moved by the same number of lines as the last hunk.
    this.#passTo(newLines === 0 ? newStart + 1 : newStart);
    // If a hunk has no lines of one version, its header gives the line before the hunk.
    this.#oldLine = oldLines === 0 ? oldStart + 1 : oldStart;
    this.#newLine = newLines === 0 ? newStart + 1 : newStart;
  }

  passContext(text: string, start: number, end: number): void {
    for (let at = start; at < end; at = text.indexOf('\n', at) + 1) {
      this.#oldLine++;
      this.#newLine++;
    }
  }

  passChange(mark: '+' | '-', text: string, start: number): void {
    this.#passTo(this.#newLine);
    const boundary = this.#edited.change(mark, text, start);
    if (mark === '-') {
      if (boundary) this.before.add(this.#oldLine, copyBoundary(boundary));
      this.#oldLine++;
      return;
    }
    // The boundary is new: it is only in the version after the edit.
    if (this.#after.lines[this.#passed] === this.#newLine) this.#passed++;
    this.#newLine++;
  }

  end(): Iterable<string> {
    this.#passTo(Number.POSITIVE_INFINITY);
    return this.#edited.names;
  }

  #passTo(line: number): void {
    const { lines, boundaries } = this.#after;
    const moved = this.#oldLine - this.#newLine;
    const first = this.#passed;
    let end = first;
    for (; (lines[end] ?? Number.POSITIVE_INFINITY) < line; end++)
      this.before.add(
        assertPresent(lines[end], 'the line of a boundary') + moved,
        assertPresent(boundaries[end], 'a boundary'),
      );
    this.#passed = end;
    const start = this.#edited.isDecorated ? first : this.#findLastAtMargin(first, end);
    for (const boundary of boundaries.slice(start, end)) this.#edited.pass(boundary);
  }

  /** Returns the index of the last boundary at depth 0, which closes all before it; `first` if there is none. */
  #findLastAtMargin(first: number, end: number): number {
    for (let index = end - 1; index > first; index--)
      if (this.#after.boundaries[index]?.depth === 0) return index;
    return first;
  }
}
