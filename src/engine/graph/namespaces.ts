import { getOrAdd } from '../../shared/get-or-add.ts';
import { appendTo, filterList } from '../../shared/lists-by-key.ts';
import type { GraphRules } from '../languages/language.ts';
import type { FileIndex, GraphDefinition } from './file-index.ts';
import type { ReadSet } from './read-set.ts';

/** Declarations in the files of one namespace, by name. */
interface Namespace {
  files: number;
  /** Files that declare a name at their top level, without parts of types. */
  names: Map<string, FileIndex[]>;
  /** Files that declare parts of a type outside it, by the type's name. */
  parts: Map<string, FileIndex[]>;
  /** Cached answers since the last change: files by name, and parts of types. */
  declaring: Map<string, readonly FileIndex[]>;
  outsideParts: Map<GraphDefinition, OutsideParts>;
  /** Parts of partial types, by the type's name and the names of its enclosing types. */
  partial: Map<string, OutsideParts>;
}

/** Declarations outside a type that belong to it, by path. For a partial type: all its parts, which share one object. */
interface OutsideParts {
  /** Methods, and classes that contain methods. */
  parts: readonly GraphDefinition[];
  /** Members by name. */
  members: ReadonlyMap<string, readonly GraphDefinition[]>;
  /** Parts that bind an attribute, by its name. */
  attributes: ReadonlyMap<string, readonly GraphDefinition[]>;
}

const NO_PARTS: OutsideParts = { parts: [], members: new Map(), attributes: new Map() };

/**
 * Namespaces of a repository: names that files share without importing them, and parts of types that are declared outside
 * them (`func (r *Type) name()`, `impl Type`, partial classes).
 */
