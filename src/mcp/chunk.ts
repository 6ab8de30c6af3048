/** Functions as tools name them. What comes from a repository is made visible: no control character leaves here. */
import { z } from 'zod';
import { splitAddress } from '../shared/address.ts';
import { CHUNK_KINDS, type ChunkSummary } from '../shared/chunk.ts';
import { visible } from '../shared/visible.ts';

export const place = z.object({
  path: z.string(),
  /** Its qualified name; `path::name` names it to `read` and `neighbors`. */
  name: z.string(),
  kind: z.enum(CHUNK_KINDS),
  startLine: z.number(),
  endLine: z.number(),
});

export function placeOf({
  address,
  kind,
  startLine,
  endLine,
}: ChunkSummary): z.output<typeof place> {
  const { path, name } = splitAddress(address);
  return { path: visible(path), name: visible(name), kind, startLine, endLine };
}

/** `src/shop/cart.py::Cart.total (method, lines 12-40)`. */
export function inText({ path, name, kind, startLine, endLine }: z.output<typeof place>): string {
  return `${path}::${name} (${kind}, lines ${startLine}-${endLine})`;
}
