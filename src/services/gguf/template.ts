/** Texts of requests to models that rank numbered passages. */
import { z } from 'zod';

export const templateText = z.string().max(5_000);

/** Texts of a request. `{num}` is the number of passages, `{query}` the issue, `{rank}` and `{candidate}` a passage's identifier and text. */
export const listwiseTemplate = z.object({
  system: templateText,
  prefix: templateText,
  body: templateText,
  suffix: templateText,
});
export type ListwiseTemplate = z.output<typeof listwiseTemplate>;
