import type { Anchor } from '../../shared/protocol.ts';
import type { AnchorMatches, HashedChunk } from '../../shared/types.ts';
import type { RepositoryIndex } from '../index/repository-index.ts';
import type { Store } from '../store/store.ts';
import { summaryOf } from './address.ts';

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
    if (slot !== undefined) slotsByHash.set(hash, [...(slotsByHash.get(hash) ?? []), slot]);
  }
  const hashed = (slot: number): HashedChunk => {
    const chunk = index.chunks[slot]!;
    return { ...summaryOf(chunk), contentHash: store.versions.text(chunk.id).hash };
  };
  return anchors.map((anchor) => {
    const here = slotInPlace(index, anchor);
    const others = (slots: readonly number[]) =>
      sorted(
        index,
        slots.filter((slot) => slot !== here),
        anchor.qualifiedName,
      )
        .slice(0, MAX_MATCHES)
        .map(hashed);
    const simpleName = anchor.qualifiedName.slice(anchor.qualifiedName.lastIndexOf('.') + 1);
    return {
      inPlace: here === undefined ? null : hashed(here),
      sameContent: others(
        anchor.contentHash === null ? [] : (slotsByHash.get(anchor.contentHash) ?? []),
      ),
      sameName: others(index.slotsByName(simpleName)),
    };
  });
}

function slotInPlace(index: RepositoryIndex, anchor: Anchor): number | undefined {
  return index.slotsByPath(anchor.path).find((slot) => {
    const chunk = index.chunks[slot]!;
    return chunk.qualifiedName === anchor.qualifiedName && chunk.ordinal === anchor.ordinal;
  });
}

/** Those of the wanted qualified name first, then by path and line. */
function sorted(index: RepositoryIndex, slots: readonly number[], qualifiedName: string): number[] {
  const differs = (slot: number) => Number(index.chunks[slot]!.qualifiedName !== qualifiedName);
  return [...slots].sort((a, b) => {
    const [left, right] = [index.chunks[a]!, index.chunks[b]!];
    return (
      differs(a) - differs(b) ||
      (left.path < right.path ? -1 : left.path > right.path ? 1 : left.startLine - right.startLine)
    );
  });
}
