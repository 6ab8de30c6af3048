import { getOrAdd } from '../../shared/get-or-add.ts';
import { appendTo, filterOf } from '../../shared/lists-by-key.ts';
import type { GraphRules } from '../languages/language.ts';
import type { Definition, FileIndex } from './file-index.ts';
import type { Reads } from './reads.ts';

/** What the files of one namespace declare, by name. */
interface Namespace {
  files: number;
  /** Files that give a name to something at their top, parts of types aside. */
  names: Map<string, FileIndex[]>;
  /** Files with parts of the type of a name that stand outside of it. */
  parts: Map<string, FileIndex[]>;
  /** What was asked of it since it changed last: files by name, and what types have apart from them. */
  declaring: Map<string, readonly FileIndex[]>;
  apart: Map<Definition, Apart>;
  /** The same for all parts of a partial type, by its name and those of the types around it. */
  partial: Map<string, Apart>;
}

/** What is declared of a type apart from it, in order of path; of a partial type all, which its parts share. */
interface Apart {
  /** Methods, and classes that hold some. */
  parts: readonly Definition[];
  /** By name. */
  members: ReadonlyMap<string, readonly Definition[]>;
  /** The parts that say something of an attribute, by its name. */
  attributes: ReadonlyMap<string, readonly Definition[]>;
}

const NOTHING_APART: Apart = { parts: [], members: new Map(), attributes: new Map() };

/**
 * The namespaces of a repository: what several files share without importing it from each other, and the parts of types
 * that are declared apart from them (`func (r *Type) name()`, `impl Type`, partial classes).
 */
export class Namespaces {
  readonly #byKey = new Map<string, Namespace>();
  /** Files that give a name to something at their top, of all namespaces. */
  readonly #naming = new Map<string, FileIndex[]>();
  /** Answers of `onlyClass`, until the next change. */
  readonly #onlyInAll = new Map<string, Definition | null>();
  readonly #onlyInCode = new Map<string, Definition | null>();
  readonly #partialTypes: boolean;
  readonly #openedElsewhere: boolean;

  constructor({ namespace }: GraphRules) {
    this.#partialTypes = namespace?.partialTypes ?? false;
    this.#openedElsewhere = namespace?.openedElsewhere ?? false;
  }

