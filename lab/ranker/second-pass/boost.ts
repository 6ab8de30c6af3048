/**
 * Gradient boosting (Friedman, Annals of Statistics 2001) of the listwise likelihood that the linear ranker is fitted
 * by, with Newton steps in the leaves and histograms of feature values (Chen & Guestrin, "XGBoost", KDD 2016; Ke et
 * al., "LightGBM", NeurIPS 2017).
 */
import type { Tree } from './trees.ts';

/** One issue: rows are candidates. */
export interface Group {
  /** By feature, by candidate. */
  features: readonly ArrayLike<number>[];
  /** 1 edited, 0 not, -1 neither counts. */
  labels: Int8Array;
  /** Where boosting starts. */
  scores: Float64Array;
  /** How much the issue counts. */
  weight: number;
}

export interface BoostOptions {
  trees: number;
  rate: number;
  leaves: number;
  /** Least sum of second derivatives in a leaf. */
  minHessian: number;
  /** L2 penalty on what leaves add. */
  lambda: number;
  /** By feature, whether trees may ask for it; all when left out. */
  usable?: readonly boolean[];
  /** Share of the features that a tree may ask for. */
  featureShare: number;
  /** Share of the issues that a tree learns from. */
  groupShare: number;
  seed: number;
  /** After each tree. */
  onTree?(tree: Tree, index: number): void;
}

const BINS = 64;

interface Matrix {
  rows: number;
  features: number;
  /** [feature][row]: 0 is missing, then 1 + the number of thresholds below the value. */
  bins: Uint8Array[];
  thresholds: Float64Array[];
  starts: number[];
}

export function boost(groups: readonly Group[], options: BoostOptions): Tree[] {
  const matrix = binned(groups);
  const scores = new Float64Array(matrix.rows);
  for (const [g, group] of groups.entries()) scores.set(group.scores, matrix.starts[g]);
  const random = generator(options.seed);
  const trees: Tree[] = [];
  const gradient = new Float64Array(matrix.rows);
  const hessian = new Float64Array(matrix.rows);
  for (let t = 0; t < options.trees; t++) {
    gradient.fill(0);
    hessian.fill(0);
    const rows: number[] = [];
    for (const [g, group] of groups.entries()) {
      if (random() >= options.groupShare) continue;
      const start = matrix.starts[g]!;
      derivatives(group, scores, start, gradient, hessian);
      for (const [i, label] of group.labels.entries()) if (label >= 0) rows.push(start + i);
    }
    const allowed = Array.from({ length: matrix.features }, (_, f) => f).filter(
      (f) => random() < options.featureShare && options.usable?.[f] !== false,
    );
    const tree = grow(matrix, Uint32Array.from(rows), gradient, hessian, allowed, options);
    trees.push(tree);
    addTo(scores, tree, matrix);
    options.onTree?.(tree, t);
  }
  return trees;
}

/** Of the mean over an issue's positives of -log of the positive's share among itself and the negatives. */
function derivatives(
  { labels, weight }: Group,
  scores: Float64Array,
  start: number,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  const n = labels.length;
  let best = Number.NEGATIVE_INFINITY;
  let positives = 0;
  for (let i = 0; i < n; i++) {
    if (labels[i]! < 0) continue;
    best = Math.max(best, scores[start + i]!);
    if (labels[i] === 1) positives++;
  }
  if (positives === 0) return;
  let negatives = 0;
  for (let i = 0; i < n; i++) if (labels[i] === 0) negatives += Math.exp(scores[start + i]! - best);
  const share = weight / positives;
  const totals: number[] = [];
  for (let i = 0; i < n; i++) {
    if (labels[i] !== 1) continue;
    const own = Math.exp(scores[start + i]! - best);
    const p = own / (own + negatives);
    totals.push(own + negatives);
    gradient[start + i] = -share * (1 - p);
    hessian[start + i] = share * p * (1 - p);
  }
  for (let i = 0; i < n; i++) {
    if (labels[i] !== 0) continue;
    const own = Math.exp(scores[start + i]! - best);
    for (const total of totals) {
      const p = own / total;
      gradient[start + i]! += share * p;
      hessian[start + i]! += share * p * (1 - p);
    }
  }
}

interface Leaf {
  node: number;
  rows: Uint32Array;
  gradient: number;
  hessian: number;
  split: Split | null;
}

interface Split {
  gain: number;
  feature: number;
  bin: number;
  missingLeft: boolean;
}

