import { getOrAdd } from '../../shared/get-or-add.ts';
import type { QueryMatch } from './query-match.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** Implicit object of a block: an expression, or a new object of a type. */
export interface ImplicitObject {
  node: SyntaxNode;
  isType: boolean;
}

interface Block {
  start: number;
  end: number;
  around: Block | null;
  /** Object on which names without an object are called; null if unknown. */
  receiver: ImplicitObject | null;
  /** Argument of a block without named parameters, such as Kotlin's `it`; null if unknown, undefined if none exists. */
  subject: ImplicitObject | null | undefined;
}

const MAX_DEPTH = 64;
const MAX_RECEIVERS = 4;

/**
 * Blocks of a file with an implicit object: lambdas with a receiver or a subject, and bodies of anonymous classes.
 * A match's `node` is the block. Its object is `receiver`, `type` or `subject`; `named` marks a block with named parameters.
 */
export class ImplicitBlocks {
  readonly #blocks: readonly Block[];
  readonly #starts: readonly number[];

  /** @param chunked offsets of the names of chunks, ascending; the body of an anonymous class that contains one is left out */
  constructor(matches: readonly QueryMatch[], chunked: readonly number[]) {
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
    this.#blocks = nestBlocks([...byStart.values()].sort((a, b) => a.start - b.start));
    this.#starts = this.#blocks.map(({ start }) => start);
  }

  /** Returns the possible receivers of a name without an object at an index of the text, innermost first. */
  findReceivers(index: number): ImplicitObject[] {
    const found: ImplicitObject[] = [];
    for (let block: Block | null = this.#findBlock(index); block; block = block.around)
      if (block.receiver && found.length < MAX_RECEIVERS) found.push(block.receiver);
    return found;
  }

  /** Returns the subject of the block around an index; null if it is unknown, undefined if there is no such block. */
  findSubject(index: number): ImplicitObject | null | undefined {
    let block: Block | null = this.#findBlock(index);
    while (block && block.subject === undefined) block = block.around;
    return block?.subject;
  }

  #findBlock(index: number): Block | null {
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

/** Sets `around` of blocks in order of their start, and drops those that are nested too deeply. */
function nestBlocks(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  const open: Block[] = [];
  for (const block of blocks) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= block.start) open.pop();
    if (open.length === MAX_DEPTH) continue;
    block.around = open.at(-1) ?? null;
    kept.push(block);
    open.push(block);
  }
  return kept;
}

/** Nested nodes of matches. Each has a number, which is lower for an outer node. */
export class NestedExtents {
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #parents: number[] = [];

  constructor(matches: readonly QueryMatch[]) {
    const nodes = matches.map((match) => match.get('node'));
    nodes.sort((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex);
    this.#starts = nodes.map(({ startIndex }) => startIndex);
    this.#ends = nodes.map(({ endIndex }) => endIndex);
    for (const start of this.#starts)
      this.#parents.push(this.#findAncestor(this.#parents.length - 1, start));
  }

  /** Returns the innermost extent around an index of the text; -1 outside of all. */
  findInnermost(at: number): number {
    return this.#findAncestor(countUpTo(this.#starts, at) - 1, at);
  }

  /** Returns true if an extent contains an index of the text. The extent -1 contains all. */
  contains(extent: number, at: number): boolean {
    return (
      (this.#starts[extent] ?? 0) <= at && at < (this.#ends[extent] ?? Number.POSITIVE_INFINITY)
    );
  }

  #findAncestor(from: number, at: number): number {
    let extent = from;
    while (extent >= 0 && (this.#ends[extent] ?? 0) <= at) extent = this.#parents[extent] ?? -1;
    return extent;
  }
}
