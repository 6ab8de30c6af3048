import type { Candidates } from '../candidates.ts';
import type { NameMention } from '../mentions/names.ts';
import { measureEach, type Signal } from './signal.ts';

/** Where the issue has the chunk's name: 1 / root of the number of definitions that share it. */
export const name: Signal = {
  name: 'name',
  measure(candidates) {
    const values = valuesBySlot(candidates);
    return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
  },
  explain(slot, candidates) {
    const mentions = mentionsOf(slot, candidates);
    const definitions = Math.min(...mentions.map((mention) => mention.definitions));
    return {
      spans: mentions.flatMap(({ spans }) => spans),
      detail: definitions === 1 ? 'the only definition' : `one of ${definitions} definitions`,
    };
  },
};

/** 1 where the issue has the name of the class that the chunk is a member of. */
export const className: Signal = {
  name: 'className',
  measure(candidates) {
    const values = valuesBySlot(candidates);
    return measureEach(candidates, ({ parent }) => (values.has(parent) ? 1 : 0));
  },
  explain(slot, candidates) {
    const { parent } = candidates.index.chunks[slot]!;
    return {
      spans: mentionsOf(parent, candidates).flatMap(({ spans }) => spans),
      detail: candidates.index.chunks[parent]!.qualifiedName,
    };
  },
};

function valuesBySlot({ issue }: Candidates): Map<number, number> {
  const values = new Map<number, number>();
  for (const { slots, definitions } of issue.names) {
    const value = 1 / Math.sqrt(definitions);
    for (const slot of slots) values.set(slot, Math.max(value, values.get(slot) ?? 0));
  }
  return values;
}

function mentionsOf(slot: number, { issue }: Candidates): NameMention[] {
  return issue.names.filter(({ slots }) => slots.includes(slot));
}