/** Grows the leaf that gains most, until there are enough. */
function grow(
  matrix: Matrix,
  rows: Uint32Array,
  gradient: Float64Array,
  hessian: Float64Array,
  allowed: readonly number[],
  options: BoostOptions,
): Tree {
  const tree: Tree = {
    feature: [],
    threshold: [],
    left: [],
    right: [],
    missingLeft: [],
    value: [],
  };
  const addLeaf = (of: Uint32Array): Leaf => {
    let g = 0;
    let h = 0;
    for (const row of of) {
      g += gradient[row]!;
      h += hessian[row]!;
    }
    const node = tree.feature.length;
    tree.feature.push(-1);
    tree.threshold.push(0);
    tree.left.push(-1);
    tree.right.push(-1);
    tree.missingLeft.push(true);
    tree.value.push((-options.rate * g) / (h + options.lambda));
    const leaf: Leaf = { node, rows: of, gradient: g, hessian: h, split: null };
    leaf.split = bestSplit(leaf, matrix, gradient, hessian, allowed, options);
    return leaf;
  };
  const leaves = [addLeaf(rows)];
  while (leaves.length < options.leaves) {
    leaves.sort((a, b) => (b.split?.gain ?? 0) - (a.split?.gain ?? 0));
    const { node, rows: of, split } = leaves[0]!;
    if (!split) break;
    const bins = matrix.bins[split.feature]!;
    const isLeft = (row: number) => (bins[row] === 0 ? split.missingLeft : bins[row]! <= split.bin);
    tree.feature[node] = split.feature;
    tree.threshold[node] = matrix.thresholds[split.feature]![split.bin - 1]!;
    tree.missingLeft[node] = split.missingLeft;
    const left = addLeaf(of.filter(isLeft));
    const right = addLeaf(of.filter((row) => !isLeft(row)));
    tree.left[node] = left.node;
    tree.right[node] = right.node;
    leaves.splice(0, 1, left, right);
  }
  return tree;
}

function bestSplit(
  leaf: Leaf,
  matrix: Matrix,
  gradient: Float64Array,
  hessian: Float64Array,
  allowed: readonly number[],
  { lambda, minHessian }: BoostOptions,
): Split | null {
  if (leaf.hessian < 2 * minHessian) return null;
  const parent = leaf.gradient ** 2 / (leaf.hessian + lambda);
  let best: Split | null = null;
  const g = new Float64Array(BINS + 2);
  const h = new Float64Array(BINS + 2);
  for (const feature of allowed) {
    const last = matrix.thresholds[feature]!.length;
    if (last === 0) continue;
    g.fill(0);
    h.fill(0);
    const bins = matrix.bins[feature]!;
    for (const row of leaf.rows) {
      const bin = bins[row]!;
      g[bin]! += gradient[row]!;
      h[bin]! += hessian[row]!;
    }
    for (const missingLeft of h[0]! > 0 ? [true, false] : [true]) {
      let leftG = missingLeft ? g[0]! : 0;
      let leftH = missingLeft ? h[0]! : 0;
      for (let bin = 1; bin <= last; bin++) {
        leftG += g[bin]!;
        leftH += h[bin]!;
        const rightH = leaf.hessian - leftH;
        if (leftH < minHessian || rightH < minHessian) continue;
        const rightG = leaf.gradient - leftG;
        const gain = leftG ** 2 / (leftH + lambda) + rightG ** 2 / (rightH + lambda) - parent;
        if (gain > (best?.gain ?? 1e-9)) best = { gain, feature, bin, missingLeft };
      }
    }
  }
  return best;
}

function addTo(scores: Float64Array, tree: Tree, { bins, thresholds, rows }: Matrix): void {
  const binOf = tree.feature.map((feature, node) =>
    feature < 0 ? 0 : thresholds[feature]!.indexOf(tree.threshold[node]!) + 1,
  );
  for (let row = 0; row < rows; row++) {
    let node = 0;
    while (tree.feature[node]! >= 0) {
      const bin = bins[tree.feature[node]!]![row]!;
      const goesLeft = bin === 0 ? tree.missingLeft[node] : bin <= binOf[node]!;
      node = goesLeft ? tree.left[node]! : tree.right[node]!;
    }
    scores[row]! += tree.value[node]!;
  }
}

/** Bins with about the same number of rows each; few distinct values get a bin each. */
function binned(groups: readonly Group[]): Matrix {
  const starts: number[] = [];
  let rows = 0;
  for (const { labels } of groups) {
    starts.push(rows);
    rows += labels.length;
  }
  const features = groups[0]?.features.length ?? 0;
  const bins: Uint8Array[] = [];
  const thresholds: Float64Array[] = [];
  for (let f = 0; f < features; f++) {
    const values = new Float64Array(rows);
    for (const [g, group] of groups.entries()) values.set(group.features[f]!, starts[g]);
    const cuts = cutsOf(values);
    thresholds.push(cuts);
    bins.push(
      Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1 + below(cuts, value))),
    );
  }
  return { rows, features, bins, thresholds, starts };
}

function cutsOf(values: Float64Array): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const cuts: number[] = [];
  for (let b = 1; b < BINS; b++) {
    const at = Math.floor((b * sorted.length) / BINS);
    if (at === 0 || at >= sorted.length) continue;
    addCut(sorted[at - 1]!);
  }
  // Values that few rows have, all at the end, would share a bin with the common ones.
  for (const share of [0.99, 0.995, 0.998, 0.999])
    addCut(sorted[Math.floor(share * sorted.length)]!);
  return Float64Array.from(cuts).sort();

  function addCut(value: number): void {
    if (value < sorted[sorted.length - 1]! && !cuts.includes(value)) cuts.push(value);
  }
}

/** How many cuts are below the value. */
function below(cuts: Float64Array, value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
