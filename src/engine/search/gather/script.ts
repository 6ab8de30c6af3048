/**
 * Resolves what the code in an issue uses: a reproduction script shows which entry points lead to the failure. Imports
 * give the meaning of local names. A call is resolved to definitions by its module path, by the class of its variable, or
 * by the method's name if few methods have it.
 */
import type { IssueSpan } from '../../../shared/evidence.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { Issue, SectionScript } from '../../issue/issue.ts';
import type { IssueSyntax, NameUse, ScriptBinding } from '../../languages/issue-syntax.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';

export interface ApiUse {
  /** Name as in the code: `xr.concat`. */
  name: string;
  spans: IssueSpan[];
  slots: number[];
}

const MAX_USES = 100;
const MAX_SPANS = 3;
/** Maximum number of methods that a call may mean if the class is unknown. */
const MAX_METHODS = 3;
/** Maximum number of modules of which all names are imported. */
const MAX_STAR_IMPORTS = 50;
/** Maximum number of variables to follow, each made by a method of the next. */
const MAX_CHAIN = 10;

/** Resolves the uses of the repository's API in the code of an issue, in order of first appearance. */
export function resolveUses({ mentions }: Issue, index: SearchIndex): ApiUse[] {
  const bySyntax = Map.groupBy(mentions.scripts, ({ syntax }) => syntax);
  return [...bySyntax].flatMap(([syntax, scripts]) => resolveScripts(scripts, syntax, index));
}

function resolveScripts(
  scripts: readonly SectionScript[],
  syntax: IssueSyntax,
  index: SearchIndex,
): ApiUse[] {
  const names = new ScriptNames(scripts, syntax, index);
  const uses = new Map<string, ApiUse | null>();
  for (const { start, uses: read } of scripts) {
    for (const use of read) {
      if (uses.size >= MAX_USES || !names.mayUse(use)) continue;
      const name = use.isMethod ? `.${use.text}` : use.text;
      const found = getOrAdd<string, ApiUse | null>(uses, name, () => {
        const slots = names.resolve(use);
        return slots.length > 0 ? { name, spans: [], slots } : null;
      });
      if (found && found.spans.length < MAX_SPANS) found.spans.push(createSpan(use, start));
    }
  }
  return [...uses.values()].filter((found) => found !== null);
}

function createSpan({ at, text }: NameUse, start: number): IssueSpan {
  return { start: start + at, end: start + at + text.length, text };
}

/** Names in the scripts of an issue, with what they mean in the repository. */
class ScriptNames {
  readonly #index: SearchIndex;
  readonly #sourceRoots: ReadonlySet<string>;
  /** Path in the repository, by local name. */
  readonly #imports = new Map<string, string[]>();
  /** Modules of which all names are imported. */
  readonly #starImports = new Map<string, string[]>();
  /** Qualified name that was called for the value, by variable. */
  readonly #values = new Map<string, string[]>();

  constructor(scripts: readonly SectionScript[], { sourceRoots }: IssueSyntax, index: SearchIndex) {
    this.#index = index;
    this.#sourceRoots = sourceRoots;
    const packages = listTopLevelNames(index, sourceRoots);
    for (const { bindings } of scripts)
      for (const binding of bindings) this.#bind(binding, packages);
  }

