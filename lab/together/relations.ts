/** What relates the candidates of a list to the first of them, by the index of the issue's commit. */
import {
  issueSyntaxes,
  queryWords,
  readIssue,
  resolveIssue,
  type SearchIndex,
} from '../../src/engine/lab.ts';
import type { List } from '../lists/list.ts';
import type { Snapshot } from '../ranker/samples.ts';
import { changedShares, relate } from './relate.ts';
import { KINDS, type Related, type Relations, rounded, shared } from './relation.ts';
import { partedBy } from './words.ts';

/** @param most of the first candidates, so many are what others are related to */
export function relationsOf(snapshot: Snapshot, list: List, most: number): Relations {
  const { index, instance, edited } = snapshot;
  const listed = slotsOf(list, index);
  const slots = [...listed, ...edited.filter((slot) => !listed.includes(slot))];
  const read = readIssue(instance.problem_statement, issueSyntaxes(index.languages()));
  const words = queryWords(resolveIssue(read, index), index.lexical);
  const first = list.candidates.findIndex(({ isEdited }) => isEdited);
  const sources = new Set([...listed.keys().take(most), ...(first < 0 ? [] : [first])]);
  const of = [...sources].flatMap((place): Related[] => {
    const slot = slots[place] ?? -1;
    if (slot < 0) return [];
    const parted = partedBy(slot, words.issue, index.lexical);
    const vector = index.vectors.vector(slot);
    const similarities = vector && index.vectors.similarities(shortened(vector));
    return [
      {
        place,
        pairs: pairsOf(slot, slots, index),
        explained: [...index.lexical.scoreSome(slots, parted.explained)].map(rounded),
        rest: [...index.lexical.scoreSome(slots, parted.rest)].map(rounded),
        alike: slots.map((other) => rounded(similarities?.[other] ?? 0)),
      },
    ];
  });
  return { instance: list.instance, chunks: slots.length, kinds: [...KINDS], of };
}

function pairsOf(slot: number, slots: readonly number[], index: SearchIndex): Related['pairs'] {
  const places = new Map(slots.map((one, place) => [one, place]));
  const best = new Map<string, [number, number, number]>();
  relate(slot, index, (kind, others, value = shared(others.length)) => {
    for (const other of others) {
      const place = places.get(other);
      if (place === undefined || other === slot) continue;
      const key = `${place} ${kind}`;
      if (value > (best.get(key)?.[2] ?? 0))
        best.set(key, [place, KINDS.indexOf(kind), rounded(value)]);
    }
  });
  const shareWith = changedShares(slot, index);
  const together = slots.flatMap((other, place): [number, number, number][] => {
    const share = other < 0 || other === slot ? 0 : shareWith(other);
    return share > 0 ? [[place, KINDS.indexOf('changedWith'), rounded(share)]] : [];
  });
  return [...best.values(), ...together];
}

/** The slots of a list's candidates; -1 for one that the snapshot lacks. */
function slotsOf({ candidates }: List, index: SearchIndex): number[] {
  const used = new Set<number>();
  return candidates.map(({ path, name, kind }) => {
    const slot = index.slotsByPath(path).find((one) => {
      const chunk = index.chunk(one);
      return !used.has(one) && chunk.qualifiedName === name && chunk.kind === kind;
    });
    if (slot === undefined) return -1;
    used.add(slot);
    return slot;
  });
}

/** Room for the rounding of what was in fixed point. */
function shortened(vector: Float32Array): Float32Array {
  return vector.map((x) => x * 0.999);
}
