/** Facts of a file from which the call graph is built, in the same form for every language. */
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { Registration } from '../../shared/registration.ts';

/** Local name that an import binds. `import a.b as c` binds c to module a.b; `from .x import y as z` binds z. */
export interface ImportFact {
  /** Dotted name of the module without leading dots; may be empty (`from . import x`). */
  module: string;
  /** Number of leading dots of a relative import; 0 for an absolute one. */
  level: number;
  /** Imported member, `*`, or null if the module itself is imported. */
  member: string | null;
  /** Name bound in this file (for `import a.b` it is `a`); `*` for a star import. */
  local: string;
  /** Index of the chunk whose body contains the import; the module chunk's index at file level. */
  scope: number;
}

/** Assignment `target = value` whose value tells the target's type: a call, a name, an annotation. */
export interface BindingFact {
  /** Index of the chunk whose body contains it. */
  scope: number;
  /** Dotted target: `x`, `self.x`. */
  target: string;
  /** Dotted callee or name: `Session`, `models.Query`, `self.make`. */
  value: string;
  /** `call`: target = value(...); `alias`: target = value; `type`: target annotated with value; `return`: the chunk's return annotation (target is ''). */
  how: 'call' | 'alias' | 'type' | 'return';
}

/** Reference that may resolve to a chunk. */
export interface ReferenceFact {
  /** Index of the innermost chunk that contains it. Decorators and base classes belong to the chunk that they modify. */
  scope: number;
  /**
   * Callee as a chain of names. `f` -> ['f'], `a.b.c` -> ['a','b','c'], `super().x` -> ['super()','x'],
   * `f().g` -> ['f()','g'], `a.f().g` -> ['a','f()','g'], any other expression in front -> ['?', 'g'].
   * Methods of literals (`", ".join`) are left out, except in languages that can extend built-in types: `['""', 'join']`.
   */
  chain: string[];
  kind: EdgeKind;
  line: number;
  column: number;
  /** Number of arguments, in languages with several functions of one name. */
  args?: number;
  /**
   * Types of the first arguments, in languages where they tell functions of one name apart: `:int` is the written type int,
   * `a.b()` is the type of that chain's value, and an empty string is unknown. Missing ones at the end are unknown.
   */
  given?: string[];
  /**
   * Implicit receivers of a bare name in a block, as chains, innermost first: in `cart.apply { total() }`, the receiver of
   * total is ['cart'].
   */
  receivers?: string[][];
  /** True for a name in a template, which may be a function of the language around it. */
  host?: true;
}

/** Local names of a function. They hide the file's bindings of the same name. */
export interface LocalFact {
  /** Index of the function or method chunk. */
  scope: number;
  /**
   * Parameters, variables, nested functions and classes, in no order. Includes only names that a reference or binding of the
   * same scope begins with.
   */
  names: string[];
}

/**
 * Method that is defined outside its type, like `func (r *Type) name()` and `void Type::name()`, or part of a type that is
 * defined elsewhere, like `impl Type { }`.
 */
export interface OwnerFact {
  /** Index of the chunk of the method or the part. */
  scope: number;
  /** Simple name of the type. */
  type: string;
}

/** A function registered under a key: `path('users/', views.users)`, `@app.route('/users')`. */
export interface RegistrationFact extends Registration {
  /** Index of the chunk that contains it. A decorator belongs to the chunk that it decorates. */
  scope: number;
  /** Chain of names of the handler; see `ReferenceFact.chain`. Left out if the handler is the chunk itself. */
  handler?: string[];
  /** Name of the method, if `handler` is its class. */
  member?: string;
  line: number;
  column: number;
}

/** Number of arguments that a function takes, and their types in languages where these tell functions of one name apart. */
export interface ArityFact {
  /** Index of the function or method chunk. */
  scope: number;
  least: number;
  /** Maximum number; null if it is unlimited. */
  most: number | null;
  /**
   * Erased types of the parameters: `List`, `int[]`; the last of `String...` is String. `?Foo` is Foo or a narrower type that
   * depends on the receiver. Empty if unknown.
   */
  types?: string[];
  /** Erased type of the result; left out if none exists. */
  result?: string;
}

/** Entry of a manifest: its kind, its name, and the targets of the name, likeliest first. */
export interface ManifestEntry {
  kind: string;
  name: string;
  to: string[];
}

/** Facts in a manifest about modules: their names, their locations, and what else may be imported. */
export interface ManifestFacts {
  entries: ManifestEntry[];
  /** Reason why entries are missing, for people; null if they are complete. */
  problem: string | null;
}

/** Facts of a file for the call graph. `inherit` references, in order, are a class's bases. */
export interface FileFacts {
  imports: ImportFact[];
  bindings: BindingFact[];
  references: ReferenceFact[];
  /** At most one for each scope; left out if there are none. */
  locals?: LocalFact[];
  /** Namespace or package that the file declares; left out if it declares none. */
  namespace?: string;
  /** Left out if there are none. */
  owners?: OwnerFact[];
  /** Extension functions: `fun Type.name()`; left out if there are none. */
  extensions?: OwnerFact[];
  /** Arities of all functions, in languages where they tell functions of one name apart; left out if there are none. */
  arities?: ArityFact[];
  /** Indices of method chunks that are read like attributes (getters), and of blocks of templates, which nothing calls; left out if there are none. */
  properties?: number[];
  /** Left out if there are none. */
  registrations?: RegistrationFact[];
  /** Facts of a manifest, which has no others. */
  manifest?: ManifestFacts;
  /** Number of facts beyond the limit for one file; left out if there were none. */
  omitted?: number;
}
