import type { Module } from '../languages/modules.ts';
import type { Definition } from './file-index.ts';

/** What an expression may stand for, as far as the call graph cares. */
export type Value =
  | { kind: 'module'; module: Module }
  | { kind: 'class'; definition: Definition; guess?: true }
  | { kind: 'instance'; definition: Definition; guess?: true }
  /** What is left of a class's line of bases after the class itself. */
  | { kind: 'super'; definition: Definition }
  /** A function, or a method taken from an object or class (`receiver`). */
  | {
      kind: 'function';
      definition: Definition;
      receiver: Definition | null;
      /** Whether another may be meant. */
      guess?: true;
    }
  /** What an attribute of a class or module holds when nothing more is known of it. */
  | { kind: 'something' }
  /** Something known to be defined outside the repository. */
  | { kind: 'outside' };

/** The possible values of an expression; empty when nothing is known. */
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
      if (values.length < MOST_VALUES && !values.some((other) => sameValue(value, other)))
        values.push(value);
  return values;
}

function sameValue(a: Value, b: Value): boolean {
  if (a.kind !== b.kind) return false;
  if ('definition' in a) return 'definition' in b && a.definition === b.definition;
  if (a.kind !== 'module' || b.kind !== 'module') return true;
  return a.module.file === b.module.file && a.module.folder === b.module.folder;
}
