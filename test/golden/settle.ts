/**
 * Compares reranked lists of two machines. The reranker uses 8-bit numbers, with other instructions on other kinds of
 * processor, so its cosines may differ slightly. Rounding does not help, since some number is always close to a rounding
 * boundary. If cosines differ slightly, values that depend on them may differ too. That includes results whose own cosine
 * is as recorded, since scores are standardized over all reranked results, of which a recording shows the first.
 */

/** Maximum tolerated difference of cosines. Without VNNI instructions, they differ by up to 0.011 from recordings with them. */
const MAX_COSINE_DRIFT = 0.015;
/** Maximum tolerated difference of scores, which follow from cosines by a factor of 5 to 16 (weight by deviation). */
const MAX_SCORE_DRIFT = 0.25;
/** The same if only cosines of results further down differ, on which the deviation depends. */
const MAX_UNSEEN_DRIFT = 0.05;
/** Length of a truncated list. Its last results also depend on cosines. */
const CUT_AT = 20;

/** Result in a reranked list. */
interface Block {
  /** The row without its rank. */
  row: string;
  /** The line that depends on the reranker's cosine. */
  model: string;
  /** Lines that do not depend on it. */
  rest: string[];
}

/** Issue of a recording with its list. */
interface IssueList {
  head: string[];
  blocks: Block[];
}

/** Start of the lines that depend on the reranker's cosine. */
export const MODEL_LINE = '   ~ ';
const RANK = /^ ?\d+ /;

/** Returns a recording of reranked lists, with the earlier texts where all differences may be due to the processor. */
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
  if (drift > MAX_COSINE_DRIFT) return now;
  const tolerated = drift === 0 ? MAX_UNSEEN_DRIFT : MAX_SCORE_DRIFT;
  for (const { block, then } of pairs) {
    if (measureDifference(block, then, readScore) > tolerated) continue;
    block.model = then.model;
    if (withoutRanks(block.rest) === withoutRanks(then.rest)) block.rest = then.rest;
  }
  for (const [i, part] of parts.entries()) {
    const before = recorded[i]?.blocks ?? [];
    if (before.length === CUT_AT && part.blocks.length === CUT_AT)
      exchangeLast(part, before, tolerated);
    order(part.blocks, before, tolerated);
  }
  return write(parts);
}

/** Returns evidence without callers and functions changed together, which depend on the ranks of other results. */
const withoutRanks = (rest: readonly string[]): string =>
  rest.filter((line) => !/called by .*\(rank \d|^ +with it: /.test(line)).join('\n');

/** Replaces results by the recorded ones if all of them are near the end of the list. */
function exchangeLast(part: IssueList, recorded: readonly Block[], tolerated: number): void {
  const others = (blocks: readonly Block[], than: readonly Block[]) => {
    const rows = new Set(than.map(({ row }) => row));
    return blocks.filter(({ row }) => !rows.has(row));
  };
  const areLast = (some: readonly Block[], of: readonly Block[]) => {
    const last = of.at(-1);
    return some.every((block) => last && measureDifference(block, last, readScore) <= tolerated);
  };
  const added = others(part.blocks, recorded);
  const missing = others(recorded, part.blocks);
  if (!areLast(added, part.blocks) || !areLast(missing, recorded)) return;
  part.blocks = [...part.blocks.filter((block) => !added.includes(block)), ...missing];
}

/** Sorts adjacent results whose scores hardly differ into the recorded order. */
function order(blocks: Block[], recorded: readonly Block[], tolerated: number): void {
  const places = new Map(recorded.map(({ row }, place) => [row, place]));
  const findRank = ({ row }: Block) => places.get(row) ?? Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < blocks.length; pass++) {
    for (let i = 1; i < blocks.length; i++) {
      const [above, below] = [blocks[i - 1], blocks[i]];
      if (findRank(above) <= findRank(below)) continue;
      if (measureDifference(above, below, readScore) > tolerated) continue;
      blocks[i - 1] = below;
      blocks[i] = above;
    }
  }
}

function measureDifference(one: Block, other: Block, readNumber: (block: Block) => number): number {
  return Math.abs(readNumber(one) - readNumber(other));
}

function readScore({ model }: Block): number {
  return Number(/score (-?[\d.]+)/.exec(model)?.[1] ?? 0);
}

function readCosine({ model }: Block): number {
  return Number(/coret (-?[\d.]+)/.exec(model)?.[1] ?? 0);
}

function parse(text: string): IssueList[] {
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

function write(parts: readonly IssueList[]): string {
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
