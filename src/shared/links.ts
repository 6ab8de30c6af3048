/** What the engine says of a `locus://` link. */
import type { ChunkAddress } from './address.ts';
import type { MarkedChunk } from './marks.ts';

export interface FoundLink {
  /** For people: the repository by its remote or its commit. */
  repository: string;
  /** For people: the name, or the path, that it leads to. */
  target: string;
  /** A folder that was opened before and is that repository; null when there is none. */
  root: string | null;
}

export interface PlacedLink {
  /** Null while, or when, it is not in this repository. */
  address: ChunkAddress | null;
  state: MarkedChunk['state'];
  /** Whether the link is about this repository at all. */
  about: boolean;
}
