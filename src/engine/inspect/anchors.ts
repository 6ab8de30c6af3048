import type { HashedChunk } from '../../shared/chunk.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Anchor, AnchorMatches } from '../../shared/lists.ts';
import { createLocationOrder } from '../search/gather/chunks.ts';
import { findSlotByParts, summarizeChunk } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';

const MAX_MATCHES = 100;

/** Matches chunks of a list from elsewhere with this snapshot: by address, by content and by name. */
export function matchAnchors(
  index: RepositoryIndex,
  store: Store,
  anchors: readonly Anchor[],
): AnchorMatches[] {
  const hashes = [...new Set(anchors.flatMap((anchor) => anchor.contentHash ?? []))];
  const withContent = store.versions.findByContent(index.snapshotId, hashes);
  const byHash = Map.groupBy(withContent, ({ hash }) => hash);
  const slotsWith = (hash: string) =>
    (byHash.get(hash) ?? []).flatMap(({ id }) => index.getSlot(id) ?? []);
  // Anchors with equal names or contents have the same matches, and a chunk may match many anchors.
  const caches = {
    hashed: new Map<number, HashedChunk>(),
    named: new Map<string, OrderedSlots>(),
    alike: new Map<string, OrderedSlots>(),
  };
  const hashed = (slot: number) =>
    getOrAdd(caches.hashed, slot, () => {
      const chunk = index.getChunk(slot);
      return { ...summarizeChunk(chunk), contentHash: store.versions.getContentHash(chunk.id) };
    });
  return anchors.map((anchor) => {
    const { qualifiedName, contentHash } = anchor;
    const here = findSlotByParts(index, anchor);
    const selectOthers = (all: OrderedSlots) => selectFirst(all, qualifiedName, here).map(hashed);
    const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
    const named = getOrAdd(caches.named, name, () => orderSlots(index, index.getSlotsByName(name)));
    const alike = (hash: string) =>
      getOrAdd(caches.alike, hash, () => orderSlots(index, slotsWith(hash)));
    return {
      sameAddress: here === undefined ? null : hashed(here),
      sameContent: contentHash === null ? [] : selectOthers(alike(contentHash)),
      sameName: selectOthers(named),
    };
  });
}

/** Slots sorted by path and line, and grouped by qualified name. */
interface OrderedSlots {
  slots: readonly number[];
  byQualifiedName: ReadonlyMap<string, number[]>;
}

function orderSlots(index: RepositoryIndex, unordered: readonly number[]): OrderedSlots {
  const slots = unordered.toSorted(createLocationOrder(index));
  return {
    slots,
    byQualifiedName: Map.groupBy(slots, (slot) => index.getChunk(slot).qualifiedName),
  };
}

/** Returns up to `MAX_MATCHES` slots, those with the wanted qualified name first. */
function selectFirst(
  { slots, byQualifiedName }: OrderedSlots,
  wanted: string,
  except?: number,
): number[] {
  const first = new Set<number>();
  for (const list of [byQualifiedName.get(wanted) ?? [], slots]) {
    for (const slot of list) {
      if (first.size === MAX_MATCHES) return [...first];
      if (slot !== except) first.add(slot);
    }
  }
  return [...first];
}
