/**
 * Boosted regression trees over the columns of a ranking, as LightGBM grows them (Ke et al., NeurIPS 2017): what they add to
 * the score of a candidate, and what of that is each feature's.
 */
import { z } from 'zod';
import { present } from '../../shared/present.ts';

/** What a tree may ask for: a signal as it was measured, or standardised over the candidates. */
const feature = z.strictObject({ signal: z.string(), as: z.enum(['measured', 'standardised']) });

const LEAF = -1;

/**
 * A binary tree as arrays by node, a node before its children and the left one before the right one; that is all there is
 * to say of its form.
 */
const tree = z.strictObject({
  /** Which of the features a node asks for; -1 for a leaf. */
  asks: z.array(z.int().min(LEAF)).min(1),
  /** A node sends values up to this one to the left; a leaf adds it. */
  numbers: z.array(z.number()),
  /** How many candidates came by when the tree was grown. */
  rows: z.array(z.int().positive()),
});

/** As in a ranker's file. */
export const forestFile = z
  .strictObject({ features: z.array(feature).min(1), trees: z.array(tree).min(1) })
  .superRefine(({ features, trees }, context) => {
    for (const [t, one] of trees.entries()) {
      const wrong = faultOf(one, features.length);
      if (wrong) context.addIssue({ code: 'custom', path: ['trees', t], message: wrong });
    }
  });
export type ForestFile = z.infer<typeof forestFile>;
export type Feature = z.infer<typeof feature>;
type TreeFile = z.infer<typeof tree>;

function faultOf({ asks, numbers, rows }: TreeFile, features: number): string | null {
  if (numbers.length !== asks.length || rows.length !== asks.length)
    return 'has arrays of different lengths';
  if (asks.some((asked) => asked >= features)) return 'asks for a feature that is not listed';
  // How many nodes are still to come: one at first; a node takes its own place and opens two.
  let open = 1;
  for (const [node, asked] of asks.entries()) {
    open += asked === LEAF ? -1 : 1;
    if (open === 0 && node < asks.length - 1) return 'goes on after its last leaf';
  }
  return open > 0 ? 'lacks leaves' : null;
}

/** Trees in a row, ready to be asked. */
export interface Forest {
  readonly features: readonly Feature[];
  /** By tree, its first node. */
  readonly roots: Int32Array;
  /** By node, of all trees; left children follow their parents. */
  readonly asks: Int16Array;
  readonly right: Int32Array;
  readonly rows: Float64Array;
  /** Thresholds, and what leaves add. */
  readonly numbers: Float64Array;
}

/**
 * What a leaf adds is measured from the mean over the rows that its tree was grown on: the same for all candidates, and so
 * the parts of all features add up to what the trees add.
 */
export function forestOf({ features, trees }: ForestFile): Forest {
  const roots: number[] = [];
  const right: number[] = [];
  const numbers: number[] = [];
  for (const one of trees) {
    const root = right.length;
    roots.push(root);
    const mean = meanOf(one);
    for (const [node, asked] of one.asks.entries()) {
      const number = present(one.numbers[node], 'the number of a node');
      numbers.push(asked === LEAF ? number - mean : number);
    }
    right.push(...rightChildren(one.asks).map((child) => root + child));
  }
  return {
    features,
    roots: Int32Array.from(roots),
    asks: Int16Array.from(trees.flatMap(({ asks }) => asks)),
    right: Int32Array.from(right),
    rows: Float64Array.from(trees.flatMap(({ rows }) => rows)),
    numbers: Float64Array.from(numbers),
  };
}

function meanOf({ asks, numbers, rows }: TreeFile): number {
  const all = present(rows[0], 'the rows of a root');
  return asks.reduce((sum, asked, node) => {
    const share = present(rows[node], 'the rows of a node') / all;
    return asked === LEAF ? sum + share * present(numbers[node], 'what a leaf adds') : sum;
  }, 0);
}

/** By node; 0 for leaves. */
function rightChildren(asks: readonly number[]): number[] {
  const right = asks.map(() => 0);
  /** Nodes whose right child is still to come. */
  const waiting: number[] = [];
  for (const [node, asked] of asks.entries()) {
    const isAfterLeaf = node > 0 && asks[node - 1] === LEAF;
    const parent = isAfterLeaf ? waiting.pop() : undefined;
    if (parent !== undefined) right[parent] = node;
    if (asked !== LEAF) waiting.push(node);
  }
  return right;
}

/**
 * What all trees together add, by candidate. What is missing goes both ways, in the shares in which the rows went (Quinlan,
 * C4.5, 1993, chapter 3), and so says nothing.
 * @param columns of `features`; NaN where a value is missing.
 */
export function scoresBy(forest: Forest, columns: readonly Float64Array[]): Float64Array {
  const { asks, numbers, right } = forest;
  const scores = new Float64Array(columns[0]?.length ?? 0);
  for (const root of forest.roots) {
    for (let i = 0; i < scores.length; i++) scores[i]! += worth(root, i);
  }
  return scores;

  function worth(from: number, i: number): number {
    let node = from;
    for (let asked = asks[node]!; asked !== LEAF; asked = asks[node]!) {
      const value = columns[asked]![i]!;
      if (Number.isNaN(value)) {
        const share = leftShare(forest, node);
        return share * worth(node + 1, i) + (1 - share) * worth(right[node]!, i);
      }
      node = value <= numbers[node]! ? node + 1 : right[node]!;
    }
    return numbers[node]!;
  }
}

export function isLeaf({ asks }: Forest, node: number): boolean {
  return asks[node] === LEAF;
}

/** The share of a node's rows that went to the left. */
export function leftShare({ rows }: Forest, node: number): number {
  return rows[node + 1]! / rows[node]!;
}
