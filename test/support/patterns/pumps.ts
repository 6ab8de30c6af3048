/**
 * Finds strings for which a backtracking matcher may take more than linear time, by a pattern's structure.
 *
 * The pattern becomes a nondeterministic automaton, with a loop in front of it for the positions where a search may start. A
 * word w is a pump when there are states p ≠ q with p -w-> p, p -w-> q and q -w-> q (IDA; Weber & Seidl, "On the degree
 * of ambiguity of finite automata", TCS 1991): n repetitions of it can be read in at least n ways, all of which a
 * matcher tries before it fails (Weideman et al., "Analyzing matching time behavior of backtracking regular expression
 * matchers by using ambiguity of NFA", CIAA 2016). Failure depends on the rest of the text, so a pump is
 * only a suspicion. Running the pattern proves it.
 */
import { type Part, parsePattern } from './syntax.ts';

/** Start of a text, and the word to repeat after it. */
export interface Pump {
  prefix: string;
  word: string;
}

/** Representatives of all characters: ASCII, and some of each other kind that patterns distinguish. */
const ALPHABET = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'éÉßǅ中あ한٣\u0301\u00a0\u00ad\u200b\u2028\ufeff“”\uff10😀',
  '\ud800',
  '\udc00',
];
const LINE_END = /[\n\r\u2028\u2029]/;

/** Maximum number of copies for a bounded quantifier. It cannot be pumped, so a few copies are enough. */
const COPIES = 2;

/** Node of the automaton. `next` is the number of another node. */
type State =
  | { kind: 'character'; set: bigint; next: number }
  | { kind: 'split'; next: number[] }
  | { kind: 'assertion'; what: '^' | '$' | '\\b' | '\\B'; next: number }
  | { kind: 'behind'; pattern: RegExp; negative: boolean; next: number }
  | { kind: 'accept' }
  | { kind: 'dead' };

/** Position of the automaton before a character of `set`. For characters in `wins`, a match was already found. */
interface Position {
  state: number;
  /** Number that distinguishes two ways to the same state, such as into the inner loop of `(a*)*`. */
  way: number;
  set: bigint;
  wins: bigint;
}

/** Finds the pumps of a pattern. Returns none if no text can make it slow. */
export function findPumps({ source, flags }: RegExp): Pump[] {
  return new Automaton(source, flags).findPumps();
}

class Automaton {
  readonly #flags: string;
  /** One character for each class of characters that the pattern does not distinguish. */
  readonly #letters: string[];
  readonly #words: bigint;
  readonly #lineEnds: bigint;
  readonly #all: bigint;
  readonly #sets = new Map<string, bigint>();
  readonly #states: State[] = [];
  readonly #positions: Position[] = [];
  readonly #ids = new Map<string, number>();
  /** Next positions by position and letter. */
  readonly #steps: number[][][] = [];
  readonly #start: number[];
  /** State in which a search skips characters before a match; -1 if a match must start at once. */
  #skip = -1;

  constructor(source: string, flags: string) {
    this.#flags = flags;
    const tree = parsePattern(source);
    this.#letters = this.#chooseLetters(tree);
    this.#all = (1n << BigInt(this.#letters.length)) - 1n;
    this.#words = this.#makeSet(/\w/);
    this.#lineEnds = this.#makeSet(LINE_END);
    const entry = this.#build(tree, this.#addState({ kind: 'accept' }));
    if (!flags.includes('y')) {
      this.#skip = this.#addState({ kind: 'character', set: this.#all, next: entry });
    }
    this.#start = [...this.#skipPositions(), ...this.#follow(entry, null)];
  }

  findPumps(): Pump[] {
    const prefixes = this.#findPrefixes();
    const onward = this.#findReachable((place, letter) => this.#step(place, letter));
    const looped = this.#findReachable((place, letter) => this.#loopStep(place, letter));
    const loops = [...prefixes.keys()].filter((place) => looped[place]?.has(place));
    const found = new Map<string, Pump>();
    for (const p of loops) {
      for (const q of loops) {
        if (p === q || !onward[p].has(q)) continue;
        const word = this.#findWord(p, q, onward, looped);
        if (word) found.set(word, { prefix: prefixes.get(p)!, word });
      }
    }
    return [...found.values()];
  }

