import { blankOut } from '../../blank.ts';

/** Text of which only what is put on it is seen; the rest is white space of the same layout. */
export class Canvas {
  readonly #characters: string[];

  constructor(text: string) {
    this.#characters = blankOut(text).split('');
  }

  /** Writes a word at an offset. @throws NoRoom */
  put(at: number, word: string): void {
    if (!this.#hasRoom(at, word.length)) throw new NoRoom();
    for (let i = 0; i < word.length; i++) this.#characters[at + i] = word[i] ?? '';
  }

  /** Writes a word in the last room before an offset. @throws NoRoom if something was written behind it */
  putLast(before: number, word: string): void {
    let at = before - word.length;
    while (
      at > 0 &&
      !this.#hasRoom(at, word.length) &&
      /[\s]/.test(this.#characters[at + word.length - 1] ?? '')
    )
      at--;
    this.put(at, word);
  }

  /** Writes words one after the other, each in the first room behind an offset and before a limit. @throws NoRoom */
  flow(from: number, words: readonly string[], limit = this.#characters.length): void {
    let at = from;
    for (const word of words) {
      while (!this.#hasRoomFor(at, word)) if (++at + word.length > limit) throw new NoRoom();
      this.put(at, word);
      at += word.length + 1;
    }
  }

  toString(): string {
    return this.#characters.join('');
  }

  /** Returns true if there is room for a word with white space behind it. */
  #hasRoomFor(at: number, { length }: string): boolean {
    return this.#hasRoom(at, length) && /\s/.test(this.#characters[at + length] ?? ' ');
  }

  #hasRoom(at: number, length: number): boolean {
    for (let i = at; i < at + length; i++) if (this.#characters[i] !== ' ') return false;
    return true;
  }
}

/** Thrown if a text is too short for what has to be written on it. */
export class NoRoom extends Error {}
