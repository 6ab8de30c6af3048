import { appendTo, filterOf } from '../../shared/lists-by-key.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import type { ClassHierarchy } from './classes.ts';
import type { Definition, FileIndex } from './file-index.ts';
import type { Namespaces } from './namespaces.ts';
import { Reads } from './reads.ts';

/** What a name alone tells of the method that is meant by it. */
export interface NamedMethod {
  /** The method, or null when there is none or no telling. */
  method: Definition | null;
  reads: Reads;
}

/** The functions and methods of a repository by name, for calls on objects of which nothing is known. */
export class MethodNames {
  readonly #classes: ClassHierarchy;
  readonly #namespaces: Namespaces;
  readonly #common: ReadonlySet<string>;
  readonly #definitions = new Map<string, Definition[]>();
  /** Answers by name, for callers in tests and elsewhere. Valid for one state of the repository. */
  #fromTests = new Map<string, NamedMethod>();
  #fromCode = new Map<string, NamedMethod>();

  constructor(classes: ClassHierarchy, namespaces: Namespaces, common: ReadonlySet<string>) {
    this.#classes = classes;
    this.#namespaces = namespaces;
    this.#common = common;
  }

  add(file: FileIndex): void {
    for (const definition of file.definitions) {
      const { kind, name } = definition;
      if ((kind === 'function' || kind === 'method') && !this.#common.has(name))
        appendTo(this.#definitions, name, definition);
    }
  }

  remove(file: FileIndex): void {
    for (const name of new Set(file.definitions.map((definition) => definition.name)))
      filterOf(this.#definitions, name, (definition) => definition.file !== file);
  }

  /** Forgets answers; needed after every change. */
  clear(): void {
    this.#fromTests = new Map();
    this.#fromCode = new Map();
  }

  /**
   * The method that a call of this name must mean: the only one, or the one that all others override. A function of that name
   * speaks against it. Test code counts for callers in tests only.
   */
  *only(name: string, fromTest: boolean): Stepwise<NamedMethod> {
    const answers = fromTest ? this.#fromTests : this.#fromCode;
    let answer = answers.get(name);
    if (!answer) {
      answer = yield* this.#find(name, fromTest);
      answers.set(name, answer);
    }
    return answer;
  }

  /** The function of this name, when one file alone has any and no type a method of it; of several there, the last. */
  linked(name: string, fromTest: boolean): NamedMethod {
    const reads = new Reads();
    let found: Definition | null = null;
    for (const definition of this.#definitions.get(name) ?? []) {
      if (!fromTest && definition.file.isTest) continue;
      const isElsewhere = found !== null && found.file !== definition.file;
      if (isElsewhere || this.#namespaces.typeAround(definition, reads))
        return { method: null, reads };
      found = definition;
    }
    return { method: found, reads };
  }

  *#find(name: string, fromTest: boolean): Stepwise<NamedMethod> {
    const owners = new Set<Definition>();
    const reads = new Reads();
    for (const definition of this.#definitions.get(name) ?? []) {
      if (!fromTest && definition.file.isTest) continue;
      const type = this.#namespaces.typeAround(definition, reads);
      if (!type) return { method: null, reads };
      owners.add(type);
    }
    let root: Definition | null = null;
    if (owners.size === 1) [root = null] = owners;
    else
      for (const owner of owners) {
        const lineage = this.#classes.lineage(owner);
        reads.include(lineage.reads);
        yield lineage.steps;
        if (lineage.order.some((base) => base !== owner && owners.has(base))) continue;
        if (root) return { method: null, reads };
        root = owner;
      }
    const members = root ? this.#namespaces.membersOf(root, name, reads) : [];
    const isMethod = !members.some((member) => member.isProperty);
    return { method: (isMethod && members.at(-1)) || null, reads };
  }
}
