/**
 * Compares reranked lists of two machines. The reranker computes with eight bits a number, by other instructions on another
 * kind of processor, so that its cosines may differ a little. Rounding alone does not help: some number is always near the edge
 * between two rounded ones. So a list is compared exactly if all cosines are as recorded, as on the machine that recorded it.
 * If they differ by a little, what follows from them may differ too.
 */

/** Cosines that differ by more are a change. Without VNNI instructions, they differ by up to 0.011 from those recorded with them. */
const MAX_COSINE_DRIFT = 0.015;
/** Scores follow from cosines by a factor of 9 (weight by deviation). */
const MAX_SCORE_DRIFT = 0.15;
/** Results in a list that was cut: which of them are the last also follows from cosines. */
const CUT_AT = 20;

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
  const drift = Math.max(
    0,
    ...pairs.map(({ block, then }) => measureDifference(block, then, readCosine)),
  );
  if (drift === 0 || drift > MAX_COSINE_DRIFT) return now;
  for (const { block, then } of pairs) {
    if (measureDifference(block, then, readScore) > MAX_SCORE_DRIFT) continue;
    block.model = then.model;
    if (withoutRanks(block.rest) === withoutRanks(then.rest)) block.rest = then.rest;
  }
  for (const [i, part] of parts.entries()) {
    const before = recorded[i]?.blocks ?? [];
    if (before.length === CUT_AT && part.blocks.length === CUT_AT) exchangeLast(part, before);
    order(part.blocks, before);
  }
  return write(parts);
}

/** Returns evidence without callers and companions, which depend on the ranks of other results. */
const withoutRanks = (rest: readonly string[]): string =>
  rest.filter((line) => !/called by #|^ +with it: /.test(line)).join('\n');

/** Takes the recorded results in place of others where all of these are near the end of the list. */
function exchangeLast(part: Part, recorded: readonly Block[]): void {
  const others = (blocks: readonly Block[], than: readonly Block[]) => {
    const rows = new Set(than.map(({ row }) => row));
    return blocks.filter(({ row }) => !rows.has(row));
  };
  const areLast = (some: readonly Block[], of: readonly Block[]) => {
    const last = of.at(-1);
    return some.every(
      (block) => last && measureDifference(block, last, readScore) <= MAX_SCORE_DRIFT,
    );
  };
  const added = others(part.blocks, recorded);
  const missing = others(recorded, part.blocks);
  if (!areLast(added, part.blocks) || !areLast(missing, recorded)) return;
  part.blocks = [...part.blocks.filter((block) => !added.includes(block)), ...missing];
}

/** Puts neighbors whose scores hardly differ in the order in which they were recorded. */
function order(blocks: Block[], recorded: readonly Block[]): void {
  const places = new Map(recorded.map(({ row }, place) => [row, place]));
  const placeOf = ({ row }: Block) => places.get(row) ?? Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < blocks.length; pass++) {
    for (let i = 1; i < blocks.length; i++) {
      const [above, below] = [blocks[i - 1], blocks[i]];
      if (placeOf(above) <= placeOf(below)) continue;
      if (measureDifference(above, below, readScore) > MAX_SCORE_DRIFT) continue;
      blocks[i - 1] = below;
      blocks[i] = above;
    }
  }
}

function measureDifference(one: Block, other: Block, numberOf: (block: Block) => number): number {
  return Math.abs(numberOf(one) - numberOf(other));
}

function readScore({ model }: Block): number {
  return Number(/score (-?[\d.]+)/.exec(model)?.[1] ?? 0);
}

function readCosine({ model }: Block): number {
  return Number(/coret (-?[\d.]+)/.exec(model)?.[1] ?? 0);
}

function parse(text: string): Part[] {
  return text
    .trimEnd()
    .split('\n\n')
    .map((part) => {
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
  return `${lines.map((part) => part.join('\n')).join('\n\n')}\n`;
}