  #bind({ path, ...binding }: ScriptBinding, packages: ReadonlySet<string>): void {
    if (binding.kind === 'value') {
      if (!this.#imports.has(binding.local)) this.#values.set(binding.local, path);
      return;
    }
    if (!packages.has(path[0] ?? '')) return;
    if (binding.kind === 'import') this.#imports.set(binding.local, path);
    else if (this.#starImports.size < MAX_STAR_IMPORTS) this.#starImports.set(path.join('/'), path);
  }

  /** Returns true if a name may refer to a module's member: it is called, qualified or imported. */
  mayUse({ text, path, isCalled }: NameUse): boolean {
    return isCalled || path.length > 1 || this.#imports.has(text);
  }

  resolve({ path, isCalled, isMethod }: NameUse): number[] {
    return isMethod ? this.#findMethods(path.at(-1) ?? '') : this.#resolvePath(path, isCalled);
  }

  /** @param chain number of variables that were followed to this name */
  #resolvePath(path: readonly string[], isCalled: boolean, chain = 0): number[] {
    const [first = '', ...rest] = path;
    const imported = this.#imports.get(first);
    if (imported) return this.#findInModules([...imported, ...rest]);
    const members = chain < MAX_CHAIN ? this.#findMembersOfValue(first, rest, chain) : [];
    if (members.length > 0) return members;
    const inStarImports = this.#starImports
      .values()
      .map((module) => this.#findInModules([...module, ...path]));
    const found = inStarImports.find(({ length }) => length > 0);
    return found ?? (rest.length > 0 && isCalled ? this.#findMethods(rest.at(-1) ?? '') : []);
  }

  /** Finds members with this name in the class of a variable. */
  #findMembersOfValue(variable: string, [member]: readonly string[], chain: number): number[] {
    const value = this.#values.get(variable);
    if (member === undefined || !value || value[0] === variable) return [];
    const constructed = this.#resolvePath(value, true, chain + 1);
    const owners = new Set(constructed.filter((slot) => this.#chunk(slot)?.kind === 'class'));
    return this.#findByName(member).filter((slot) => owners.has(this.#getParent(slot)));
  }

  #findMethods(name: string): number[] {
    const methods = this.#findByName(name).filter((slot) => this.#getParent(slot) >= 0);
    return methods.length <= MAX_METHODS ? methods : [];
  }

  /**
   * Finds the definitions of `package.module.name` or `package.module.Class.name`. Packages re-export definitions from
   * deeper modules, so the files whose path shares the most parts with the module's path are taken.
   */
  #findInModules(path: readonly string[]): number[] {
    for (let end = path.length; end > 1; end--) {
      const [owner, name = ''] = path.slice(end - 2, end);
      const found = this.#findByName(name).flatMap((slot) => {
        const parent = this.#getParent(slot);
        const hasOwner = parent < 0 || this.#chunk(parent)?.name === owner;
        const common = hasOwner ? this.#countCommonParts(this.#chunk(slot)?.path ?? '', path) : 0;
        return common > 0 ? [{ slot, common }] : [];
      });
      if (found.length === 0) continue;
      const best = Math.max(...found.map(({ common }) => common));
      return found.filter(({ common }) => common === best).map(({ slot }) => slot);
    }
    return [];
  }

  #findByName(name: string): number[] {
    return this.#index.getSlotsByName(name).filter((slot) => this.#chunk(slot)?.role === 'source');
  }

  #getParent(slot: number): number {
    return this.#chunk(slot)?.parent ?? -1;
  }

  #chunk(slot: number): IndexedChunk | null {
    return this.#index.getChunkOrNull(slot);
  }

  #countCommonParts(file: string, module: readonly string[]): number {
    const parts = withoutExtension(file).split('/');
    const [first = ''] = parts;
    const from = first !== module[0] && this.#sourceRoots.has(first) ? 1 : 0;
    const partsInRoot = parts.slice(from);
    const difference = partsInRoot.findIndex((part, n) => part !== module[n]);
    return difference < 0 ? partsInRoot.length : difference;
  }
}

/** Lists the names of folders and files at the repository's root and in the usual source folders. */
function listTopLevelNames(index: SearchIndex, sourceRoots: ReadonlySet<string>): Set<string> {
  const packages = new Set<string>();
  for (const path of index.getPaths()) {
    const [first = '', second] = path.split('/', 2);
    packages.add(withoutExtension(first));
    if (second !== undefined && sourceRoots.has(first)) packages.add(withoutExtension(second));
  }
  return packages;
}

const withoutExtension = (path: string): string => path.replace(/\.\w+$/, '');
