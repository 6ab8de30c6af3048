/** Finds chunks that a fix of a chunk may also edit. They cannot improve the ranking, which does not know the right chunk. */
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { ChunkRelation, RelatedChunk } from '../../../shared/related-chunks.ts';
import type { HistoryIndex } from '../../history/history-index.ts';
import { findLanguage } from '../../languages/index.ts';
import { summarizeChunk } from '../../snapshot/address.ts';
import { getMembers, isConstructor } from '../../snapshot/members.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { findBases, findSubclasses } from '../gather/call-graph.ts';

/** Maximum number of related chunks of each relation. */
const MAX_PER_RELATION = 3;
/** If more classes of a hierarchy have this method, it is a common protocol, and a fix edits only one of them. */
const MAX_ALIKE = 4;
/** Minimum number of commits that edited both chunks: a single one may be chance. */
const MIN_COMMITS = 2;
const MIN_SHARE = 0.1;
const NONE: Overrides = { above: [], below: [], beside: [] };

/** Returns related chunks with the same role as the chunk. Tests of a function are left out: they change with it anyway. */
export function findRelatedChunks(slot: number, index: SearchIndex): RelatedChunk[] {
  const { role } = index.getChunk(slot);
  const describeAll = (relation: ChunkRelation, slots: readonly number[]) =>
    slots
      .filter((other) => index.getChunk(other).role === role)
      .slice(0, MAX_PER_RELATION)
      .map((other) => describeRelated(other, relation, index));
  const { above, below, beside } = findMethodsToShow(slot, index);
  return [
    ...describeAll('overridden', above),
    ...describeAll('overrides', below),
    ...describeAll('twin', beside),
    ...findChangedTogether(slot, index),
  ];
}

/** Returns the related methods, or none if there are too many. Special methods have none: nearly every class has them. */
export function findMethodsToShow(slot: number, index: SearchIndex): Overrides {
  const chunk = index.getChunk(slot);
  if (isConstructor(chunk) || findLanguage(chunk.path)?.names.isSpecial(chunk.name)) return NONE;
  const found = findOverrides(slot, index);
  const { above, below, beside } = found;
  return above.length + below.length + beside.length > MAX_ALIKE ? NONE : found;
}

function findChangedTogether(slot: number, index: SearchIndex): RelatedChunk[] {
  const { history } = index;
  const chunk = index.getChunk(slot);
  const definition = history?.findDefinition(chunk);
  if (!history || definition === undefined) return [];
  const strongest = [...countSharedCommits(definition, history)]
    .filter(([, { commits, share }]) => commits >= MIN_COMMITS && share >= MIN_SHARE)
    .sort((a, b) => b[1].share - a[1].share || a[0] - b[0]);
  return strongest
    .flatMap(([other, { commits }]) => {
      const found = findSlotOfDefinition(other, index);
      if (found === undefined || index.getChunk(found).role !== chunk.role) return [];
      return [{ ...describeRelated(found, 'changed', index), commits }];
    })
    .slice(0, MAX_PER_RELATION);
}

/** Returns the slot of a definition in the history, found by its name; undefined if it no longer exists. */
export function findSlotOfDefinition(definition: number, index: SearchIndex): number | undefined {
  const { history } = index;
  const qualified = history?.getDefinitionName(definition) ?? '';
  return index
    .getSlotsByName(qualified.slice(qualified.lastIndexOf('.') + 1))
    .find((slot) => history?.findDefinition(index.getChunk(slot)) === definition);
}

function describeRelated(slot: number, relation: ChunkRelation, index: SearchIndex): RelatedChunk {
  const chunk = index.getChunk(slot);
  const { address, path, qualifiedName, startLine, shownName } = summarizeChunk(chunk);
  return {
    ...{ relation, address, path, qualifiedName, startLine },
    ...(shownName !== undefined && { shownName }),
  };
}

/** Slots of methods with the same name in a class hierarchy, the nearest class first. */
export interface Overrides {
  /** Methods that this one overrides. */
  above: number[];
  /** Methods that override this one. */
  below: number[];
  /** Methods of other subclasses of the same base class. */
  beside: number[];
}

/** Maximum number of classes visited in each direction. */
const MAX_CLASSES = 60;

function findOverrides(slot: number, index: SearchIndex): Overrides {
  const { kind, parent, name } = index.getChunk(slot);
  if (kind !== 'method' || parent < 0) return { above: [], below: [], beside: [] };
  const findMethods = (classes: readonly number[]) =>
    classes.flatMap((class_) =>
      getMembers(class_, index).filter((member) => index.getChunk(member).name === name),
    );
  const above = findReachable(parent, (class_) => findBases(class_, index));
  const below = findReachable(parent, (class_) => findSubclasses(class_, index));
  const related = new Set([parent, ...above, ...below]);
  const beside = new Set(
    findBases(parent, index)
      .flatMap((base) => findSubclasses(base, index))
      .filter((class_) => !related.has(class_)),
  );
  return {
    above: findMethods(above),
    below: findMethods(below),
    beside: findMethods([...beside].slice(0, MAX_CLASSES)),
  };
}

/** Returns at most `MAX_CLASSES` classes that can be reached from a class, level by level, without the class itself. */
function findReachable(class_: number, next: (class_: number) => readonly number[]): number[] {
  const found = new Set([class_]);
  for (const one of found) {
    for (const other of next(one)) if (found.size <= MAX_CLASSES) found.add(other);
  }
  found.delete(class_);
  return [...found];
}

export interface SharedCommits {
  /** Number of commits that edited both definitions. */
  commits: number;
  /** Smoothed share of the definition's changes. A commit counts 1 / √n for the n other definitions that it edits. */
  share: number;
}

/** Commits that edit more definitions are ignored: they do not show that two definitions belong together. */
const MAX_DEFINITIONS_PER_COMMIT = 100;
/** Added to the number of changes of each definition, so that a definition with few changes counts less. */
const SMOOTHING = 3;

/** Returns the definitions that changed together with a definition, by their number in the history. */
export function countSharedCommits(
  definition: number,
  history: HistoryIndex,
): Map<number, SharedCommits> {
  const changes = history.getDefinitionCommits(definition);
  const together = new Map<number, SharedCommits>();
  for (const commit of changes) {
    const { definitions } = history.getCommit(commit);
    if (definitions.length > MAX_DEFINITIONS_PER_COMMIT) continue;
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
