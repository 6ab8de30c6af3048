/** Schemas of addresses and paths, apart from `address.ts`: threads that only take addresses apart do not load zod. */
import { z } from 'zod';
import type { ChunkAddress, ChunkPlace } from './address.ts';

/** An address in a response. Schemas share this object, so that addresses can be found in any response. */
export const chunkAddress = z.string() satisfies z.ZodType<ChunkAddress>;

/** Path relative to the repository, in a response; shared by schemas like `chunkAddress`. */
export const repositoryPath = z.string();

/** The parts of an address. */
export const chunkPlace = z.object({
  path: repositoryPath,
  qualifiedName: z.string(),
  ordinal: z.number(),
}) satisfies z.ZodType<ChunkPlace>;
