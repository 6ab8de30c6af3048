import type { Node } from 'web-tree-sitter';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Match } from './grammar.ts';

/** An object that a block is about: an expression, or a new object of a type. */
export interface BlockObject {
  node: Node;
  isType: boolean;
}

interface Block {
  start: number;
  end: number;
  around: Block | null;
  /** On which names are called that name no object. */
  receiver: BlockObject | null;
  /** What it is called with where it names no parameter; undefined where it has none such. */
  subject: BlockObject | null | undefined;
}

const DEEPEST = 64;
const MOST_RECEIVERS = 4;

/**
 * The blocks of a file that are about some object without naming it: lambdas that get a receiver or a subject,
 * bodies of anonymous classes. A match's `node` is the block; `receiver`, `type` and `subject` say what it is about, and
 * `named` that it names its parameters.
 */
export class Blocks {
  readonly #blocks: readonly Block[];
  readonly #starts: readonly number[];

  /** @param chunked where the names of chunks stand, ascending: the body of a class that has chunks is theirs */
  constructor(matches: readonly Match[], chunked: readonly number[]) {
    const byStart = new Map<number, Block>();
    for (const match of matches) {
      const { startIndex: start, endIndex: end } = match.get('node');
      if (match.find('type') && (chunked[countUpTo(chunked, start)] ?? end) < end) continue;
      const block = getOrAdd<number, Block>(byStart, start, () => {
        return { start, end, around: null, receiver: null, subject: null };
      });
      const [receiver, type, subject] = ['receiver', 'type', 'subject'].map((part) =>
        match.find(part),
      );
      if (receiver) block.receiver = { node: receiver, isType: false };
      if (type) block.receiver = { node: type, isType: true };
      if (match.find('named') || type) block.subject = undefined;
      else if (subject && block.subject !== undefined)
        block.subject = { node: subject, isType: false };
    }
    this.#blocks = nested([...byStart.values()].sort((a, b) => a.start - b.start));
    this.#starts = this.#blocks.map(({ start }) => start);
  }

  /** The objects on which a name is called that stands at an index without one, innermost first. */
  receiversAt(index: number): BlockObject[] {
    const found: BlockObject[] = [];
    for (let block: Block | null = this.#at(index); block; block = block.around)
      if (block.receiver && found.length < MOST_RECEIVERS) found.push(block.receiver);
    return found;
  }

  /** What the block around an index is called with; null where that is not known, undefined where there is no such block. */
  subjectAt(index: number): BlockObject | null | undefined {
    let block: Block | null = this.#at(index);
    while (block && block.subject === undefined) block = block.around;
    return block?.subject;
  }

  #at(index: number): Block | null {
    let block: Block | null = this.#blocks[countUpTo(this.#starts, index) - 1] ?? null;
    while (block && block.end <= index) block = block.around;
    return block;
  }
}

function countUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sets `around` of blocks in order of their beginning, and drops those nested too deeply. */
function nested(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  const open: Block[] = [];
  for (const block of blocks) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= block.start) open.pop();
    if (open.length === DEEPEST) continue;
    block.around = open.at(-1) ?? null;
    kept.push(block);
    open.push(block);
  }
  return kept;
}

/** The nodes of matches, nested in each other, by number: an outer one's is less. */
export class Extents {
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #parents: number[] = [];

  constructor(matches: readonly Match[]) {
    const nodes = matches.map((match) => match.get('node'));
    nodes.sort((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex);
    this.#starts = nodes.map(({ startIndex }) => startIndex);
    this.#ends = nodes.map(({ endIndex }) => endIndex);
    for (const start of this.#starts) this.#parents.push(this.#up(this.#parents.length - 1, start));
  }

  /** Returns the innermost one around an index of the text; -1 outside of all. */
  around(at: number): number {
    return this.#up(countUpTo(this.#starts, at) - 1, at);
  }

  /** True if an index of the text lies in one; all do in -1. */
  holds(extent: number, at: number): boolean {
    return (
      (this.#starts[extent] ?? 0) <= at && at < (this.#ends[extent] ?? Number.POSITIVE_INFINITY)
    );
  }

  #up(from: number, at: number): number {
    let extent = from;
    while (extent >= 0 && (this.#ends[extent] ?? 0) <= at) extent = this.#parents[extent] ?? -1;
    return extent;
  }
}
