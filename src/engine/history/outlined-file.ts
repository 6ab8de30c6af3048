import type { HunkHeader } from '../../base/unified-diff.ts';
import { present } from '../../shared/present.ts';
import type { Language } from '../languages/language.ts';
import { Edited, type EditedFile } from './edited-file.ts';
import { kept, Outline } from './outline.ts';

/**
 * A file's part of a diff with little context: what its outline says of the version after the edit stands for the lines
 * that are not shown, and what the diff takes back makes the outline of the version before.
 */
export class OutlinedFile implements EditedFile {
  readonly #edited: Edited;
  readonly #after: Outline;
  readonly before = new Outline();
  #passed = 0;
  /** Of both versions, the line that comes next. */
  #oldLine = 1;
  #newLine = 1;

  constructor(language: Language, after: Outline) {
    this.#edited = new Edited(language);
    this.#after = after;
  }

  beginHunk({ oldStart, oldLines, newStart, newLines }: HunkHeader): void {
    // All up to here moved as far as what was shown last.
    this.#passTo(newLines === 0 ? newStart + 1 : newStart);
    // A hunk without lines of one version says after which line it stands.
    this.#oldLine = oldLines === 0 ? oldStart + 1 : oldStart;
    this.#newLine = newLines === 0 ? newStart + 1 : newStart;
  }

  context(text: string, start: number, end: number): void {
    for (let at = start; at < end; at = text.indexOf('\n', at) + 1) {
      this.#oldLine++;
      this.#newLine++;
    }
  }

  changed(mark: '+' | '-', text: string, start: number): void {
    this.#passTo(this.#newLine);
    const boundary = this.#edited.change(mark, text, start);
    if (mark === '-') {
      if (boundary) this.before.add(this.#oldLine, kept(boundary));
      this.#oldLine++;
      return;
    }
    // This boundary is of the version after alone.
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
        present(lines[end], 'the line of a boundary') + moved,
        present(boundaries[end], 'a boundary'),
      );
    this.#passed = end;
    const start = this.#edited.decorated ? first : this.#lastAtMargin(first, end);
    for (const boundary of boundaries.slice(start, end)) this.#edited.pass(boundary);
  }

  /** The place of the last boundary among these that nothing lies around, which closes all before it; else of the first. */
  #lastAtMargin(first: number, end: number): number {
    for (let place = end - 1; place > first; place--)
      if (this.#after.boundaries[place]?.depth === 0) return place;
    return first;
  }
}
