import { assertPresent } from '../../../../shared/assert-present.ts';
import { quoteText } from '../../../../shared/quote.ts';
import type { Registration } from '../../../../shared/registration.ts';
import type { Candidates } from '../../gather/gather.ts';
import { cachePerSearch, measureSlots, withFamily } from './signal.ts';
import { formatShare } from './wording.ts';

export const ENTRY_POINT_SIGNALS = withFamily('names', [
  /** For a function that is registered under a route, a command or another key in the issue: 1 / √n for its n functions. */
  {
    name: 'entryPoint',
    title: 'Runs for a route or command in the issue',
    measure: (candidates) => measureSlots(candidates, scoreEntryPoints(candidates)),
    format: formatShare,
    explain({ slot, candidates: { issue } }) {
      const mentions = issue.entryPoints
        .filter(({ slots }) => slots.includes(slot))
        .sort((a, b) => a.slots.length - b.slots.length);
      const first = assertPresent(mentions[0], 'the mention of an entry point');
      const spans = mentions.flatMap((mention) => mention.spans);
      return { sentence: describeRegistration(first), spans };
    },
  },
]);

const scoreEntryPoints = cachePerSearch(({ issue }: Candidates): Map<number, number> => {
  const values = new Map<number, number>();
  for (const { slots } of issue.entryPoints)
    for (const slot of slots)
      values.set(slot, Math.max(values.get(slot) ?? 0, 1 / Math.sqrt(slots.length)));
  return values;
});

/** Says what a function does that is registered under a key, as a clause without a subject. */
function describeRegistration({ kind, key }: Registration): string {
  const quoted = quoteText(key);
  switch (kind) {
    case 'route':
      return `handles ${quoted}`;
    case 'command':
      return `implements the command ${quoted}`;
    case 'option':
      return `declares the option ${quoted}`;
    case 'event':
      return `listens to ${quoted}`;
    case 'name':
      return `registered as ${quoted}`;
  }
}