export class Namespaces {
  readonly #byKey = new Map<string, Namespace>();
  /** Files that declare a name at their top level, in all namespaces. */
  readonly #filesByName = new Map<string, FileIndex[]>();
  /** Cached answers of `findOnlyClass`, until the next change. */
  readonly #onlyClassInAll = new Map<string, GraphDefinition | null>();
  readonly #onlyClassInCode = new Map<string, GraphDefinition | null>();
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
      ...{ declaring: new Map(), outsideParts: new Map(), partial: new Map() },
    }));
    this.#clearCaches(namespace);
    namespace.files++;
    for (const name of file.listDeclaredNames()) {
      appendTo(namespace.names, name, file);
      if (this.#openedElsewhere) appendTo(this.#filesByName, name, file);
    }
    for (const type of file.parts.keys()) appendTo(namespace.parts, type, file);
  }

  remove(file: FileIndex): void {
    const namespace = file.namespace === null ? undefined : this.#byKey.get(file.namespace);
    if (!namespace || file.namespace === null) return;
    this.#clearCaches(namespace);
    const isOther = (other: FileIndex) => other !== file;
    for (const name of file.listDeclaredNames()) {
      filterList(namespace.names, name, isOther);
      if (this.#openedElsewhere) filterList(this.#filesByName, name, isOther);
    }
    for (const type of file.parts.keys()) filterList(namespace.parts, type, isOther);
    if (--namespace.files === 0) this.#byKey.delete(file.namespace);
  }

  has(namespace: string): boolean {
    return this.#byKey.has(namespace);
  }

  /** Returns the files of a namespace that declare a name at their top level, by path, whatever order they were added in. */
  findDeclaringFiles(namespace: string, name: string): readonly FileIndex[] {
    const known = this.#byKey.get(namespace);
    return known
      ? getOrAdd(known.declaring, name, () => sortByPath(known.names.get(name) ?? []))
      : [];
  }

  /** Returns the class of a name if only one namespace has one. For languages in which any file may reopen a class. */
  findOnlyClass(name: string, withTests: boolean, reads: ReadSet): GraphDefinition | null {
    reads.addGuess(name);
    return getOrAdd(withTests ? this.#onlyClassInAll : this.#onlyClassInCode, name, () => {
      const files = (this.#filesByName.get(name) ?? []).filter(
        ({ isTest }) => withTests || !isTest,
      );
      const [first = null, ...others] = sortByPath(files).flatMap(({ top }) =>
        filterClasses(name, top),
      );
      const isOne = others.every(({ file }) => file.namespace === first?.file.namespace);
      return isOne ? first : null;
    });
  }

  /**
   * Returns the type that contains a definition or that it belongs to, or null.
   * @param reads receives the lookups that the answer depends on, here and below
   */
  findEnclosingType(
    { parent, owner, file }: GraphDefinition,
    reads: ReadSet,
  ): GraphDefinition | null {
    if (parent) return this.findWholeType(parent, reads);
    return owner === '' ? null : this.#findType(owner, file, reads);
  }

  findWholeType(definition: GraphDefinition, reads: ReadSet): GraphDefinition {
    const { owner, file } = definition;
    return owner === '' ? definition : (this.#findType(owner, file, reads) ?? definition);
  }

  /** Returns the members of a type with a name, wherever they are declared; those of other files last. */
  findMembers(type: GraphDefinition, name: string, reads: ReadSet): readonly GraphDefinition[] {
    const own = type.members.get(name) ?? [];
    const apart = this.#getOutsideParts(type, reads).members.get(name) ?? [];
    return [...own, ...apart.filter(({ parent }) => parent !== type)];
  }

  /** Returns the parts of a type that are declared outside it. All parts of a partial type share one list of all parts. */
  findParts(type: GraphDefinition, reads: ReadSet): readonly GraphDefinition[] {
    return this.#getOutsideParts(type, reads).parts;
  }

  findPartsWithAttribute(
    type: GraphDefinition,
    name: string,
    reads: ReadSet,
  ): readonly GraphDefinition[] {
    const parts = this.#getOutsideParts(type, reads).attributes.get(name) ?? [];
    return parts.filter((part) => part !== type);
  }

  #getOutsideParts(type: GraphDefinition, reads: ReadSet): OutsideParts {
    const { name, file, parent } = type;
    const own = file.parts.get(name) ?? [];
    const { namespace } = file;
    if (namespace === null || (parent && !this.#partialTypes)) return groupParts(own);
    for (let around: GraphDefinition | null = type; around; around = around.parent)
      reads.addModule(formatNamespaceKey(namespace, around.name));
    const known = this.#byKey.get(namespace);
    if (!known) return groupParts(own);
    if (this.#partialTypes) return this.#getPartialParts(type, namespace, known);
    return getOrAdd(known.outsideParts, type, () => {
      // If several files have a type of that name, it is unknown which one the parts belong to.
      const isOne = this.#findClasses(name, namespace).length === 1;
      const elsewhere = findPartsNamed(name, known).filter((part) => part.file !== file);
      return groupParts(isOne ? [...own, ...elsewhere] : own);
    });
  }

  #getPartialParts(type: GraphDefinition, namespace: string, known: Namespace): OutsideParts {
    const { name, parent } = type;
    return getOrAdd(known.partial, formatTypePath(type), () => {
      if (!parent) {
        return groupParts([...this.#findClasses(name, namespace), ...findPartsNamed(name, known)]);
      }
      const { members } = this.#getPartialParts(parent, namespace, known);
      return groupParts(filterClasses(name, members));
    });
  }

  #findType(name: string, file: FileIndex, reads: ReadSet): GraphDefinition | null {
    reads.addLookup(file, name);
    const [own] = filterClasses(name, file.top);
    if (own || file.namespace === null) return own ?? null;
    reads.addModule(formatNamespaceKey(file.namespace, name));
    const [first = null, ...others] = this.#findClasses(name, file.namespace);
    return others.length === 0 || this.#partialTypes ? first : null;
  }

  #clearCaches({ declaring, outsideParts, partial }: Namespace): void {
    for (const answers of [
      declaring,
      outsideParts,
      partial,
      this.#onlyClassInAll,
      this.#onlyClassInCode,
    ])
      answers.clear();
  }

  #findClasses(name: string, namespace: string): GraphDefinition[] {
    return this.findDeclaringFiles(namespace, name).flatMap(({ top }) => filterClasses(name, top));
  }
}

export function formatNamespaceKey(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}

function findPartsNamed(name: string, { parts }: Namespace): GraphDefinition[] {
  return sortByPath(parts.get(name) ?? []).flatMap((file) => file.parts.get(name) ?? []);
}

function formatTypePath({ name, parent }: GraphDefinition): string {
  return parent ? `${formatTypePath(parent)}\n${name}` : name;
}

function filterClasses(
  name: string,
  declared: ReadonlyMap<string, readonly GraphDefinition[]>,
): GraphDefinition[] {
  return declared.get(name)?.filter(({ kind }) => kind === 'class') ?? [];
}

function groupParts(parts: readonly GraphDefinition[]): OutsideParts {
  if (parts.length === 0) return NO_PARTS;
  const members = new Map<string, GraphDefinition[]>();
  const attributes = new Map<string, GraphDefinition[]>();
  const add = (to: Map<string, GraphDefinition[]>, name: string, ...some: GraphDefinition[]) => {
    getOrAdd(to, name, () => []).push(...some);
  };
  for (const part of parts) {
    if (part.kind !== 'class') add(members, part.name, part);
    else for (const [name, some] of part.members) add(members, name, ...some);
    for (const name of part.attributes.keys()) add(attributes, name, part);
  }
  return { parts, members, attributes };
}

function sortByPath(files: readonly FileIndex[]): FileIndex[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}
