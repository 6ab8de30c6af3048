/** Finds chunks that a fix of a chunk may have to edit too. The ranking cannot use them: it does not know which chunk is right. */
import { addressOf } from '../../../shared/address.ts';
import type { Companion, CompanionRelation } from '../../../shared/companions.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { HistoryIndex } from '../../history/history-index.ts';
import { languageOf } from '../../languages/index.ts';
import { isConstructor, membersOf } from '../../snapshot/members.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { basesOf, subclassesOf } from '../gather/call-graph.ts';

const MOST = 3;
/** If more classes of a hierarchy have a method of this name, it is a common protocol, and a fix edits only one of them. */
const MOST_ALIKE = 4;
/** Minimum number of commits that edited both: a single one may be chance. */
const LEAST_COMMITS = 2;
const LEAST_SHARE = 0.1;
const NONE: Overrides = { above: [], below: [], beside: [] };

/** Returns companions with the same role as the chunk: that its tests change with it is obvious. */
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

/** Returns overridden and overriding methods. None if they are too many, or for special methods, which nearly every class has. */
function alike(slot: number, index: SearchIndex): Overrides {
  const chunk = index.chunk(slot);
  if (isConstructor(chunk) || languageOf(chunk.path)?.names.isSpecial(chunk.name)) return NONE;
  const found = findOverrides(slot, index);
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

/** Returns the slot of a definition in the history; undefined if it no longer exists. The history knows only its name. */
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

/** Slots of methods with the same name, the nearest class first. */
interface Overrides {
  /** Methods that this one overrides. */
  above: number[];
  below: number[];
  beside: number[];
}

/** Maximum number of classes visited in each direction. */
const MOST_CLASSES = 60;

function findOverrides(slot: number, index: SearchIndex): Overrides {
  const { kind, parent, name } = index.chunk(slot);
  if (kind !== 'method' || parent < 0) return { above: [], below: [], beside: [] };
  const named = (classes: readonly number[]) =>
    classes.flatMap((class_) =>
      membersOf(class_, index).filter((member) => index.chunk(member).name === name),
    );
  const above = reachedFrom(parent, (class_) => basesOf(class_, index));
  const below = reachedFrom(parent, (class_) => subclassesOf(class_, index));
  const related = new Set([parent, ...above, ...below]);
  const beside = new Set(
    basesOf(parent, index)
      .flatMap((base) => subclassesOf(base, index))
      .filter((class_) => !related.has(class_)),
  );
  return {
    above: named(above),
    below: named(below),
    beside: named([...beside].slice(0, MOST_CLASSES)),
  };
}

/** Returns the classes that can be reached from a class, level by level, without itself. At most `MOST_CLASSES`. */
function reachedFrom(class_: number, next: (class_: number) => readonly number[]): number[] {
  const found = new Set([class_]);
  for (const one of found) {
    for (const other of next(one)) if (found.size <= MOST_CLASSES) found.add(other);
  }
  found.delete(class_);
  return [...found];
}

interface Together {
  /** Number of commits that edited both. */
  commits: number;
  /** Smoothed share of the one's changes. A commit counts 1 / root of the number of other definitions that it edits. */
  share: number;
}

/** Commits with more definitions are ignored: they do not show that two definitions belong together. */
const MAX_TOGETHER = 100;
/** Number of changes without a companion added to those of each definition, so that few changes count less. */
const SMOOTHING = 3;

/** Returns what changed together with a definition, by number of definition in the history. */
function changedWith(definition: number, history: HistoryIndex): Map<number, Together> {
  const changes = history.commitsOfDefinition(definition);
  const together = new Map<number, Together>();
  for (const commit of changes) {
    const { definitions } = history.commit(commit);
    if (definitions.length > MAX_TOGETHER) continue;
    const share = 1 / Math.sqrt(definitions.length - 1) / (changes.length + SMOOTHING);
    for (const other of definitions) {
      if (other === definition) continue;
      const found = getOrAdd(together, other, () => ({ commits: 0, share: 0 }));
      found.commits++;
      found.share += share;
    }
  }
  return together;
}
