/** Boosted regression trees: what they add to a score, and for which feature. */

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
    while (tree.feature[node] >= 0) node = next(tree, node, at(tree.feature[node]));
    sum += tree.value[node];
  }
  return sum;
}

function next(tree: Tree, node: number, value: number): number {
  const goesLeft = Number.isNaN(value) ? tree.missingLeft[node] : value <= tree.threshold[node];
  return goesLeft ? tree.left[node] : tree.right[node];
}
