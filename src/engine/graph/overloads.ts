import type { ReferenceFact } from '../languages/facts.ts';
import type { Definition } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import type { Reads } from './reads.ts';

/**
 * The definitions of a callee's name, at its place, that take as many arguments as the call has; none where none does.
 * All of that name for a function that is named and not called. The callee itself where numbers tell nothing of it.
 */
export function overloadsOf(
  callee: Definition,
  { args }: ReferenceFact,
  namespaces: Namespaces,
  reads: Reads,
): readonly Definition[] {
  // Which of several extensions is meant, their types tell.
  if (callee.arity === null) return [callee];
  const twins = callee.extended === '' ? twinsOf(callee, namespaces, reads) : [callee];
  return args === undefined
    ? twins.filter(({ kind }) => kind === callee.kind)
    : twins.filter(({ arity }) => arity !== null && takes(arity, args));
}

function twinsOf(
  { parent, file, name }: Definition,
  namespaces: Namespaces,
  reads: Reads,
): readonly Definition[] {
  const twins = parent
    ? namespaces.membersOf(namespaces.typeOf(parent, reads), name, reads)
    : (file.top.get(name) ?? []);
  return twins.filter(({ extended }) => extended === '');
}

function takes({ least, most }: { least: number; most: number | null }, args: number): boolean {
  return least <= args && (most === null || args <= most);
}