  add(file: FileIndex): void {
    if (file.namespace === null) return;
    const namespace = getOrAdd(this.#byKey, file.namespace, () => ({
      ...{ files: 0, names: new Map(), parts: new Map() },
      ...{ declaring: new Map(), apart: new Map(), partial: new Map() },
    }));
    this.#forget(namespace);
    namespace.files++;
    for (const name of file.declaredNames()) {
      appendTo(namespace.names, name, file);
      if (this.#openedElsewhere) appendTo(this.#naming, name, file);
    }
    for (const type of file.parts.keys()) appendTo(namespace.parts, type, file);
  }

  remove(file: FileIndex): void {
    const namespace = file.namespace === null ? undefined : this.#byKey.get(file.namespace);
    if (!namespace || file.namespace === null) return;
    this.#forget(namespace);
    const isOther = (other: FileIndex) => other !== file;
    for (const name of file.declaredNames()) {
      filterOf(namespace.names, name, isOther);
      if (this.#openedElsewhere) filterOf(this.#naming, name, isOther);
    }
    for (const type of file.parts.keys()) filterOf(namespace.parts, type, isOther);
    if (--namespace.files === 0) this.#byKey.delete(file.namespace);
  }

  has(namespace: string): boolean {
    return this.#byKey.has(namespace);
  }

  /** The files of a namespace that declare a name at their top, by path: the order in which they came says nothing. */
  declaring(namespace: string, name: string): readonly FileIndex[] {
    const known = this.#byKey.get(namespace);
    return known ? getOrAdd(known.declaring, name, () => byPath(known.names.get(name) ?? [])) : [];
  }

  /** The class of a name, where one namespace alone has any: that of a language where another file may open it. */
  onlyClass(name: string, withTests: boolean, reads: Reads): Definition | null {
    reads.guess(name);
    return getOrAdd(withTests ? this.#onlyInAll : this.#onlyInCode, name, () => {
      const files = (this.#naming.get(name) ?? []).filter(({ isTest }) => withTests || !isTest);
      const [first = null, ...others] = byPath(files).flatMap(({ top }) => classesNamed(name, top));
      const isOne = others.every(({ file }) => file.namespace === first?.file.namespace);
      return isOne ? first : null;
    });
  }

  /** The type that a definition lies in or is a part of, or null. `reads` receives what the answer depends on, as for all below. */
  typeAround({ parent, owner, file }: Definition, reads: Reads): Definition | null {
    if (parent) return this.typeOf(parent, reads);
    return owner === '' ? null : this.#typeNamed(owner, file, reads);
  }

  typeOf(definition: Definition, reads: Reads): Definition {
    const { owner, file } = definition;
    return owner === '' ? definition : (this.#typeNamed(owner, file, reads) ?? definition);
  }

  /** The members of a name that a type has, wherever they are declared; in order, those of other files last. */
  membersOf(type: Definition, name: string, reads: Reads): readonly Definition[] {
    const own = type.members.get(name) ?? [];
    const apart = this.#apartOf(type, reads).members.get(name) ?? [];
    return [...own, ...apart.filter(({ parent }) => parent !== type)];
  }

  /** The parts of a type that are declared apart from it. Those of a partial type share one list, which they are in themselves. */
  partsOf(type: Definition, reads: Reads): readonly Definition[] {
    return this.#apartOf(type, reads).parts;
  }

  partsWithAttribute(type: Definition, name: string, reads: Reads): readonly Definition[] {
    const parts = this.#apartOf(type, reads).attributes.get(name) ?? [];
    return parts.filter((part) => part !== type);
  }

  #apartOf(type: Definition, reads: Reads): Apart {
    const { name, file, parent } = type;
    const own = file.parts.get(name) ?? [];
    const { namespace } = file;
    if (namespace === null || (parent && !this.#partialTypes)) return gathered(own);
    for (let around: Definition | null = type; around; around = around.parent)
      reads.tryModule(namespaceKey(namespace, around.name));
    const known = this.#byKey.get(namespace);
    if (!known) return gathered(own);
    if (this.#partialTypes) return this.#partsOfPartial(type, namespace, known);
    return getOrAdd(known.apart, type, () => {
      // Where types of other files have its name, which of them parts belong to cannot be told.
      const isOne = this.#classesNamed(name, namespace).length === 1;
      const elsewhere = partsNamed(name, known).filter((part) => part.file !== file);
      return gathered(isOne ? [...own, ...elsewhere] : own);
    });
  }

  #partsOfPartial(type: Definition, namespace: string, known: Namespace): Apart {
    const { name, parent } = type;
    return getOrAdd(known.partial, pathOf(type), () => {
      if (!parent) {
        return gathered([...this.#classesNamed(name, namespace), ...partsNamed(name, known)]);
      }
      const { members } = this.#partsOfPartial(parent, namespace, known);
      return gathered(classesNamed(name, members));
    });
  }

  #typeNamed(name: string, file: FileIndex, reads: Reads): Definition | null {
    reads.look(file, name);
    const [own] = classesNamed(name, file.top);
    if (own || file.namespace === null) return own ?? null;
    reads.tryModule(namespaceKey(file.namespace, name));
    const [first = null, ...others] = this.#classesNamed(name, file.namespace);
    return others.length === 0 || this.#partialTypes ? first : null;
  }

  #forget({ declaring, apart, partial }: Namespace): void {
    for (const answers of [declaring, apart, partial, this.#onlyInAll, this.#onlyInCode])
      answers.clear();
  }

  #classesNamed(name: string, namespace: string): Definition[] {
    return this.declaring(namespace, name).flatMap(({ top }) => classesNamed(name, top));
  }
}

export function namespaceKey(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}

function partsNamed(name: string, { parts }: Namespace): Definition[] {
  return byPath(parts.get(name) ?? []).flatMap((file) => file.parts.get(name) ?? []);
}

function pathOf({ name, parent }: Definition): string {
  return parent ? `${pathOf(parent)}\n${name}` : name;
}

function classesNamed(
  name: string,
  declared: ReadonlyMap<string, readonly Definition[]>,
): Definition[] {
  return declared.get(name)?.filter(({ kind }) => kind === 'class') ?? [];
}

function gathered(parts: readonly Definition[]): Apart {
  if (parts.length === 0) return NOTHING_APART;
  const members = new Map<string, Definition[]>();
  const attributes = new Map<string, Definition[]>();
  const add = (to: Map<string, Definition[]>, name: string, ...some: Definition[]) => {
    getOrAdd(to, name, () => []).push(...some);
  };
  for (const part of parts) {
    if (part.kind !== 'class') add(members, part.name, part);
    else for (const [name, some] of part.members) add(members, name, ...some);
    for (const name of part.attributes.keys()) add(attributes, name, part);
  }
  return { parts, members, attributes };
}

function byPath(files: readonly FileIndex[]): FileIndex[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}
