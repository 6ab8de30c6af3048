/** Suggests functions that a diff may have missed, each with its reasons. */

import { formatCounted } from '../../../shared/format-count.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import {
  IMPACT_REASONS,
  type ImpactReason,
  type ImpactSuggestion,
  MIN_STRENGTH,
} from '../../../shared/impact.ts';
import { quoteText } from '../../../shared/quote.ts';
import {
  countSharedCommits,
  findMethodsToShow,
  findSlotOfDefinition,
} from '../../search/explain/related-chunks.ts';
import { findSubclasses } from '../../search/gather/call-graph.ts';
import { compareLocations, listCallersByLocation } from '../../search/gather/chunks.ts';
import { findShownName, summarizeChunk } from '../../snapshot/address.ts';
import { isConstructor } from '../../snapshot/members.ts';
import type { RepositoryIndex } from '../../snapshot/repository-index.ts';
import type { Store } from '../../store/store.ts';
import { listEdgesFrom } from '../neighborhood.ts';
import { findSimilarSlots } from '../similar.ts';
import type { EditedFunctions } from './edited-functions.ts';
import { findMentions } from './mentions.ts';

type Edited = EditedFunctions['functions'][number];
type Reason = ImpactSuggestion['reasons'][number];

/** Maximum number of edited functions that suggestions are derived from. */
const MAX_SEEDS = 100;
/** Maximum number of callers of one function. */
const MAX_CALLERS = 50;
const MAX_SUBCLASSES = 10;
/** Maximum number of edited functions that are compared with all others, and of functions that look like one. */
const MAX_LIKENED = 20;
const MAX_ALIKE = 10;

/** Lists suggestions, best first, without edited functions. */
export function listSuggestions(
  index: RepositoryIndex,
  store: Store,
  edited: readonly Edited[],
): ImpactSuggestion[] {
  const found = new Map<number, Map<ImpactReason, Reason>>();
  const own = new Set(edited.map(({ slot }) => slot));
  const add = (
    slot: number,
    kind: ImpactReason,
    text: string,
    strength = 1,
    line: number | null = null,
  ) => {
    if (own.has(slot) || strength < (MIN_STRENGTH[kind] ?? 0)) return;
    const reasons = getOrAdd(found, slot, () => new Map());
    const before = reasons.get(kind);
    if (!before || before.strength < strength) reasons.set(kind, { kind, text, line, strength });
  };
  const seeds = chooseSeeds(edited);
  for (const one of edited.slice(0, MAX_SEEDS)) addCallers(index, store, one, add);
  addMentions(index, store, edited, add);
  for (const { slot } of seeds) addRelatives(index, slot, add);
  for (const { slot } of seeds.slice(0, MAX_LIKENED)) addSimilar(index, slot, add);
  addChangedTogether(index, seeds, add);
  return rankSuggestions(index, found);
}

/** Returns the functions that others are compared with: those outside tests, unless the diff edits only tests. */
function chooseSeeds(edited: readonly Edited[]): Edited[] {
  const functions = edited.filter(({ slot, chunk }) => slot >= 0 && chunk?.kind !== 'module');
  const sources = functions.filter(({ chunk }) => chunk?.role !== 'test');
  return (sources.length > 0 ? sources : functions).slice(0, MAX_SEEDS);
}

type Add = (
  slot: number,
  kind: ImpactReason,
  text: string,
  strength?: number,
  line?: number | null,
) => void;

const nameOf = (index: RepositoryIndex, slot: number): string => {
  const chunk = index.getChunk(slot);
  return quoteText(findShownName(chunk) ?? chunk.qualifiedName);
};

const describeChange = ({ change, qualifiedName, formerName }: Edited): string =>
  change === 'renamed' && formerName !== null
    ? `${quoteText(formerName)}, which is now ${quoteText(qualifiedName)}`
    : `${quoteText(qualifiedName)}, ${change === 'removed' ? 'which is removed' : 'whose signature changed'}`;

/** Adds the callers of a function whose calls may no longer fit. A constructor is called through its class. */
function addCallers(index: RepositoryIndex, store: Store, edited: Edited, add: Add): void {
  const { slot, change } = edited;
  if (slot < 0 || change === 'body' || change === 'added') return;
  const chunk = index.getChunk(slot);
  const callees = isConstructor(chunk) && chunk.parent >= 0 ? [slot, chunk.parent] : [slot];
  for (const callee of callees) {
    const edges = listCallersByLocation(callee, index).filter(({ kind }) => kind !== 'inherit');
    for (const caller of [...new Set(edges.map((edge) => edge.slot))].slice(0, MAX_CALLERS)) {
      const sites = listEdgesFrom(index, store, caller, (other) => other === callee);
      const certain = edges.some((edge) => edge.slot === caller && !edge.guess);
      const line = sites[0]?.sites[0]?.line ?? null;
      add(caller, 'call', `calls ${describeChange(edited)}`, certain ? 1 : 0.5, line);
    }
  }
}

