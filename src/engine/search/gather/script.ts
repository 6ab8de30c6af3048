/**
 * What the code in an issue uses of the repository: a reproduction script says which entry points lead to the trouble.
 * Imports say what a local name stands for, calls are resolved to definitions, by module path where there is one, by the
 * class of a variable, or by a method's name when few have it.
 */
import type { IssueSpan } from '../../../shared/evidence.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { Issue, SectionScript } from '../../issue/issue.ts';
import type { Binding, IssueSyntax, Use } from '../../languages/issue-syntax.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';

export interface ApiUse {
  /** As the code has it: `xr.concat`. */
  name: string;
  spans: IssueSpan[];
  slots: number[];
}

const MAX_USES = 100;
const MAX_SPANS = 3;
/** A method whose class is unknown may be one of this many. */
const MAX_METHODS = 3;
/** Modules all of whose names are imported. */
const MAX_OPEN = 50;
/** Variables one after the other, each made by a method of the next. */
const MAX_CHAIN = 10;

/** The uses of the repository's API in the code of an issue, in order of first appearance. */
export function resolveUses({ mentions }: Issue, index: SearchIndex): ApiUse[] {
  const bySyntax = Map.groupBy(mentions.scripts, ({ syntax }) => syntax);
  return [...bySyntax].flatMap(([syntax, scripts]) => usesOf(scripts, syntax, index));
}

function usesOf(
  scripts: readonly SectionScript[],
  syntax: IssueSyntax,
  index: SearchIndex,
): ApiUse[] {
  const names = new Names(scripts, syntax, index);
  const uses = new Map<string, ApiUse | null>();
  for (const { start, uses: read } of scripts) {
    for (const use of read) {
      if (uses.size >= MAX_USES || !names.mayUse(use)) continue;
      const name = use.isMethod ? `.${use.text}` : use.text;
      const found = getOrAdd<string, ApiUse | null>(uses, name, () => {
        const slots = names.slotsOf(use);
        return slots.length > 0 ? { name, spans: [], slots } : null;
      });
      if (found && found.spans.length < MAX_SPANS) found.spans.push(spanOf(use, start));
    }
  }
  return [...uses.values()].filter((found) => found !== null);
}

function spanOf({ at, text }: Use, start: number): IssueSpan {
  return { start: start + at, end: start + at + text.length, text };
}

class Names {
  readonly #index: SearchIndex;
  readonly #sourceRoots: ReadonlySet<string>;
  /** Local name to its path in the repository. */
  readonly #imports = new Map<string, string[]>();
  readonly #open = new Map<string, string[]>();
  /** Variable to the qualified name that was called for its value. */
  readonly #values = new Map<string, string[]>();

  constructor(scripts: readonly SectionScript[], { sourceRoots }: IssueSyntax, index: SearchIndex) {
    this.#index = index;
    this.#sourceRoots = sourceRoots;
    const packages = packagesOf(index, sourceRoots);
    for (const { bindings } of scripts) for (const one of bindings) this.#bind(one, packages);
  }

  #bind({ path, ...binding }: Binding, packages: ReadonlySet<string>): void {
    if (binding.kind === 'value') {
      if (!this.#imports.has(binding.local)) this.#values.set(binding.local, path);
      return;
    }
    if (!packages.has(path[0] ?? '')) return;
    if (binding.kind === 'import') this.#imports.set(binding.local, path);
    else if (this.#open.size < MAX_OPEN) this.#open.set(path.join('/'), path);
  }

  /** Whether a name is meant as something of a module: it is called, qualified or imported. */
  mayUse({ text, path, isCalled }: Use): boolean {
    return isCalled || path.length > 1 || this.#imports.has(text);
  }

  slotsOf({ path, isCalled, isMethod }: Use): number[] {
    return isMethod ? this.#methods(path.at(-1) ?? '') : this.#resolve(path, isCalled);
  }

  /** `chain`: how many variables led to this name. */
  #resolve(path: readonly string[], isCalled: boolean, chain = 0): number[] {
    const [first = '', ...rest] = path;
    const imported = this.#imports.get(first);
    if (imported) return this.#inModules([...imported, ...rest]);
    const members = chain < MAX_CHAIN ? this.#membersOfValue(first, rest, chain) : [];
    if (members.length > 0) return members;
    const opened = this.#open.values().map((module) => this.#inModules([...module, ...path]));
    const found = opened.find(({ length }) => length > 0);
    return found ?? (rest.length > 0 && isCalled ? this.#methods(rest.at(-1) ?? '') : []);
  }

  /** What a variable's class has of the name after it. */
  #membersOfValue(variable: string, [member]: readonly string[], chain: number): number[] {
    const value = this.#values.get(variable);
    if (member === undefined || !value || value[0] === variable) return [];
    const made = this.#resolve(value, true, chain + 1);
    const owners = new Set(made.filter((slot) => this.#chunk(slot)?.kind === 'class'));
    return this.#named(member).filter((slot) => owners.has(this.#parentOf(slot)));
  }

  #methods(name: string): number[] {
    const methods = this.#named(name).filter((slot) => this.#parentOf(slot) >= 0);
    return methods.length <= MAX_METHODS ? methods : [];
  }

  /**
   * The definitions of `package.module.name` or `package.module.Class.name`. As packages re-export what is defined
   * further down, those in the files whose path shares most with the module's count.
   */
  #inModules(path: readonly string[]): number[] {
    for (let end = path.length; end > 1; end--) {
      const [owner, name = ''] = path.slice(end - 2, end);
      const found = this.#named(name).flatMap((slot) => {
        const parent = this.#parentOf(slot);
        const fits = parent < 0 || this.#chunk(parent)?.name === owner;
        const common = fits ? this.#shared(this.#chunk(slot)?.path ?? '', path) : 0;
        return common > 0 ? [{ slot, common }] : [];
      });
      if (found.length === 0) continue;
      const best = Math.max(...found.map(({ common }) => common));
      return found.filter(({ common }) => common === best).map(({ slot }) => slot);
    }
    return [];
  }

  #named(name: string): number[] {
    return this.#index.slotsByName(name).filter((slot) => this.#chunk(slot)?.role === 'source');
  }

  #parentOf(slot: number): number {
    return this.#chunk(slot)?.parent ?? -1;
  }

  #chunk(slot: number): IndexedChunk | null {
    return this.#index.chunkAt(slot);
  }

  #shared(file: string, module: readonly string[]): number {
    const own = withoutExtension(file).split('/');
    const [first = ''] = own;
    const from = first !== module[0] && this.#sourceRoots.has(first) ? 1 : 0;
    const within = own.slice(from);
    const differs = within.findIndex((part, n) => part !== module[n]);
    return differs < 0 ? within.length : differs;
  }
}

/** The names of folders and files at the repository's root and in the usual source folders. */
function packagesOf(index: SearchIndex, sourceRoots: ReadonlySet<string>): Set<string> {
  const packages = new Set<string>();
  for (const path of index.paths()) {
    const [first = '', second] = path.split('/', 2);
    packages.add(withoutExtension(first));
    if (second !== undefined && sourceRoots.has(first)) packages.add(withoutExtension(second));
  }
  return packages;
}

const withoutExtension = (path: string): string => path.replace(/\.\w+$/, '');
