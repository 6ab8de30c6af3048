import type { RepositoryModule } from '../languages/modules.ts';
import type { GraphDefinition } from './file-index.ts';

/** Abstract value of an expression, as precise as the call graph needs it. */
export type AbstractValue =
  | { kind: 'module'; module: RepositoryModule }
  | { kind: 'class'; definition: GraphDefinition; guess?: true }
  | { kind: 'instance'; definition: GraphDefinition; guess?: true }
  /** The bases of a class, as `super` sees them. */
  | { kind: 'super'; definition: GraphDefinition }
  /** A function, or a method of an object or class (`receiver`). */
  | {
      kind: 'function';
      definition: GraphDefinition;
      receiver: GraphDefinition | null;
      /** Set if another function may be meant. */
      guess?: true;
    }
  /** An attribute of a class or module of which nothing more is known. */
  | { kind: 'something' }
  /** Anything that is defined outside the repository. */
  | { kind: 'outside' };

/** Possible values of an expression; empty if nothing is known. */
export type AbstractValues = readonly AbstractValue[];

export const UNKNOWN: AbstractValues = [];
export const SOMETHING: AbstractValues = [{ kind: 'something' }];
export const OUTSIDE: AbstractValues = [{ kind: 'outside' }];

export const MAX_VALUES = 4;

export function uniteValues(parts: readonly AbstractValues[]): AbstractValues {
  const known = parts.filter((part) => part.length > 0);
  if (known.length < 2) return known[0] ?? UNKNOWN;
  const values: AbstractValue[] = [];
  for (const part of known)
    for (const value of part)
      if (values.length < MAX_VALUES && !values.some((other) => isSameValue(value, other)))
        values.push(value);
  return values;
}

function isSameValue(a: AbstractValue, b: AbstractValue): boolean {
  if (a.kind !== b.kind) return false;
  if ('definition' in a) return 'definition' in b && a.definition === b.definition;
  if (a.kind !== 'module' || b.kind !== 'module') return true;
  return a.module.file === b.module.file && a.module.folder === b.module.folder;
}
