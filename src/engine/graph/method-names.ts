import { appendTo, filterList } from '../../shared/lists-by-key.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import type { GraphRules } from '../languages/language.ts';
import type { ClassHierarchy } from './classes.ts';
import { type FileIndex, type GraphDefinition, isBlock } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import { ReadSet } from './read-set.ts';

/** Result of looking up a method by its name alone. */
export interface NamedMethod {
  /** The method; null if none exists or the name is ambiguous. */
  method: GraphDefinition | null;
  reads: ReadSet;
}

/** Functions and methods of a repository by name, for calls on objects of unknown type. */
export class MethodNames {
  readonly #classes: ClassHierarchy;
  readonly #namespaces: Namespaces;
  readonly #rules: GraphRules;
  readonly #definitions = new Map<string, GraphDefinition[]>();
  /** Cached answers by name, for callers in tests and in other code. Valid for one state of the repository. */
  #fromTests = new Map<string, NamedMethod>();
  #fromCode = new Map<string, NamedMethod>();

  constructor(classes: ClassHierarchy, namespaces: Namespaces, rules: GraphRules) {
    this.#classes = classes;
    this.#namespaces = namespaces;
    this.#rules = rules;
  }

  add(file: FileIndex): void {
    for (const definition of file.definitions) {
      const { kind, name } = definition;
      const isCalled = (kind === 'function' || kind === 'method') && !isBlock(definition);
      const isConstructed = kind === 'class' && this.#rules.knowsOnlyNames === true;
      if ((isCalled || isConstructed) && !this.#rules.commonNames.has(name))
        appendTo(this.#definitions, name, definition);
    }
  }

  remove(file: FileIndex): void {
    for (const name of new Set(file.definitions.map((definition) => definition.name)))
      filterList(this.#definitions, name, (definition) => definition.file !== file);
  }

  /** Clears cached answers. Must be called after every change. */
  clear(): void {
    this.#fromTests = new Map();
    this.#fromCode = new Map();
  }

  /**
   * Finds the method that a call of this name must mean: the only one, or the one that all others override. None if a
   * function has the name too. Test code counts for callers in tests only.
   */
  *findOnly(name: string, fromTest: boolean): Stepwise<NamedMethod> {
    const answers = fromTest ? this.#fromTests : this.#fromCode;
    let answer = answers.get(name);
    if (!answer) {
      answer = yield* this.#findMethod(name, fromTest);
      answers.set(name, answer);
    }
    return answer;
  }

  /** Finds the function of this name if only one file has any and no type has a method of it; the last one of that file. */
  findLinked(name: string, fromTest: boolean): NamedMethod {
    const reads = new ReadSet();
    let found: GraphDefinition | null = null;
    for (const definition of this.#definitions.get(name) ?? []) {
      if (!fromTest && definition.file.isTest) continue;
      const isElsewhere = found !== null && found.file !== definition.file;
      if (isElsewhere || this.#namespaces.findEnclosingType(definition, reads))
        return { method: null, reads };
      found = definition;
    }
    return { method: found, reads };
  }

  /** Finds what a name alone must mean: the only definition of this name in the caller's file, else in all files. */
  findNamed(name: string, caller: FileIndex): NamedMethod {
    const all = this.#definitions.get(name) ?? [];
    const own = all.filter(({ file }) => file === caller);
    const possible = own.length > 0 ? own : all.filter(({ file }) => caller.isTest || !file.isTest);
    return { method: (possible.length === 1 && possible[0]) || null, reads: new ReadSet() };
  }

  /** Finds what a bare name in a template means: the only function of this name, or method if methods need no receiver. */
  findForTemplate(name: string, fromTest: boolean): GraphDefinition | null {
    const possible = (this.#definitions.get(name) ?? []).filter(
      ({ file, kind }) =>
        (fromTest || !file.isTest) && (kind === 'function' || this.#rules.implicitReceiver),
    );
    return (possible.length === 1 && possible[0]) || null;
  }

  *#findMethod(name: string, fromTest: boolean): Stepwise<NamedMethod> {
    const owners = new Set<GraphDefinition>();
    const reads = new ReadSet();
    for (const definition of this.#definitions.get(name) ?? []) {
      if (!fromTest && definition.file.isTest) continue;
      const type = this.#namespaces.findEnclosingType(definition, reads);
      if (!type) return { method: null, reads };
      owners.add(type);
    }
    let root: GraphDefinition | null = null;
    if (owners.size === 1) [root = null] = owners;
    else
      for (const owner of owners) {
        const lineage = this.#classes.getLineage(owner);
        reads.include(lineage.reads);
        yield lineage.steps;
        if (lineage.order.some((base) => base !== owner && owners.has(base))) continue;
        if (root) return { method: null, reads };
        root = owner;
      }
    const members = root ? this.#namespaces.findMembers(root, name, reads) : [];
    const isMethod = !members.some((member) => member.isProperty);
    return { method: (isMethod && members.at(-1)) || null, reads };
  }
}
