import type { Anchor, AnchorMatches } from '../../shared/anchors.ts';
import type { HashedChunk } from '../../shared/chunk.ts';
import { slotInPlace, summaryOf } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';

const MAX_MATCHES = 100;

/** What this snapshot has for chunks of a list that was made elsewhere: in their place, with their content, of their name. */
export function matchAnchors(
  index: RepositoryIndex,
  store: Store,
  snapshotId: number,
  anchors: readonly Anchor[],
): AnchorMatches[] {
  const hashes = [...new Set(anchors.flatMap((anchor) => anchor.contentHash ?? []))];
  const slotsByHash = new Map<string, number[]>();
  for (const { id, hash } of store.versions.withContent(snapshotId, hashes)) {
    const slot = index.slotOf(id);
    if (slot === undefined) continue;
    const slots = slotsByHash.get(hash);
    if (slots) slots.push(slot);
    else slotsByHash.set(hash, [slot]);
  }
  // Anchors of one name, or one content, have the same matches, and chunks are matches of many anchors.
  const hashed = remembered((slot: number): HashedChunk => {
    const chunk = index.chunk(slot);
    return { ...summaryOf(chunk), contentHash: store.versions.contentHash(chunk.id) };
  });
  const named = remembered((name: string) => ordered(index, index.slotsByName(name)));
  const alike = remembered((hash: string) => ordered(index, slotsByHash.get(hash) ?? []));
  return anchors.map((anchor) => {
    const { qualifiedName, contentHash } = anchor;
    const here = slotInPlace(index, anchor);
    const others = (known: Ordered) => firstOf(known, qualifiedName, here).map(hashed);
    return {
      inPlace: here === undefined ? null : hashed(here),
      sameContent: contentHash === null ? [] : others(alike(contentHash)),
      sameName: others(named(qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1))),
    };
  });
}

/** The function, which works out each answer once. */
function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

/** Slots by path and line, and by qualified name. */
interface Ordered {
  slots: readonly number[];
  byQualifiedName: ReadonlyMap<string, number[]>;
}

function ordered(index: RepositoryIndex, slots: readonly number[]): Ordered {
  const chunk = (slot: number) => index.chunk(slot);
  const sorted = slots.toSorted((a, b) => {
    const [left, right] = [chunk(a), chunk(b)];
    return left.path < right.path
      ? -1
      : left.path > right.path
        ? 1
        : left.startLine - right.startLine;
  });
  return {
    slots: sorted,
    byQualifiedName: Map.groupBy(sorted, (slot) => chunk(slot).qualifiedName),
  };
}

/** As many as are shown, but for one slot: those of the wanted qualified name first. */
function firstOf({ slots, byQualifiedName }: Ordered, wanted: string, except?: number): number[] {
  const same = byQualifiedName.get(wanted) ?? [];
  const first = new Set<number>();
  for (const list of [same, slots]) {
    for (const slot of list) {
      if (first.size === MAX_MATCHES) return [...first];
      if (slot !== except) first.add(slot);
    }
  }
  return [...first];
}
