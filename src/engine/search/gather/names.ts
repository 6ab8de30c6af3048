import type { IssueSpan } from '../../../shared/evidence.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { Issue } from '../../issue/issue.ts';
import { getIssueSyntax } from '../../languages/index.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';

export interface NameMention {
  /** Name as `set_cookie`, or `HttpResponse.set_cookie` if the issue gives its class or module. */
  name: string;
  spans: IssueSpan[];
  slots: number[];
  /** Number of definitions that it may mean: only those in source files if there are any, else all. */
  definitions: number;
}

const MAX_NAMES = 300;
const MAX_SPANS = 5;
/** A name that more tests than this define, and no source file, is probably an ordinary word. */
const MAX_IN_TESTS = 3;

/** Finds the names in the issue that are defined in the repository, in order of first appearance. */
export function resolveNames({ mentions, syntaxes }: Issue, index: SearchIndex): NameMention[] {
  const definitions = new Definitions(index, syntaxes);
  const found = new Map<string, NameMention>();
  for (const { name, owner, span, notIn } of mentions.names) {
    const full = owner === null ? name : `${owner}.${name}`;
    const earlier = found.get(full);
    if (!earlier && found.size >= MAX_NAMES) continue;
    const slots = definitions.find(name, owner, notIn);
    if (slots.length === 0) continue;
    const mention = earlier ?? { name: full, spans: [], slots: [...slots], definitions: 0 };
    if (earlier) mention.slots = [...new Set([...earlier.slots, ...slots])];
    if (mention.spans.length < MAX_SPANS) mention.spans.push(span);
    found.set(full, mention);
  }
  const mentioned = [...found.values()];
  for (const mention of mentioned) mention.definitions = definitions.count(mention.slots);
  return mentioned;
}

class Definitions {
  readonly #index: SearchIndex;
  readonly #syntaxes: readonly IssueSyntax[];
  readonly #syntaxByLanguage = new Map<string, IssueSyntax | undefined>();
  /** Slots by owner and name. */
  readonly #cache = new Map<string, readonly number[]>();

  constructor(index: SearchIndex, syntaxes: readonly IssueSyntax[]) {
    this.#index = index;
    this.#syntaxes = syntaxes;
    for (const language of index.getLanguages())
      this.#syntaxByLanguage.set(language, getIssueSyntax(language));
  }

  /**
   * Finds the definitions of a name.
   * @param owner class, module or object before the name; null without one
   * @param notIn syntaxes of languages in which it is not a name
   */
  find(name: string, owner: string | null, notIn: readonly IssueSyntax[]): readonly number[] {
    const full = `${owner ?? ''}.${name}`;
    const all = getOrAdd(this.#cache, full, () => this.#findAll(name, owner));
    if (notIn.length === 0) return all;
    return all.filter((slot) => {
      const syntax = this.#getSyntax(slot);
      return !syntax || !notIn.includes(syntax);
    });
  }

  #findAll(name: string, owner: string | null): readonly number[] {
    const named = [...this.#index.getSlotsByName(name), ...this.#index.getSlotsByAlias(name)];
    const longForms = this.#syntaxes.flatMap(({ words }) => words?.expandName?.(name) ?? []);
    const all =
      named.length > 0 ? named : longForms.flatMap((long) => this.#index.getSlotsByName(long));
    const slots = owner === null ? all : this.#selectOwned(owner, all);
    return this.#isOnlyInTests(slots) ? [] : slots;
  }

  /**
   * Selects the definitions of an owner: a class or module of this name, else a class that a variable is named after, else a
   * folder or file. Returns all if none matches.
   */
  #selectOwned(owner: string, slots: readonly number[]): readonly number[] {
    const lower = normalize(owner);
    const tests: ((slot: number) => boolean)[] = [
      (slot) => belongsTo(slot, owner, this.#index, this.#syntaxes),
      (slot) => this.#hasWords(slot) && normalize(getClassName(this.#chunk(slot))) === lower,
      (slot) => this.#hasWords(slot) && listPathParts(this.#chunk(slot)).includes(owner),
    ];
    const owned = tests.values().map((test) => slots.filter(test));
    return owned.find(({ length }) => length > 0) ?? slots;
  }

  #isOnlyInTests(slots: readonly number[]): boolean {
    return (
      slots.length > MAX_IN_TESTS &&
      slots.every((slot) => this.#hasWords(slot) && this.#chunk(slot)?.role !== 'source')
    );
  }

  /** Counts definitions: only those in source files if there are any, else all. Parts of one type count once. */
  count(slots: readonly number[]): number {
    const inSource = slots.filter((slot) => this.#chunk(slot)?.role === 'source');
    const counted = inSource.length > 0 ? inSource : slots;
    return new Set(counted.map((slot) => this.#getIdentity(slot))).size;
  }

  #getIdentity(slot: number): number | string {
    const chunk = this.#chunk(slot);
    if (chunk?.kind !== 'class' || !this.#hasWords(slot)) return slot;
    return `${chunk.path}::${chunk.qualifiedName}`;
  }

  #hasWords(slot: number): boolean {
    return (this.#getSyntax(slot)?.words ?? null) !== null;
  }

  #getSyntax(slot: number): IssueSyntax | undefined {
    return this.#syntaxByLanguage.get(this.#chunk(slot)?.language ?? '');
  }

  #chunk(slot: number): IndexedChunk | null {
    return this.#index.getChunkOrNull(slot);
  }
}

/** Returns true if a chunk is a member of a class with this name, or at the top level of a module with this name. */
function belongsTo(
  slot: number,
  owner: string,
  index: SearchIndex,
  syntaxes: readonly IssueSyntax[],
): boolean {
  const chunk = index.getChunkOrNull(slot);
  if (!chunk) return false;
  const { qualifiedName, name, path } = chunk;
  if (qualifiedName === name) {
    return syntaxes.some((syntax) => {
      const module = syntax.getModule(path);
      return module === owner || module.endsWith(`/${owner}`);
    });
  }
  const class_ = qualifiedName.slice(0, -name.length - 1);
  return class_ === owner || class_.endsWith(`.${owner}`);
}

function getClassName(chunk: IndexedChunk | null): string {
  return chunk?.qualifiedName.split('.').at(-2) ?? '';
}

function listPathParts(chunk: IndexedChunk | null): string[] {
  return chunk?.path.replace(/\.\w+$/, '').split('/') ?? [];
}

const normalize = (name: string): string => name.toLowerCase().replace(/[_$]/g, '');
