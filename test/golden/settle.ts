/**
 * Compares reranked lists of two machines. The reranker computes with eight bits a number, by other instructions on another
 * kind of processor, so that its cosines may differ a little. Rounding alone does not help: some number is always near the edge
 * between two rounded ones. So a list is compared exactly if all cosines are as recorded, as on the machine that recorded it.
 * If they differ by a little, what follows from them may differ too.
 */

/** Cosines that differ by more are a change. */
const MAX_COSINE_DRIFT = 0.005;
/** Scores follow from cosines by a factor of 9 (weight by deviation). */
const MAX_SCORE_DRIFT = 0.05;

/** A result in a reranked list. */
interface Block {
  /** The row without its rank. */
  row: string;
  /** The line that depends on the reranker's cosine. */
  model: string;
  /** Lines that do not depend on it. */
  rest: string[];
}

/** A part of a recording: an issue with its list. */
interface Part {
  head: string[];
  blocks: Block[];
}

/** Begins the lines that depend on the reranker's cosine, and ranks, which a row begins with. */
export const MODEL_LINE = '   ~ ';
const RANK = /^ ?\d+ /;

/** Returns a recording of reranked lists as it was recorded before where all that differs may be due to the processor. */
export function settle(now: string, before: string): string {
  const parts = parse(now);
  const recorded = parse(before);
  const pairs = parts.flatMap(({ blocks }, i) => {
    const known = new Map(recorded[i]?.blocks.map((block) => [block.row, block]));
    return blocks.flatMap((block) => {
      const then = known.get(block.row);
      return then ? [{ block, then }] : [];
    });
  });
  const drift = Math.max(0, ...pairs.map(({ block, then }) => differenceOf(block, then, cosineOf)));
  if (drift === 0 || drift > MAX_COSINE_DRIFT) return now;
  for (const { block, then } of pairs) {
    if (differenceOf(block, then, scoreOf) <= MAX_SCORE_DRIFT) block.model = then.model;
  }
  for (const [i, { blocks }] of parts.entries()) order(blocks, recorded[i]?.blocks ?? []);
  return write(parts);
}

/** Puts neighbors whose scores hardly differ in the order in which they were recorded. */
function order(blocks: Block[], recorded: readonly Block[]): void {
  const places = new Map(recorded.map(({ row }, place) => [row, place]));
  const placeOf = ({ row }: Block) => places.get(row) ?? Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < blocks.length; pass++) {
    for (let i = 1; i < blocks.length; i++) {
      const [above, below] = [blocks[i - 1], blocks[i]];
      if (placeOf(above) <= placeOf(below)) continue;
      if (differenceOf(above, below, scoreOf) > MAX_SCORE_DRIFT) continue;
      blocks[i - 1] = below;
      blocks[i] = above;
    }
  }
}

function differenceOf(one: Block, other: Block, numberOf: (block: Block) => number): number {
  return Math.abs(numberOf(one) - numberOf(other));
}

function scoreOf({ model }: Block): number {
  return Number(/score (-?[\d.]+)/.exec(model)?.[1] ?? 0);
}

function cosineOf({ model }: Block): number {
  return Number(/coret (-?[\d.]+)/.exec(model)?.[1] ?? 0);
}

function parse(text: string): Part[] {
  return text.split('\n\n').map((part) => {
    const head: string[] = [];
    const blocks: Block[] = [];
    for (const line of part.split('\n')) {
      const last = blocks.at(-1);
      if (RANK.test(line)) blocks.push({ row: line.replace(RANK, ''), model: '', rest: [] });
      else if (last && line.startsWith(MODEL_LINE)) last.model = line;
      else (last?.rest ?? head).push(line);
    }
    return { head, blocks };
  });
}

function write(parts: readonly Part[]): string {
  const lines = parts.map(({ head, blocks }) => [
    ...head,
    ...blocks.flatMap(({ row, model, rest }, i) => [
      `${String(i + 1).padStart(2)} ${row}`,
      ...(model === '' ? [] : [model]),
      ...rest,
    ]),
  ]);
  return lines.map((part) => part.join('\n')).join('\n\n');
}