  #chooseLetters(tree: Part): string[] {
    const sources = new Set(listCharacters(tree));
    const bySignature = new Map<string, string>();
    const patterns = [...sources].map((source) => this.#compileOne(source));
    for (const letter of ALPHABET) {
      const signature = [...patterns, /^\w$/, LINE_END].map((one) => +one.test(letter)).join('');
      // Prefer printable characters, which make readable attacks.
      const known = bySignature.get(signature);
      if (known === undefined || (known < '!' && letter > ' ')) bySignature.set(signature, letter);
    }
    return [...bySignature.values()];
  }

  #compileOne(source: string): RegExp {
    return new RegExp(`^(?:${source})$`, this.#flags.replace(/[gymd]/g, ''));
  }

  #makeSet(pattern: RegExp): bigint {
    return this.#letters.reduce((set, letter, i) => {
      return pattern.test(letter) ? set | (1n << BigInt(i)) : set;
    }, 0n);
  }

  #addState(state: State): number {
    return this.#states.push(state) - 1;
  }

  /** Adds a part before `next`. Returns its first state. */
  #build(part: Part, next: number): number {
    switch (part.kind) {
      case 'empty':
        return next;
      case 'character': {
        let set = this.#sets.get(part.source);
        if (set === undefined) {
          set = this.#makeSet(this.#compileOne(part.source));
          this.#sets.set(part.source, set);
        }
        return this.#addState({ kind: 'character', set, next });
      }
      case 'assertion':
        return this.#addState({ kind: 'assertion', what: part.what, next });
      case 'sequence':
        return part.parts.reduceRight((after, one) => this.#build(one, after), next);
      case 'choice':
        return this.#addState({
          kind: 'split',
          next: part.parts.map((one) => this.#build(one, next)),
        });
      case 'behind': {
        const pattern = this.#compileOne(part.source);
        return this.#addState({ kind: 'behind', pattern, negative: part.negative, next });
      }
      case 'look':
        // A look-around consumes no characters.
        return this.#addState({
          kind: 'split',
          next: [this.#build(part.part, this.#addState({ kind: 'dead' })), next],
        });
      case 'repeat':
        return this.#buildRepeat(part, next);
    }
  }

  #buildRepeat({ part, min, max, lazy }: Extract<Part, { kind: 'repeat' }>, next: number): number {
    let entry = next;
    const order = (again: number, done: number) => (lazy ? [done, again] : [again, done]);
    if (max === Number.POSITIVE_INFINITY) {
      entry = this.#addState({ kind: 'split', next: [] });
      const again = this.#build(part, entry);
      (this.#states[entry] as { next: number[] }).next = order(again, next);
    } else {
      for (let i = Math.min(min, COPIES); i < Math.min(max, COPIES + 1); i++) {
        const again = this.#build(part, entry);
        entry = this.#addState({ kind: 'split', next: order(again, next) });
      }
    }
    for (let i = 0; i < Math.min(min, COPIES); i++) entry = this.#build(part, entry);
    return entry;
  }

  /** Returns the positions that a state leads to without reading, in the order in which a matcher tries them. */
  #follow(state: number, last: string | null): number[] {
    const found: Pick<Position, 'state' | 'set'>[] = [];
    let wins = 0n;
    const walk = (at: number, set: bigint, path: readonly number[]) => {
      const here = this.#states[at];
      if (path.filter((before) => before === at).length > 1) return;
      if (here.kind === 'accept') wins |= set;
      else if (here.kind === 'character') {
        // The matcher stops at a match, so alternatives after it are never tried.
        const left = here.set & set & ~wins;
        if (left) found.push({ state: at, set: left });
      } else if (here.kind === 'split') {
        for (const next of here.next) walk(next, set, [...path, at]);
      } else if (here.kind === 'behind') {
        const holds = last !== null && here.pattern.test(last);
        if (holds !== here.negative) walk(here.next, set, path);
      } else if (here.kind === 'assertion') {
        const left = set & this.#findAllowed(here.what, last);
        if (left || (here.what === '$' && set)) walk(here.next, left, path);
      }
    };
    walk(state, this.#all, []);
    return found.map(({ state, set }, i) => {
      const way = Number(found.findIndex((other) => other.state === state) < i);
      return this.#addPosition({ state, way, set, wins: wins & set });
    });
  }

  /** Returns the characters that may follow `last` where an assertion holds. */
  #findAllowed(what: '^' | '$' | '\\b' | '\\B', last: string | null): bigint {
    const lines = this.#flags.includes('m');
    if (what === '^') {
      return last === null || (lines && LINE_END.test(last)) ? this.#all : 0n;
    }
    if (what === '$') return lines ? this.#lineEnds : 0n;
    const isWord = last !== null && /\w/.test(last);
    const other = isWord ? this.#all & ~this.#words : this.#words;
    return what === '\\b' ? other : this.#all & ~other;
  }

  #addPosition(place: Position): number {
    const key = `${place.state} ${place.way} ${place.set} ${place.wins}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#positions.push(place) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }

  #step(place: number, letter: number): number[] {
    this.#steps[place] ??= [];
    this.#steps[place][letter] ??= this.#findNext(place, letter);
    return this.#steps[place][letter];
  }

  #findNext(place: number, letter: number): number[] {
    const { state, set } = this.#positions[place];
    if (!((set >> BigInt(letter)) & 1n)) return [];
    const { next } = this.#states[state] as { next: number };
    const after = this.#follow(next, this.#letters[letter]);
    // A search also continues after a match.
    return state === this.#skip ? [...this.#skipPositions(), ...after] : after;
  }

  #skipPositions(): number[] {
    return this.#skip < 0
      ? []
      : [this.#addPosition({ state: this.#skip, way: 0, set: this.#all, wins: 0n })];
  }

  /** Like `#step`, but stops at a match: reading past a match in a loop is not wasted work. */
  #loopStep(place: number, letter: number): number[] {
    if ((this.#positions[place].wins >> BigInt(letter)) & 1n) return [];
    return this.#step(place, letter);
  }

  /** Returns each reachable position with the shortest text that leads there. */
  #findPrefixes(): Map<number, string> {
    const prefixes = new Map<number, string>(this.#start.map((place) => [place, '']));
    for (const [place, prefix] of prefixes) {
      for (const [letter, text] of this.#letters.entries()) {
        for (const next of this.#step(place, letter)) {
          if (!prefixes.has(next)) prefixes.set(next, prefix + text);
        }
      }
    }
    return prefixes;
  }

  /** Returns, for each position, all positions that can be reached from it. */
  #findReachable(step: (place: number, letter: number) => number[]): Set<number>[] {
    const next = this.#positions.map(
      (_, place) => new Set(this.#letters.flatMap((_, letter) => step(place, letter))),
    );
    return next.map((first) => {
      const reached = new Set(first);
      for (const place of reached) for (const one of next[place]) reached.add(one);
      return reached;
    });
  }

  /**
   * Returns the shortest w with p -w-> p, p -w-> q and q -w-> q, or null. Skips paths from which one of these cannot be
   * reached anymore.
   */
  #findWord(
    p: number,
    q: number,
    onward: readonly Set<number>[],
    looped: readonly Set<number>[],
  ): string | null {
    const count = this.#positions.length;
    const makeKey = (x: number, y: number, z: number) => (x * count + y) * count + z;
    const words = new Map<number, string>([[makeKey(p, p, q), '']]);
    for (const [key, word] of words) {
      if (word.length > 40) return null;
      const [a, b, c] = [
        Math.floor(key / count / count),
        Math.floor(key / count) % count,
        key % count,
      ];
      for (const [letter, text] of this.#letters.entries()) {
        const as = this.#loopStep(a, letter).filter((x) => x === p || looped[x].has(p));
        const cs = this.#loopStep(c, letter).filter((z) => z === q || looped[z].has(q));
        if (as.length === 0 || cs.length === 0) continue;
        const bs = this.#step(b, letter).filter((y) => y === q || onward[y].has(q));
        for (const [x, y, z] of product(as, bs, cs)) {
          if (x === p && y === q && z === q) return word + text;
          const next = makeKey(x, y, z);
          if (!words.has(next)) words.set(next, word + text);
        }
      }
    }
    return null;
  }
}

function* product(a: number[], b: number[], c: number[]): Generator<[number, number, number]> {
  for (const x of a) for (const y of b) for (const z of c) yield [x, y, z];
}

function* listCharacters(part: Part): Generator<string> {
  if (part.kind === 'character' || part.kind === 'behind') yield part.source;
  else if (part.kind === 'sequence' || part.kind === 'choice') {
    for (const one of part.parts) yield* listCharacters(one);
  } else if (part.kind === 'repeat' || part.kind === 'look') yield* listCharacters(part.part);
}
