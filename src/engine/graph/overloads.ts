import type { ReferenceFact } from '../languages/facts.ts';
import type { Definition } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import type { Reads } from './reads.ts';

/** The definitions of a callee's name, at its place, that take as many arguments as the call has; the callee itself where that tells nothing. */
export function overloadsOf(
  callee: Definition,
  { args }: ReferenceFact,
  namespaces: Namespaces,
  reads: Reads,
): readonly Definition[] {
  if (args === undefined || callee.arity === null) return [callee];
  const { parent, file, name } = callee;
  const twins = parent
    ? namespaces.membersOf(namespaces.typeOf(parent, reads), name, reads)
    : (file.top.get(name) ?? []);
  const fitting = twins.filter(({ arity }) => arity !== null && takes(arity, args));
  return fitting.length > 0 ? fitting : [callee];
}

function takes({ least, most }: { least: number; most: number | null }, args: number): boolean {
  return least <= args && (most === null || args <= most);
}
