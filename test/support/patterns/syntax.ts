/** Parses JavaScript regular expressions into trees of the parts that determine their cost. */

/** Part of a pattern. Look-arounds and back references are reduced to what determines their cost. */
export type Part =
  /** One character; `source` is a pattern of its own. */
  | { kind: 'character'; source: string }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'choice'; parts: Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number; lazy: boolean }
  | { kind: 'assertion'; what: '^' | '$' | '\\b' | '\\B' }
  /** `(?<=x)` or `(?<!x)` of one character. */
  | { kind: 'behind'; source: string; negative: boolean }
  | { kind: 'look'; part: Part }
  | { kind: 'empty' };

const QUANTIFIER = /^(?:\*|\+|\?|\{(\d+)(,(\d*))?\})/;
const ESCAPE = /^\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]+\}|c[a-z]|k<[^>]+>|.)/isu;

/** Parses a pattern. @throws Error if the syntax is unknown */
export function parsePattern(source: string): Part {
  const reader = new Reader(source);
  const part = reader.choice();
  if (reader.at < source.length) throw new Error(`stopped at ${reader.at} of /${source}/`);
  return part;
}

class Reader {
  at = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Part {
    const parts = [this.#sequence()];
    while (this.#eat('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.at < this.#source.length && !'|)'.includes(this.#source[this.at])) {
      parts.push(this.#quantified(this.#atom()));
    }
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
  }

  #quantified(part: Part): Part {
    const found = QUANTIFIER.exec(this.#source.slice(this.at));
    if (!found) return part;
    this.at += found[0].length;
    const [min, max] = readBounds(found);
    return { kind: 'repeat', part, min, max, lazy: this.#eat('?') };
  }

  #atom(): Part {
    const rest = this.#source.slice(this.at);
    if (rest[0] === '(') return this.#group();
    if (rest[0] === '[') return this.#character(measureClass(rest));
    if (rest[0] === '^' || rest[0] === '$') return this.#assertion(rest[0]);
    if (rest[0] !== '\\') return this.#character(String.fromCodePoint(rest.codePointAt(0)!).length);
    if (rest[1] === 'b' || rest[1] === 'B') return this.#assertion(`\\${rest[1]}`);
    const length = ESCAPE.exec(rest)![0].length;
    if (rest[1] === 'k' || /[1-9]/.test(rest[1])) {
      this.at += length;
      return { kind: 'empty' };
    }
    return this.#character(length);
  }

  #group(): Part {
    const opening = /^\((?:\?(?::|<?[=!]|<\w+>))?/.exec(this.#source.slice(this.at))![0];
    this.at += opening.length;
    const part = this.choice();
    if (!this.#eat(')')) throw new Error(`unclosed group in /${this.#source}/`);
    if (!/[=!]$/.test(opening)) return part;
    if (opening[2] !== '<' || part.kind !== 'character') return { kind: 'look', part };
    return { kind: 'behind', source: part.source, negative: opening.endsWith('!') };
  }

  #character(length: number): Part {
    const source = this.#source.slice(this.at, this.at + length);
    this.at += length;
    return { kind: 'character', source };
  }

  #assertion(what: string): Part {
    this.at += what.length;
    return { kind: 'assertion', what: what as '^' };
  }

  #eat(character: string): boolean {
    if (this.#source[this.at] !== character) return false;
    this.at++;
    return true;
  }
}

function readBounds([text, least, range, most]: RegExpExecArray): [number, number] {
  if (text === '*') return [0, Number.POSITIVE_INFINITY];
  if (text === '+') return [1, Number.POSITIVE_INFINITY];
  if (text === '?') return [0, 1];
  const min = Number(least);
  if (range === undefined) return [min, min];
  return [min, most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

function measureClass(text: string): number {
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ']') return i + 1;
  }
  throw new Error(`unclosed class in ${text}`);
}
