/** Boosted regression trees: what they add to a score, and for which feature. */
import { present } from '../../../src/shared/present.ts';
/** A binary tree as parallel arrays by node; node 0 is the root. */
export interface Tree {
  /** The feature that a node asks for; -1 in a leaf. */
  feature: number[];
  /** A value up to the threshold goes left. */
  threshold: number[];
  left: number[];
  right: number[];
  /** Whether a missing value (NaN) goes left. */
  missingLeft: boolean[];
  /** What the tree would add if it ended here. */
  value: number[];
}

/** What the trees add to one candidate's score. */
export function scoreOf(trees: readonly Tree[], at: (feature: number) => number): number {
  let sum = 0;
  for (const tree of trees) {
    let node = 0;
    for (let feature = askedBy(tree, node); feature >= 0; feature = askedBy(tree, node)) {
      node = next(tree, node, at(feature));
    }
    sum += present(tree.value[node], 'the value of a node');
  }
  return sum;
}

function askedBy(tree: Tree, node: number): number {
  return present(tree.feature[node], 'the feature of a node');
}

function next(tree: Tree, node: number, value: number): number {
  const goesLeft = Number.isNaN(value)
    ? tree.missingLeft[node]
    : value <= present(tree.threshold[node], 'the threshold of a node');
  return present((goesLeft ? tree.left : tree.right)[node], 'the child of a node');
}
