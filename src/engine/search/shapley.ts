/**
 * What each feature adds to a candidate's score: the Shapley values of the trees, where a feature that is left out sends a
 * candidate both ways, in the shares in which the rows went that the tree was grown on (Lundberg, Erion & Lee, "Consistent
 * Individualized Feature Attribution for Tree Ensembles", arXiv 1802.03888). They add up to what the trees add.
 */
import { present } from '../../shared/present.ts';
import { type Forest, isLeaf, leftShare } from './forest.ts';

/** By node of a tree, how much of a candidate goes left: 1, 0, or what of the rows did where its value is missing. */
type Ways = ReadonlyMap<number, number>;

/** By feature that a tree asks for, what it adds. */
type Parts = ReadonlyMap<number, number>;

/** A feature on the way to a leaf, however often it is asked for there. */
interface Step {
  /** How much of the candidate goes this way. */
  goes: number;
  /** The share of the rows that go this way where the other features do. */
  share: number;
}
type Way = ReadonlyMap<number, Step>;

/** What a tree says depends on the ways of its few nodes alone, so that candidates share what was worked out once. */
const known = new WeakMap<Forest, Map<string, Parts>>();

/**
 * @param read a candidate's value of a feature; NaN where it is missing, so that it adds nothing
 * @returns what each of the forest's features adds
 */
export function partsOf(forest: Forest, read: (feature: number) => number): Float64Array {
  const cache = known.get(forest) ?? new Map<string, Parts>();
  known.set(forest, cache);
  const sums = new Float64Array(forest.features.length);
  for (const root of forest.roots) {
    const ways = waysFrom(root, forest, read);
    const key = `${root} ${[...ways.values()].join(' ')}`;
    const parts = cache.get(key) ?? partsOfTree(root, forest, ways);
    cache.set(key, parts);
    for (const [feature, part] of parts) sums[feature] = (sums[feature] ?? 0) + part;
  }
  return sums;
}

function waysFrom(root: number, forest: Forest, read: (feature: number) => number): Ways {
  const ways = new Map<number, number>();
  let open = 1;
  for (let node = root; open > 0; node++) {
    if (isLeaf(forest, node)) {
      open--;
      continue;
    }
    open++;
    const value = read(present(forest.asks[node], 'the feature of a node'));
    const threshold = present(forest.numbers[node], 'the threshold of a node');
    ways.set(node, Number.isNaN(value) ? leftShare(forest, node) : Number(value <= threshold));
  }
  return ways;
}

function partsOfTree(root: number, forest: Forest, ways: Ways): Parts {
  const parts = new Map<number, number>();
  visit(root, new Map());
  return parts;

  function visit(node: number, way: Way): void {
    if (isLeaf(forest, node)) {
      addLeaf(parts, way, present(forest.numbers[node], 'what a leaf adds'));
      return;
    }
    const feature = present(forest.asks[node], 'the feature of a node');
    const share = leftShare(forest, node);
    const goes = present(ways.get(node), 'the way of a node');
    visit(node + 1, extended(way, feature, { goes, share }));
    const right = present(forest.right[node], 'the right child of a node');
    visit(right, extended(way, feature, { goes: 1 - goes, share: 1 - share }));
  }
}

function extended(way: Way, feature: number, { goes, share }: Step): Way {
  const before = way.get(feature) ?? { goes: 1, share: 1 };
  return new Map(way).set(feature, { goes: before.goes * goes, share: before.share * share });
}

/**
 * A leaf is worth its number times the product, over the features on the way, of `goes` for those that are known and of
 * `share` for the others. Coefficient s of the product of (share + goes · y) over the other features is the sum of that
 * over all sets of s known ones, and s! (n - 1 - s)! / n! is how much each such set counts for the Shapley value.
 */
function addLeaf(parts: Map<number, number>, way: Way, number: number): void {
  for (const [own, step] of way) {
    let sums = [1];
    for (const [feature, { goes, share }] of way) {
      if (feature === own) continue;
      sums = [...sums, 0].map((sum, s) => share * sum + goes * (sums[s - 1] ?? 0));
    }
    let weight = 1 / way.size;
    let gain = 0;
    for (const [s, sum] of sums.entries()) {
      gain += weight * sum;
      weight *= (s + 1) / (way.size - 1 - s);
    }
    parts.set(own, (parts.get(own) ?? 0) + number * (step.goes - step.share) * gain);
  }
}
