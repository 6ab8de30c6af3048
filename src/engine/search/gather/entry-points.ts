/** Resolves routes, commands and other keys in an issue to the functions that are registered under them. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { Registration } from '../../../shared/registration.ts';
import type { EntryPointToken } from '../../issue/mentions/entry-points.ts';
import { getMembers } from '../../snapshot/members.ts';
import type { RegisteredChunk, SearchIndex } from '../../snapshot/types.ts';

/** A registered key that an issue mentions. */
export interface EntryPointMention extends Registration {
  spans: IssueSpan[];
  /** Functions that are registered under the key, in order of slot. */
  slots: number[];
}

const MAX_MENTIONS = 100;
const MAX_SPANS = 5;
/** Functions of one key. A more common key tells nothing. */
const MAX_SLOTS = 10;
/** Folders of a path that may be called as a program. */
const MAX_DEPTH = 3;
/** Programs that run the commands of a framework. */
const RUNNERS = /^(?:manage|artisan|console|rails|rake|flask|thor|django-admin)$/;

/** Finds the registered keys in an issue, in order of first appearance. */
export function resolveEntryPoints(
  tokens: readonly EntryPointToken[],
  index: SearchIndex,
): EntryPointMention[] {
  if (tokens.length === 0) return [];
  const registered = new RegisteredKeys(index);
  if (registered.isEmpty) return [];
  const found = new Map<string, EntryPointMention>();
  for (const token of tokens) {
    for (const { kind, key, slots } of registered.find(token)) {
      const id = `${kind} ${key}`;
      const mention = found.get(id) ?? {
        kind,
        key,
        spans: [],
        slots: [...slots].sort((a, b) => a - b),
      };
      if (mention.spans.length < MAX_SPANS) mention.spans.push(token.span);
      if (found.size < MAX_MENTIONS) found.set(id, mention);
    }
  }
  return [...found.values()].filter(({ slots }) => slots.length <= MAX_SLOTS);
}

interface FoundKey extends Registration {
  slots: Set<number>;
}

interface Route {
  method: string;
  path: string;
  parts: readonly string[];
  chunk: RegisteredChunk;
}

/** Keys that the source files of a repository register. */
class RegisteredKeys {
  readonly #index: SearchIndex;
  readonly #byKey = new Map<string, Set<number>>();
  readonly #routes: Route[] = [];
  #programs: ReadonlySet<string> | null = null;

  constructor(index: SearchIndex) {
    this.#index = index;
    for (const chunk of index.getRegistered()) {
      const { kind, key, slot, caller } = chunk;
      const isSource = [slot, caller].every((one) => index.getChunk(one).role === 'source');
      if (!isSource) continue;
      if (kind === 'route') this.#routes.push(readRoute(chunk));
      const known = this.#byKey.get(`${kind} ${key}`) ?? new Set();
      this.#byKey.set(`${kind} ${key}`, known.add(slot));
    }
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  find(token: EntryPointToken): FoundKey[] {
    switch (token.kind) {
      case 'route':
        return this.#findRoutes(token);
      case 'command':
        return this.#findCommand(token);
      case 'quoted':
        return [...this.#findKey('event', token.text), ...this.#findKey('name', token.text)];
    }
  }

  #findKey(kind: Registration['kind'], key: string): FoundKey[] {
    const slots = this.#byKey.get(`${kind} ${key}`);
    return slots ? [{ kind, key, slots }] : [];
  }

  /** Finds the innermost command: `aws` of `tool create cluster aws`. */
  #findCommand({ program, words }: EntryPointToken & { kind: 'command' }): FoundKey[] {
    const isCommand = (word: string) => this.#byKey.has(`command ${word}`);
    const end = words.findIndex((word) => !isCommand(word));
    const inner = (end < 0 ? words : words.slice(0, end)).at(-1);
    if (inner === undefined) return [];
    const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    this.#programs ??= listPrograms(this.#index);
    const isKnown = RUNNERS.test(name) || isCommand(name) || this.#programs.has(toProgram(name));
    return isKnown ? this.#findKey('command', inner) : [];
  }

  /** Finds the routes that a path fits best: with its method, and with the most parts that are no parameters. */
  #findRoutes({ method, path }: EntryPointToken & { kind: 'route' }): FoundKey[] {
    const parts = splitPath(path);
    let best = 0;
    let found: Route[] = [];
    for (const route of this.#routes) {
      const score = scoreRoute(route, method, parts);
      if (score === 0 || score < best) continue;
      if (score > best) found = [];
      best = score;
      found.push(route);
    }
    const byKey = Map.groupBy(found, ({ chunk }) => chunk.key);
    return [...byKey].map(([key, routes]) => ({
      kind: 'route',
      key,
      slots: new Set(routes.flatMap(({ chunk }) => this.#listHandlers(chunk.slot, method))),
    }));
  }

  /** Returns the method of a class that handles a request: `get`; the class itself without one. */
  #listHandlers(slot: number, method: string): number[] {
    if (this.#index.getChunk(slot).kind !== 'class' || method === '') return [slot];
    const members = getMembers(slot, this.#index);
    const own = members.filter((one) => this.#index.getChunk(one).name === method.toLowerCase());
    return own.length > 0 ? own : [slot];
  }
}

/** Lists the names that a program of the repository may have: those of files, and of folders near its root. */
function listPrograms(index: SearchIndex): Set<string> {
  const programs = new Set<string>();
  for (const path of index.getPaths()) {
    const folders = path.split('/');
    const file = folders.pop() ?? '';
    for (const folder of folders.slice(0, MAX_DEPTH)) programs.add(toProgram(folder));
    programs.add(toProgram(file.replace(/\.\w+$/, '')));
  }
  return programs;
}

const toProgram = (name: string): string => name.toLowerCase().replaceAll('_', '-');

function readRoute(chunk: RegisteredChunk): Route {
  const [, method = '', path = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(chunk.key) ?? [];
  return { method, path, parts: splitPath(path), chunk };
}

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/**
 * Returns how well a path fits a route; 0 if it doesn't. A path in an issue may have parts before those of the route, since an
 * application may be mounted anywhere.
 */
function scoreRoute(route: Route, method: string, path: readonly string[]): number {
  const { parts } = route;
  const isOtherMethod = method !== '' && route.method !== '' && route.method !== method;
  const before = path.length - parts.length;
  if (isOtherMethod || before < 0 || parts.length === 0) return 0;
  let literal = 0;
  for (const [n, part] of parts.entries()) {
    const given = path[before + n] ?? '';
    if (isParameter(part)) continue;
    if (part !== given) return 0;
    literal++;
  }
  // Without a method, a path may be one of a file system: then all of it has to fit, or most of it.
  const least = method === '' && before > 0 ? 2 : 1;
  if (literal < least) return 0;
  return literal * 4 + (before === 0 ? 2 : 0) + (method !== '' && route.method === method ? 1 : 0);
}

const isParameter = (part: string): boolean => part.startsWith(':');
