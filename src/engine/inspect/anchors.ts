import type { HashedChunk } from '../../shared/chunk.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Anchor, AnchorMatches } from '../../shared/lists.ts';
import { byPlace } from '../search/gather/chunks.ts';
import { slotInPlace, summaryOf } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';

const MAX_MATCHES = 100;

/** What this snapshot has for chunks of a list that was made elsewhere: in their place, with their content, of their name. */
export function matchAnchors(
  index: RepositoryIndex,
  store: Store,
  anchors: readonly Anchor[],
): AnchorMatches[] {
  const hashes = [...new Set(anchors.flatMap((anchor) => anchor.contentHash ?? []))];
  const withContent = store.versions.withContent(index.snapshotId, hashes);
  const byHash = Map.groupBy(withContent, ({ hash }) => hash);
  const slotsWith = (hash: string) =>
    (byHash.get(hash) ?? []).flatMap(({ id }) => index.slotOf(id) ?? []);
  // Anchors of one name, or one content, have the same matches, and chunks are matches of many anchors.
  const known = {
    hashed: new Map<number, HashedChunk>(),
    named: new Map<string, Ordered>(),
    alike: new Map<string, Ordered>(),
  };
  const hashed = (slot: number) =>
    getOrAdd(known.hashed, slot, () => {
      const chunk = index.chunk(slot);
      return { ...summaryOf(chunk), contentHash: store.versions.contentHash(chunk.id) };
    });
  return anchors.map((anchor) => {
    const { qualifiedName, contentHash } = anchor;
    const here = slotInPlace(index, anchor);
    const others = (all: Ordered) => firstOf(all, qualifiedName, here).map(hashed);
    const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
    const named = getOrAdd(known.named, name, () => ordered(index, index.slotsByName(name)));
    const alike = (hash: string) =>
      getOrAdd(known.alike, hash, () => ordered(index, slotsWith(hash)));
    return {
      inPlace: here === undefined ? null : hashed(here),
      sameContent: contentHash === null ? [] : others(alike(contentHash)),
      sameName: others(named),
    };
  });
}

/** Slots by path and line, and by qualified name. */
interface Ordered {
  slots: readonly number[];
  byQualifiedName: ReadonlyMap<string, number[]>;
}

function ordered(index: RepositoryIndex, unordered: readonly number[]): Ordered {
  const slots = unordered.toSorted(byPlace(index));
  return { slots, byQualifiedName: Map.groupBy(slots, (slot) => index.chunk(slot).qualifiedName) };
}

/** As many as are shown, but for one slot: those of the wanted qualified name first. */
function firstOf({ slots, byQualifiedName }: Ordered, wanted: string, except?: number): number[] {
  const first = new Set<number>();
  for (const list of [byQualifiedName.get(wanted) ?? [], slots]) {
    for (const slot of list) {
      if (first.size === MAX_MATCHES) return [...first];
      if (slot !== except) first.add(slot);
    }
  }
  return [...first];
}
