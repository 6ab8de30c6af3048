/** What relates a chunk to others, by an index. */

import {
  basesOf,
  changedWith,
  isConstructor,
  membersOf,
  type Neighbor,
  overridesOf,
  type SearchIndex,
  subclassesOf,
} from '../../src/engine/lab.ts';
import { type Kind, shared } from './relation.ts';

/** A name that more definitions share than this says nothing, and a function that more chunks call neither. */
const MANY = 30;

type Add = (kind: Kind, slots: readonly number[], value?: number) => void;

/** Tells what is related to a chunk; the chunk itself may be among them. */
export function relate(slot: number, index: SearchIndex, add: Add): void {
  const { path, name, kind } = index.chunk(slot);
  const { above, below, beside } = overridesOf(slot, index);
  add('overridden', above, 1);
  add('overrides', below);
  add('twin', beside);
  addCalls(slot, index, add);
  addClass(slot, index, add);
  const others = index.slotsByName(name).filter((other) => other !== slot);
  if (kind !== 'module' && !isSpecial(name) && others.length <= MANY) add('sameName', others);
  add('sameFile', index.slotsByPath(path), 1);
}

/** What share of a chunk's changes another one was part of, by the other's slot. */
export function changedShares(slot: number, index: SearchIndex): (other: number) => number {
  const { history } = index;
  const numberOf = (one: number) => history?.definition(index.chunk(one));
  const own = numberOf(slot);
  const together = history && own !== undefined ? changedWith(own, history) : new Map();
  return (other) => together.get(numberOf(other))?.share ?? 0;
}

function addCalls(slot: number, index: SearchIndex, add: Add): void {
  const callees = calls(index.callees(slot));
  const callers = calls(index.callers(slot));
  for (const callee of callees) {
    const others = calls(index.callers(callee));
    add('called', [callee], shared(others.length));
    if (others.length <= MANY) add('usesSame', others, 1 / others.length);
  }
  add('calls', callers);
}

function addClass(slot: number, index: SearchIndex, add: Add): void {
  const { kind, parent } = index.chunk(slot);
  if (kind === 'class') {
    const members = membersOf(slot, index);
    add('member', members);
    add(
      'initializer',
      members.filter((member) => isConstructor(index.chunk(member))),
      1,
    );
    add('inherits', subclassesOf(slot, index));
    add('base', basesOf(slot, index), 1);
    return;
  }
  if (parent < 0) return;
  const members = membersOf(parent, index).filter((member) => member !== slot);
  add('classOf', [parent], 1);
  add('sameClass', members);
  add(
    'initializer',
    members.filter((member) => isConstructor(index.chunk(member))),
    1,
  );
}

/** Certain calls, by slot. */
function calls(neighbors: readonly Neighbor[]): number[] {
  return neighbors.flatMap(({ slot, kind, guess }) =>
    !guess && (kind === 'call' || kind === 'construct') ? [slot] : [],
  );
}

/** Every class has those. */
function isSpecial(name: string): boolean {
  return name.startsWith('__') && name.endsWith('__');
}
