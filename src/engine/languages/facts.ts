/** What a file says that the call graph is made of. Every language puts it in these terms. */
import type { EdgeKind } from '../../shared/call-graph.ts';

/** A local name that an import binds. `import a.b as c` binds c to module a.b; `from .x import y as z` binds z. */
export interface ImportFact {
  /** Dotted module without leading dots; may be empty (`from . import x`). */
  module: string;
  /** Leading dots of a relative import; 0 for an absolute one. */
  level: number;
  /** The imported member, `*`, or null when the module itself is imported. */
  member: string | null;
  /** The name bound in this file (for `import a.b` it is `a`); `*` for a star import. */
  local: string;
  /** Index of the chunk whose body holds the import; the module chunk's index for file level. */
  scope: number;
}

/** `target = value` where the value says something about the target's type: a call, a name, an annotation. */
export interface BindingFact {
  /** Index of the chunk in whose body it stands. */
  scope: number;
  /** `x`, `self.x`: dotted. */
  target: string;
  /** Dotted callee or name: `Session`, `models.Query`, `self.make`. */
  value: string;
  /** `call`: target = value(...); `alias`: target = value; `type`: target annotated with value; `return`: the chunk's return annotation (target is ''). */
  how: 'call' | 'alias' | 'type' | 'return';
}

/** One reference that may resolve to a chunk. */
export interface ReferenceFact {
  /** Index of the chunk that holds it (the innermost chunk; decorators and bases belong to what they decorate or derive). */
  scope: number;
  /**
   * The callee as a chain of names. `f` -> ['f'], `a.b.c` -> ['a','b','c'], `super().x` -> ['super()','x'],
   * `f().g` -> ['f()','g'], `a.f().g` -> ['a','f()','g'], anything else in front -> ['?', 'g'].
   * Methods of literals (`", ".join`) are left out, but of languages that extend built-in types: `['""', 'join']`.
   */
  chain: string[];
  kind: EdgeKind;
  line: number;
  column: number;
  /** How many arguments it is called with, in languages whose definitions may have one name and other parameters. */
  args?: number;
  /**
   * Of the first of these, what is known of their types, in languages where that tells apart what has one name: `:int` is
   * of the type int as it is written there, `a.b()` has the value of that chain, of the empty one nothing is known. What is
   * left out at the end is not known.
   */
  given?: string[];
  /**
   * Of a bare name in blocks that name members of some object without naming it, the objects as chains, innermost first:
   * `cart.apply { total() }` has ['cart'].
   */
  receivers?: string[][];
}

/** Names that a function binds itself: they hide what the file binds to the same name. */
export interface LocalFact {
  /** Index of the function or method chunk. */
  scope: number;
  /**
   * Its parameters, variables, nested functions and classes, in no order; of these, only the ones that a
   * reference or binding of the same scope begins with.
   */
  names: string[];
}

/**
 * A method that stands outside of the type it belongs to: `func (r *Type) name()`, `void Type::name()`; or a part of a
 * type that is defined elsewhere: `impl Type { }`.
 */
export interface OwnerFact {
  /** Index of the chunk of the method or the part. */
  scope: number;
  /** Simple name of the type. */
  type: string;
}

/** How many arguments a function takes, and in languages where these tell apart what has one name, of which types. */
export interface ArityFact {
  /** Index of the function or method chunk. */
  scope: number;
  least: number;
  /** Null where there is no end. */
  most: number | null;
  /**
   * Types of the parameters as they are written, without what is erased: `List`, `int[]`; the last of `String...` is
   * String. `?Foo` is Foo or what the object stands for that it is called on. Empty for what is not known.
   */
  types?: string[];
  /** Type of the result, alike; left out where there is none. */
  result?: string;
}

/** One thing that a manifest says: of what kind, of which name, and what that stands for, likeliest first. */
export interface ManifestEntry {
  kind: string;
  name: string;
  to: string[];
}

/** What a manifest says of modules: what they are called, where they are, what else may be imported. */
export interface ManifestFacts {
  entries: ManifestEntry[];
  /** Why that is not all of it, for people; null where it is. */
  problem: string | null;
}

/** What the call graph needs to know of a file. `inherit` references, in order, are a class's bases. */
export interface FileFacts {
  imports: ImportFact[];
  bindings: BindingFact[];
  references: ReferenceFact[];
  /** At most one for each scope; left out where there are none. */
  locals?: LocalFact[];
  /** The namespace or package that the file says it is in; left out where it does not say. */
  namespace?: string;
  /** Left out where there are none. */
  owners?: OwnerFact[];
  /** Functions for objects of types that they are no part of: `fun Type.name()`; left out where there are none. */
  extensions?: OwnerFact[];
  /** Of all functions, in languages where these tell apart what has one name; left out where there are none. */
  arities?: ArityFact[];
  /** Indices of the method chunks that are read like attributes: getters; left out where there are none. */
  properties?: number[];
  /** Of a manifest, which has nothing else. */
  manifest?: ManifestFacts;
  /** How many facts there were beyond those that are kept of one file; left out where there were none. */
  omitted?: number;
}
