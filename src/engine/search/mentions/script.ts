/**
 * What the code in an issue uses of the repository: a reproduction script says which entry points lead to the trouble.
 * Imports are read for what a local name stands for, calls are resolved to definitions, by module path where there is
 * one, by the class of a variable, or by a method's name when few have it. Nothing is parsed: the code of issues is
 * cut, mixed with output and of any version of the language.
 */
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import type { Section } from './sections.ts';
import { DOTTED } from './text.ts';

/** A use of the repository's API. */
export interface ApiUse {
  /** As the code has it: `xr.concat`. */
  name: string;
  spans: IssueSpan[];
  /** Slots of the definitions it may mean, all equally likely. */
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

const FROM = /^[\s>.]{0,24}(?:In \[\d{1,6}\]: )?from ([\w.]{1,200}) import \(?([^\n#]{1,500})/gm;
const IMPORT = /^[\s>.]{0,24}(?:In \[\d{1,6}\]: )?import ([\w., ]{1,500})/gm;
const ASSIGNED = /\b([A-Za-z_]\w{0,60}) ?= ?([A-Za-z_][\w.]{0,200})\(/g;
const AS = /(?<!\s)\s+as\s+/;
const METHOD = /[\])'"]\.([A-Za-z_]\w{0,100})\(/g;

/** The uses of the repository's API in the code of an issue, in order of first appearance. */
export function findUses(sections: readonly Section[], index: SearchIndex): ApiUse[] {
  const code = sections.filter(({ kind }) => kind === 'code');
  if (code.length === 0) return [];
  const names = new Names(code, index);
  const uses = new Map<string, ApiUse | null>();
  const use = (name: string, resolve: () => number[], span: IssueSpan) => {
    if (uses.size >= MAX_USES) return;
    let found = uses.get(name);
    if (found === undefined) {
      const slots = resolve();
      found = slots.length > 0 ? { name, spans: [], slots } : null;
      uses.set(name, found);
    }
    if (found && found.spans.length < MAX_SPANS) found.spans.push(span);
  };
  for (const { text, start } of code) {
    const spanAt = (at: number, name: string) => {
      return { start: start + at, end: start + at + name.length, text: name };
    };
    for (const { 0: name, index: at } of text.matchAll(DOTTED)) {
      if (name.length > 300 || text[at - 1] === '.') continue;
      const isCalled = text[at + name.length] === '(';
      if (isCalled || name.includes('.') || names.isImported(name)) {
        use(name, () => names.resolve(name.split('.'), isCalled), spanAt(at, name));
      }
    }
    for (const { 0: match, 1: name, index: at } of text.matchAll(METHOD)) {
      use(`.${name}`, () => names.method(name), spanAt(at + match.indexOf(name), name));
    }
  }
  return [...uses.values()].filter((found) => found !== null);
}

/** What the names of a script stand for. */
class Names {
  readonly #index: SearchIndex;
  /** Local name to dotted path in the repository. */
  readonly #imports = new Map<string, string[]>();
  /** Modules all of whose names were imported. */
  readonly #open: string[][] = [];
  /** Variable to the dotted name that was called for its value. */
  readonly #values = new Map<string, string[]>();
  readonly #packages: ReadonlySet<string>;

  constructor(code: readonly Section[], index: SearchIndex) {
    this.#index = index;
    this.#packages = packagesOf(index);
    for (const { text } of code) {
      for (const [, module, names] of text.matchAll(FROM)) this.#importFrom(module, names);
      for (const [, modules] of text.matchAll(IMPORT)) this.#import(modules);
      for (const [, name, value] of text.matchAll(ASSIGNED)) {
        if (!this.#imports.has(name)) this.#values.set(name, value.split('.'));
      }
    }
  }

  isImported(name: string): boolean {
    return this.#imports.has(name);
  }

  #importFrom(module: string, names: string): void {
    const path = module.split('.');
    if (!this.#packages.has(path[0])) return;
    for (const name of names.split(',')) {
      const [member, local] = name.replace(')', '').trim().split(AS);
      if (member === '*') this.#importAll(path);
      else if (/^\w+$/.test(member)) this.#imports.set(local ?? member, [...path, member]);
    }
  }

  #importAll(module: string[]): void {
    const known = this.#open.some((path) => path.join('.') === module.join('.'));
    if (!known && this.#open.length < MAX_OPEN) this.#open.push(module);
  }

  #import(modules: string): void {
    for (const one of modules.split(',')) {
      const [module, local] = one.trim().split(AS);
      const path = module.split('.');
      if (!this.#packages.has(path[0])) continue;
      if (local) this.#imports.set(local, path);
      else this.#imports.set(path[0], [path[0]]);
    }
  }

  /** The definitions that a dotted name may mean. `chain`: how many variables led to it. */
  resolve(segments: string[], isCalled: boolean, chain = 0): number[] {
    const [first, ...rest] = segments;
    const imported = this.#imports.get(first);
    if (imported) return this.#inModules([...imported, ...rest]);
    const value = rest.length > 0 && chain < MAX_CHAIN && this.#values.get(first);
    if (value && value[0] !== first) {
      const made = this.resolve(value, true, chain + 1);
      const owners = new Set(made.filter((slot) => this.#chunk(slot).kind === 'class'));
      const members = this.#named(rest[0]).filter((slot) => owners.has(this.#chunk(slot).parent));
      if (members.length > 0) return members;
    }
    for (const module of this.#open) {
      const found = this.#inModules([...module, ...segments]);
      if (found.length > 0) return found;
    }
    return rest.length > 0 && isCalled ? this.method(rest.at(-1)!) : [];
  }

  /** The methods of this name, when few have it. */
  method(name: string): number[] {
    const methods = this.#named(name).filter((slot) => this.#chunk(slot).parent >= 0);
    return methods.length <= MAX_METHODS ? methods : [];
  }

  /**
   * The definitions of `package.module.name` or `package.module.Class.name`. As packages re-export what is defined
   * further down, those in the files whose path shares most with the module's count.
   */
  #inModules(path: string[]): number[] {
    for (let end = path.length; end > 1; end--) {
      const name = path[end - 1];
      const owner = path[end - 2];
      const found = this.#named(name).filter((slot) => {
        const { parent, path: file } = this.#chunk(slot);
        const fits = parent < 0 || this.#chunk(parent).name === owner;
        return fits && shared(file, path) > 0;
      });
      if (found.length === 0) continue;
      const common = found.map((slot) => shared(this.#chunk(slot).path, path));
      const best = common.reduce((most, one) => Math.max(most, one));
      return found.filter((_, i) => common[i] === best);
    }
    return [];
  }

  #named(name: string): number[] {
    return this.#index.slotsByName(name).filter((slot) => this.#chunk(slot).role === 'source');
  }

  #chunk(slot: number) {
    return this.#index.chunks[slot]!;
  }
}

/** The names of folders and files at the repository's root and in the usual source folders. */
function packagesOf(index: SearchIndex): Set<string> {
  const packages = new Set<string>();
  for (const path of index.paths()) {
    const [first, second] = path.split('/', 2);
    packages.add(first.replace(/\.\w+$/, ''));
    if (second !== undefined && SOURCE_ROOT.test(first)) packages.add(second.replace(/\.\w+$/, ''));
  }
  return packages;
}

const SOURCE_ROOT = /^(?:src|lib|python)$/;

/** How many leading segments a file's path shares with a module's. */
function shared(file: string, module: readonly string[]): number {
  const own = file.replace(/\.\w+$/, '').split('/');
  const from = own[0] !== module[0] && SOURCE_ROOT.test(own[0]) ? 1 : 0;
  let n = 0;
  while (from + n < own.length && own[from + n] === module[n]) n++;
  return n;
}
