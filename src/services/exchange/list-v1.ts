/**
 * Lists of version 1: their evidence had a text where later ones have sentences, words and fields, and the mark `read`
 * was called `relevant`.
 */
import { z } from 'zod';
import { SIGNALS } from '../../engine/search/signals/index.ts';
import type { Mark } from '../../shared/marks.ts';

const evidenceV1 = z.object({
  value: z.number(),
  contribution: z.number(),
  detail: z.string().optional(),
});

const listV1 = z.looseObject({
  chunks: z.array(z.looseObject({ evidence: z.record(z.string(), evidenceV1) })),
});

/** What the current version would say of such a list; its own value where it is damaged, for the reader to say how. */
export function upgradeFromV1(value: unknown): unknown {
  const list = listV1.safeParse(value);
  if (!list.success) return value;
  const chunks = list.data.chunks.map((chunk) => ({
    ...chunk,
    ...(chunk.mark === 'relevant' && { mark: 'read' satisfies Mark }),
    evidence: Object.fromEntries(
      Object.entries(chunk.evidence).map(([name, old]) => [name, upgraded(name, old)]),
    ),
  }));
  return { ...list.data, version: 2, chunks };
}

function upgraded(name: string, { value, contribution, detail }: z.infer<typeof evidenceV1>) {
  const signal = SIGNALS.find((one) => one.name === name);
  return {
    family: signal?.family ?? 'kind',
    title: signal?.title ?? name,
    value,
    measured: signal?.format(value) ?? String(value),
    contribution,
    sentence: detail ?? null,
  };
}
