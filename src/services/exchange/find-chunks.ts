import { type ChunkAddress, interpretAddress } from '../../shared/address.ts';
import type { HashedChunk } from '../../shared/chunk.ts';
import type { Anchor } from '../../shared/lists.ts';
import type { QueryTarget } from '../../shared/repository.ts';

/** Finds the chunks at these addresses. Missing ones are left out. */
export async function findChunks(
  addresses: readonly ChunkAddress[],
  repository: Pick<QueryTarget, 'resolveAnchors'>,
): Promise<Map<ChunkAddress, HashedChunk>> {
  if (addresses.length === 0) return new Map();
  const anchors = addresses.flatMap(interpretAddress);
  const matches = await repository.resolveAnchors({
    anchors: anchors.map((anchor) => ({ ...anchor, contentHash: null })),
  });
  return new Map(
    matches.flatMap(({ sameAddress }) =>
      sameAddress ? [[sameAddress.address, sameAddress] as const] : [],
    ),
  );
}

/** Returns the identity of a chunk, without its other properties. */
export const toAnchor = ({ path, qualifiedName, ordinal, contentHash }: Anchor): Anchor => ({
  path,
  qualifiedName,
  ordinal,
  contentHash,
});
