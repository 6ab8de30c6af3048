import type { IssueSpan } from '../../../shared/evidence.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import type { Issue } from '../../issue/issue.ts';
import { getIssueSyntax } from '../../languages/index.ts';
import type { IssueSyntax } from '../../languages/issue-syntax.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';

export interface NameMention {
  /** `set_cookie`, or `HttpResponse.set_cookie` where the issue says of which class or module. */
  name: string;
  spans: IssueSpan[];
  slots: number[];
  /** How many definitions it may stand for: those in source files, if there are any there, or else all. */
  definitions: number;
}

const MAX_NAMES = 300;
const MAX_SPANS = 5;
/** What more tests than these have, and no source, is a word that people write without meaning a definition. */
const MAX_IN_TESTS = 3;

/** The names in the issue that are defined in the repository, in order of first appearance. */
export function resolveNames({ mentions, syntaxes }: Issue, index: SearchIndex): NameMention[] {
  const definitions = new Definitions(index, syntaxes);
  const found = new Map<string, NameMention>();
  for (const { name, owner, span, notIn } of mentions.names) {
    const full = owner === null ? name : `${owner}.${name}`;
    const known = found.get(full);
    if (!known && found.size >= MAX_NAMES) continue;
    const slots = definitions.of(name, owner, notIn);
    if (slots.length === 0) continue;
    const mention = known ?? { name: full, spans: [], slots: [...slots], definitions: 0 };
    if (known) mention.slots = [...new Set([...known.slots, ...slots])];
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
  readonly #syntaxOf = new Map<string, IssueSyntax | undefined>();
  readonly #known = new Map<string, readonly number[]>();

  constructor(index: SearchIndex, syntaxes: readonly IssueSyntax[]) {
    this.#index = index;
    this.#syntaxes = syntaxes;
    for (const language of index.languages())
      this.#syntaxOf.set(language, getIssueSyntax(language));
  }

  /** What a name, or a name after its class, module or object, is defined as in languages where it is a name. */
  of(name: string, owner: string | null, notIn: readonly IssueSyntax[]): readonly number[] {
    const full = `${owner ?? ''}.${name}`;
    const all = getOrAdd(this.#known, full, () => this.#named(name, owner));
    if (notIn.length === 0) return all;
    return all.filter((slot) => {
      const syntax = this.#syntaxAt(slot);
      return !syntax || !notIn.includes(syntax);
    });
  }

  #named(name: string, owner: string | null): readonly number[] {
    const named = this.#index.slotsByName(name);
    const long = this.#syntaxes.flatMap(({ words }) => words?.longForm?.(name) ?? []);
    const all = named.length > 0 ? named : long.flatMap((whole) => this.#index.slotsByName(whole));
    const slots = owner === null ? all : this.#ownedBy(owner, all);
    return this.#isOfTestsAlone(slots) ? [] : slots;
  }

  /** Those of a class or module of this name; else of a class that a variable is named after; else of a folder or file; or all. */
  #ownedBy(owner: string, slots: readonly number[]): readonly number[] {
    const lower = plain(owner);
    const ways: ((slot: number) => boolean)[] = [
      (slot) => belongsTo(slot, owner, this.#index, this.#syntaxes),
      (slot) => this.#hasWords(slot) && plain(classOf(this.#chunk(slot))) === lower,
      (slot) => this.#hasWords(slot) && foldersOf(this.#chunk(slot)).includes(owner),
    ];
    const owned = ways.values().map((way) => slots.filter(way));
    return owned.find(({ length }) => length > 0) ?? slots;
  }

  #isOfTestsAlone(slots: readonly number[]): boolean {
    return (
      slots.length > MAX_IN_TESTS &&
      slots.every((slot) => this.#hasWords(slot) && this.#chunk(slot)?.role !== 'source')
    );
  }

  /** How many definitions these are: those in source files, if any are, or else all. Parts of one type count once. */
  count(slots: readonly number[]): number {
    const inSource = slots.filter((slot) => this.#chunk(slot)?.role === 'source');
    const counted = inSource.length > 0 ? inSource : slots;
    return new Set(counted.map((slot) => this.#identityOf(slot))).size;
  }

  #identityOf(slot: number): number | string {
    const chunk = this.#chunk(slot);
    if (chunk?.kind !== 'class' || !this.#hasWords(slot)) return slot;
    return `${chunk.path}::${chunk.qualifiedName}`;
  }

  #hasWords(slot: number): boolean {
    return (this.#syntaxAt(slot)?.words ?? null) !== null;
  }

  #syntaxAt(slot: number): IssueSyntax | undefined {
    return this.#syntaxOf.get(this.#chunk(slot)?.language ?? '');
  }

  #chunk(slot: number): IndexedChunk | null {
    return this.#index.chunkAt(slot);
  }
}

/** Whether a chunk is a member of a class of this name, or top-level in a module of this name. */
function belongsTo(
  slot: number,
  owner: string,
  index: SearchIndex,
  syntaxes: readonly IssueSyntax[],
): boolean {
  const chunk = index.chunkAt(slot);
  if (!chunk) return false;
  const { qualifiedName, name, path } = chunk;
  if (qualifiedName === name) {
    return syntaxes.some((syntax) => {
      const module = syntax.moduleOf(path);
      return module === owner || module.endsWith(`/${owner}`);
    });
  }
  const class_ = qualifiedName.slice(0, -name.length - 1);
  return class_ === owner || class_.endsWith(`.${owner}`);
}

function classOf(chunk: IndexedChunk | null): string {
  return chunk?.qualifiedName.split('.').at(-2) ?? '';
}

function foldersOf(chunk: IndexedChunk | null): string[] {
  return chunk?.path.replace(/\.\w+$/, '').split('/') ?? [];
}

const plain = (name: string): string => name.toLowerCase().replace(/[_$]/g, '');
