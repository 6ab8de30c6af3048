import type { Module } from '../languages/modules.ts';
import type { Definition } from './file-index.ts';

/** Abstract value of an expression, as precise as the call graph needs it. */
export type Value =
  | { kind: 'module'; module: Module }
  | { kind: 'class'; definition: Definition; guess?: true }
  | { kind: 'instance'; definition: Definition; guess?: true }
  /** The bases of a class, as `super` sees them. */
  | { kind: 'super'; definition: Definition }
  /** A function, or a method of an object or class (`receiver`). */
  | {
      kind: 'function';
      definition: Definition;
      receiver: Definition | null;
      /** Set if another function may be meant. */
      guess?: true;
    }
  /** An attribute of a class or module of which nothing more is known. */
  | { kind: 'something' }
  /** Anything that is defined outside the repository. */
  | { kind: 'outside' };

/** Possible values of an expression; empty if nothing is known. */
export type Values = readonly Value[];

export const UNKNOWN: Values = [];
export const SOMETHING: Values = [{ kind: 'something' }];
export const OUTSIDE: Values = [{ kind: 'outside' }];

export const MOST_VALUES = 4;

export function union(parts: readonly Values[]): Values {
  const known = parts.filter((part) => part.length > 0);
  if (known.length < 2) return known[0] ?? UNKNOWN;
  const values: Value[] = [];
  for (const part of known)
    for (const value of part)
      if (values.length < MOST_VALUES && !values.some((other) => isSameValue(value, other)))
        values.push(value);
  return values;
}

function isSameValue(a: Value, b: Value): boolean {
  if (a.kind !== b.kind) return false;
  if ('definition' in a) return 'definition' in b && a.definition === b.definition;
  if (a.kind !== 'module' || b.kind !== 'module') return true;
  return a.module.file === b.module.file && a.module.folder === b.module.folder;
}
