/** A position in a text that moves forward only, and counts lines. */
export class TextCursor {
  readonly #text: string;
  #at = 0;
  /** Index of the next newline, or -1. */
  #newline: number;
  /** Line of the position, 1-based. */
  line = 1;

  constructor(text: string) {
    this.#text = text;
    this.#newline = text.indexOf('\n');
  }

  /** Number of lines up to the position, without an empty one behind the last newline. */
  get lineCount(): number {
    return this.#text[this.#at - 1] === '\n' || this.#at === 0 ? this.line - 1 : this.line;
  }

  startsWith(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at);
  }

  /** Returns up to `length` UTF-16 units from here. */
  peek(length: number): string {
    return this.#text.slice(this.#at, this.#at + length);
  }

  /** Moves to the next `mark`, which may be here. Returns false and does not move if `mark` does not follow. */
  moveTo(mark: string): boolean {
    const found = this.#text.indexOf(mark, this.#at);
    if (found < 0) return false;
    this.#moveTo(found);
    return true;
  }

  /** Moves behind the next `mark`. Returns false and does not move if `mark` does not follow. */
  moveBehind(mark: string): boolean {
    return this.moveTo(mark) && this.skip(mark.length);
  }

  /** Moves by a number of UTF-16 units. Returns true. */
  skip(length: number): boolean {
    this.#moveTo(Math.min(this.#at + length, this.#text.length));
    return true;
  }

  moveToEnd(): void {
    this.#moveTo(this.#text.length);
  }

  /** Moves behind the tag of XML that begins here. Returns its length, and whether its element is empty; null without an end. */
  moveBehindTag(): { length: number; isEmpty: boolean } | null {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    for (let quote = ''; end < text.length; end++) {
      const character = text[end] ?? '';
      if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '"' || character === "'") quote = character;
      else if (character === '>') break;
    }
    if (end >= text.length) return null;
    this.#moveTo(end + 1);
    return { length: end + 1 - start, isEmpty: text[end - 1] === '/' };
  }

  #moveTo(index: number): void {
    while (this.#newline >= 0 && this.#newline < index) {
      this.line += 1;
      this.#newline = this.#text.indexOf('\n', this.#newline + 1);
    }
    this.#at = index;
  }
}
