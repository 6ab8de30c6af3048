import type { Candidates } from '../candidates.ts';
import { isConstructor } from '../members.ts';
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

/**
 * For a method that a class named in the issue inherits and does not override: 1 / (distance to the class that defines
 * it × root of the number of definitions that share the heir's name).
 */
export const inherited: Signal = {
  name: 'inherited',
  measure(candidates) {
    return measureEach(candidates, (_, slot) => candidates.inherited.get(slot)?.value ?? 0);
  },
  explain(slot, candidates) {
    const { heir } = candidates.inherited.get(slot)!;
    return {
      spans: mentionsOf(heir, candidates).flatMap(({ spans }) => spans),
      detail: `inherited by ${candidates.index.chunks[heir]!.qualifiedName}`,
    };
  },
};

/** For a constructor of a class named in an issue that speaks of making or passing: 1 / root of the number of definitions. */
export const initializer: Signal = {
  name: 'initializer',
  measure(candidates) {
    const values = valuesBySlot(candidates);
    const speaks = speaksOfMaking(candidates);
    return measureEach(candidates, ({ parent, name }) =>
      speaks && isConstructor(name) ? (values.get(parent) ?? 0) : 0,
    );
  },
  explain: className.explain,
};

/** What is said of how objects are made. */
const MAKING =
  /\b(?:arguments?|param(?:eter)?s?|kwargs?|keywords?|constructors?|instantiat\w*|initiali[sz]\w*|validat\w*|accepts?|creat\w+)\b/i;

function speaksOfMaking({ issue }: Candidates): boolean {
  return issue.sections.some(
    ({ kind, text }) => (kind === 'title' || kind === 'prose') && MAKING.test(text),
  );
}

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