/** Adds what names a removed or renamed function that no other definition is called. */
function addMentions(
  index: RepositoryIndex,
  store: Store,
  edited: readonly Edited[],
  add: Add,
): void {
  const gone = edited.filter(({ change }) => change === 'removed' || change === 'renamed');
  for (const one of gone.slice(0, MAX_SEEDS)) {
    const former = (one.formerName ?? one.qualifiedName).split('.').at(-1) ?? '';
    const others = index.getSlotsByName(former).filter((slot) => slot !== one.slot);
    if (former === '' || others.length > 0) continue;
    for (const { slot, line } of findMentions(index, store, former))
      if (slot !== one.slot) add(slot, 'name', `names ${describeChange(one)}`, 1, line);
  }
}

/** Adds methods of the same name in the class hierarchy, and subclasses of an edited class. */
function addRelatives(index: RepositoryIndex, slot: number, add: Add): void {
  const name = nameOf(index, slot);
  const { above, below, beside } = findMethodsToShow(slot, index);
  for (const other of above) add(other, 'overridden', `is overridden by ${name}`);
  for (const other of below) add(other, 'overrides', `overrides ${name}`);
  for (const other of beside) add(other, 'twin', `is ${name} of a sibling class`);
  if (index.getChunk(slot).kind !== 'class') return;
  for (const other of findSubclasses(slot, index).slice(0, MAX_SUBCLASSES))
    add(other, 'subclass', `extends ${name}`);
}

function addSimilar(index: RepositoryIndex, slot: number, add: Add): void {
  const { role, kind } = index.getChunk(slot);
  if (kind === 'class') return;
  for (const { slot: other, similarity } of findSimilarSlots(index, slot, MAX_ALIKE)) {
    if (index.getChunk(other).role !== role) continue;
    add(other, 'similar', `looks like ${nameOf(index, slot)}`, similarity);
  }
}

/** Adds functions that past commits changed together with edited ones. The strength is the sum of their shares. */
function addChangedTogether(index: RepositoryIndex, seeds: readonly Edited[], add: Add): void {
  const { history } = index;
  if (!history) return;
  const together = new Map<
    number,
    { commits: number; share: number; most: number; with: number }
  >();
  for (const { slot } of seeds) {
    const definition = history.findDefinition(index.getChunk(slot));
    if (definition === undefined) continue;
    for (const [other, { commits, share }] of countSharedCommits(definition, history)) {
      const sum = getOrAdd(together, other, () => ({ commits: 0, share: 0, most: 0, with: slot }));
      sum.share += share;
      if (share > sum.most) Object.assign(sum, { commits, most: share, with: slot });
    }
  }
  const best = [...together]
    .sort((a, b) => b[1].share - a[1].share || a[0] - b[0])
    .slice(0, MAX_TOGETHER);
  const roles = new Set(seeds.map(({ slot }) => index.getChunk(slot).role));
  for (const [definition, { commits, share, with: slot }] of best) {
    const other = findSlotOfDefinition(definition, index);
    if (other === undefined || !roles.has(index.getChunk(other).role)) continue;
    const times = formatCounted(commits, 'commit');
    add(other, 'changed', `changed together with ${nameOf(index, slot)} (${times})`, share);
  }
}

const MAX_TOGETHER = 60;

/** Sorts by the best reason, then by the number of reasons and by its strength. */
function rankSuggestions(
  index: RepositoryIndex,
  found: ReadonlyMap<number, ReadonlyMap<ImpactReason, Reason>>,
): ImpactSuggestion[] {
  const order = (reason: Reason | undefined) =>
    reason ? IMPACT_REASONS.indexOf(reason.kind) : IMPACT_REASONS.length;
  return Array.from(found, ([slot, reasons]) => ({
    ...summarizeChunk(index.getChunk(slot)),
    reasons: [...reasons.values()].sort((a, b) => order(a) - order(b)),
  })).sort((a, b) => {
    const [first, second] = [a.reasons[0], b.reasons[0]];
    return (
      order(first) - order(second) ||
      b.reasons.length - a.reasons.length ||
      (second?.strength ?? 0) - (first?.strength ?? 0) ||
      compareLocations(a, b)
    );
  });
}
