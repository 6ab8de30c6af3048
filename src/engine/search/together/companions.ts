/** What a fix of a chunk may have to edit too, for people: what the list cannot know until the chunk is known to be right. */

import { addressOf } from '../../../shared/address.ts';
import type { Companion, CompanionRelation } from '../../../shared/companions.ts';
import { languageOf } from '../../languages/index.ts';
import { isConstructor } from '../../snapshot/members.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { changedWith } from './changed-with.ts';
import { type Overrides, overridesOf } from './overrides.ts';

/** Of each relation. */
const MOST = 3;
/** A method that more classes of a hierarchy have is a protocol of theirs, of which a fix edits one. */
const MOST_ALIKE = 4;
/** Once together is chance. */
const LEAST_COMMITS = 2;
const LEAST_SHARE = 0.1;
const NONE: Overrides = { above: [], below: [], beside: [] };

/** Those of one role with the chunk: that its tests change with it goes without saying. */
export function companionsOf(slot: number, index: SearchIndex): Companion[] {
  const { role } = index.chunk(slot);
  const shown = (relation: CompanionRelation, slots: readonly number[]) =>
    slots
      .filter((other) => index.chunk(other).role === role)
      .slice(0, MOST)
      .map((other) => companion(other, relation, index));
  const { above, below, beside } = alike(slot, index);
  return [
    ...shown('overridden', above),
    ...shown('overrides', below),
    ...shown('twin', beside),
    ...changedTogether(slot, index),
  ];
}

/** The same method of other classes, where that says something: nearly every class has a constructor of its own. */
function alike(slot: number, index: SearchIndex): Overrides {
  const chunk = index.chunk(slot);
  if (isConstructor(chunk) || languageOf(chunk.path)?.names.isSpecial(chunk.name)) return NONE;
  const found = overridesOf(slot, index);
  const { above, below, beside } = found;
  return above.length + below.length + beside.length > MOST_ALIKE ? NONE : found;
}

function changedTogether(slot: number, index: SearchIndex): Companion[] {
  const { history } = index;
  const chunk = index.chunk(slot);
  const definition = history?.definition(chunk);
  if (!history || definition === undefined) return [];
  const strongest = [...changedWith(definition, history)]
    .filter(([, { commits, share }]) => commits >= LEAST_COMMITS && share >= LEAST_SHARE)
    .sort((a, b) => b[1].share - a[1].share || a[0] - b[0]);
  return strongest
    .flatMap(([other, { commits }]) => {
      const found = slotOfDefinition(other, index);
      if (found === undefined || index.chunk(found).role !== chunk.role) return [];
      return [{ ...companion(found, 'changed', index), commits }];
    })
    .slice(0, MOST);
}

/** Undefined for one that is gone. The history knows the name of a definition, and where it is by asking back. */
function slotOfDefinition(definition: number, index: SearchIndex): number | undefined {
  const { history } = index;
  const qualified = history?.nameOf(definition) ?? '';
  return index
    .slotsByName(qualified.slice(qualified.lastIndexOf('.') + 1))
    .find((slot) => history?.definition(index.chunk(slot)) === definition);
}

function companion(slot: number, relation: CompanionRelation, index: SearchIndex): Companion {
  const chunk = index.chunk(slot);
  const { path, qualifiedName, startLine } = chunk;
  return { relation, address: addressOf(chunk), path, qualifiedName, startLine };
}
