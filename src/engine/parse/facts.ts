/** What the call graph needs to know of a file, from the matches of the reference and binding queries. */
import type { Node } from 'web-tree-sitter';
import type { Language } from '../languages/index.ts';
import type { Definition } from './definitions.ts';
import type { Match, Matches } from './grammar.ts';
import { typeName } from './type-names.ts';
import type {
  BindingFact,
  FileFacts,
  ImportFact,
  LocalFact,
  ParsedChunk,
  ReferenceFact,
} from './types.ts';

const DOTTED = /^[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*$/u;
const UNKNOWN = '?';
/** Of imports, bindings and references each; denser than any code that somebody wrote into a file of the size that is read. */
const MAX_FACTS = 50_000;
/** Longer chains count as unknown in front of their last name. */
const MAX_CHAIN = 16;
const MAX_CHAIN_TEXT = 400;

interface Context {
  language: Language;
  text: string;
  matches: Matches;
  owner: Int32Array;
  /** All of the file's, and those that are chunks: chunk i is made from the one at i - 1. */
  definitions: readonly Definition[];
  ofChunks: readonly Definition[];
  chunks: readonly ParsedChunk[];
}

/** Collects the facts of a file. References and bindings are in order of their place in the text. */
export function factsOf(context: Context): FileFacts {
  let omitted = 0;
  const first = <T>(facts: T[]) => {
    omitted += Math.max(0, facts.length - MAX_FACTS);
    return facts.slice(0, MAX_FACTS);
  };
  const references = first(referencesOf(context));
  const bindings = first(bindingsOf(context));
  const locals = localsOf(context, references, bindings);
  const facts: FileFacts = { imports: first(importsOf(context)), bindings, references };
  if (locals.length > 0) facts.locals = locals;
  if (omitted > 0) facts.omitted = omitted;
  return facts;
}

function scopeOf({ owner }: Context, node: Node): number {
  return owner[Math.min(node.startPosition.row, owner.length - 1)]!;
}

function importsOf(context: Context): ImportFact[] {
  const { language } = context;
  const facts: ImportFact[] = [];
  for (const match of context.matches.get('import') ?? []) {
    const scope = scopeOf(context, (match.from ?? match.module)!);
    const alias = match.alias?.text;
    if (match.module) {
      const module = withoutSpace(match.module.text);
      const local = alias ?? module.split(language.pathSeparator, 1)[0]!;
      facts.push({ module, level: 0, member: null, local, scope });
    } else {
      let module = withoutSpace(match.from!.text);
      let level = 0;
      while (module.startsWith(language.relativePrefix)) {
        module = module.slice(language.relativePrefix.length);
        level++;
      }
      const member = withoutSpace(match.member!.text);
      facts.push({ module, level, member, local: alias ?? member, scope });
    }
  }
  return facts;
}

function referencesOf(context: Context): ReferenceFact[] {
  const { matches } = context;
  const hidden = hiddenClasses(context);
  const facts: ReferenceFact[] = [];
  const add = (match: Match, kind: ReferenceFact['kind'], scope: number) => {
    const name = match.name!;
    const chain = match.chain ? chainOf(context, match.chain) : [name.text];
    if (!chain) return;
    if (hidden.length > 0 && isOwnOf(hidden, context.language, name, chain[0]!)) chain[0] = UNKNOWN;
    const { row, column } = name.startPosition;
    facts.push({ scope, chain, kind, line: row + 1, column });
  };

  const decorators = new Set<number>();
  for (const match of matches.get('decorator') ?? []) {
    decorators.add(match.name!.startIndex);
    const scope = scopeOf(context, match.name!);
    // A decorator inside a function decorates no chunk; there it is a call like any other.
    add(match, isAboveHeader(context, scope, match.name!) ? 'decorate' : 'call', scope);
  }
  for (const match of matches.get('call') ?? []) {
    if (!decorators.has(match.name!.startIndex)) add(match, 'call', scopeOf(context, match.name!));
  }
  for (const match of matches.get('base') ?? []) {
    const scope = scopeOf(context, match.name!);
    if (context.chunks[scope]!.kind === 'class') add(match, 'inherit', scope);
  }
  return facts.sort((a, b) => a.line - b.line || a.column - b.column);
}

function bindingsOf(context: Context): BindingFact[] {
  const { matches, language } = context;
  const hidden = hiddenClasses(context);
  const facts: (BindingFact & { at: number })[] = [];
  for (const match of matches.get('binding') ?? []) {
    const target = dottedOf(context, match.target!);
    if (!target || isOwnOf(hidden, language, match.target!, target.split('.', 1)[0]!)) continue;
    const scope = scopeOf(context, match.target!);
    const at = match.target!.startIndex;
    if (match.type) {
      const type = typeName(match.type.text, language.types);
      if (type)
        facts.push({ scope, target, value: type.name, how: type.isClass ? 'alias' : 'type', at });
    } else {
      const value = dottedOf(context, (match.call ?? match.alias)!);
      if (value) facts.push({ scope, target, value, how: match.call ? 'call' : 'alias', at });
    }
  }
  const byName = new Map(context.ofChunks.map((d, i) => [d.nameIndex, i + 1]));
  for (const { name, type } of matches.get('return') ?? []) {
    const scope = byName.get(name!.startIndex);
    const result = typeName(type!.text, language.types);
    if (scope === undefined || !result || result.isClass) continue;
    facts.push({ scope, target: '', value: result.name, how: 'return', at: name!.startIndex });
  }
  facts.sort((a, b) => a.at - b.at);
  return facts.map(({ scope, target, value, how }) => ({ scope, target, value, how }));
}

/** Only names that matter to a reference or binding of their scope are kept: most never do. */
function localsOf(
  context: Context,
  references: ReferenceFact[],
  bindings: BindingFact[],
): LocalFact[] {
  const { matches, chunks, definitions } = context;
  const heads = new Map<number, Set<string>>();
  const addTo = (map: Map<number, Set<string>>, scope: number, name: string) => {
    const kind = chunks[scope]!.kind;
    if (kind !== 'function' && kind !== 'method') return;
    const names = map.get(scope);
    if (names) names.add(name);
    else map.set(scope, new Set([name]));
  };
  for (const { scope, chain } of references) {
    const head = chain[0]!;
    addTo(heads, scope, head.endsWith('()') ? head.slice(0, -2) : head);
  }
  for (const { scope, value } of bindings) addTo(heads, scope, value.split(/\.|\(/, 1)[0]!);

  const bound = new Map<number, Set<string>>();
  for (const { name } of matches.get('local') ?? []) {
    addTo(bound, scopeOf(context, name!), name!.text);
  }
  for (const definition of definitions) {
    if (!definition.chunk) addTo(bound, context.owner[definition.headerRow]!, definition.name);
  }
  for (const { name } of matches.get('global') ?? []) {
    bound.get(scopeOf(context, name!))?.delete(name!.text);
  }
  const facts: LocalFact[] = [];
  for (const [scope, names] of bound) {
    const used = heads.get(scope);
    const kept = used ? [...names].filter((name) => used.has(name)) : [];
    if (kept.length > 0) facts.push({ scope, names: kept });
  }
  return facts.sort((a, b) => a.scope - b.scope);
}

/**
 * The chain of names of `a.b.c`; see `ReferenceFact.chain`. Null when the first value is a literal: methods of
 * built-in types lead nowhere.
 */
function chainOf(context: Context, node: Node): string[] | null {
  const { nodes } = context.language;
  const { startIndex, endIndex } = node;
  if (endIndex - startIndex <= MAX_CHAIN_TEXT) {
    const whole = context.text.slice(startIndex, endIndex);
    if (DOTTED.test(whole)) return whole.split('.');
  }
  const chain: string[] = [];
  let calls = '';
  for (let at: Node | null = node; at && chain.length <= MAX_CHAIN; ) {
    const type: string = at.type;
    if (type === nodes.name) {
      chain.push(at.text + calls);
      return chain.reverse();
    }
    if (type === nodes.member.type) {
      chain.push((at.childForFieldName(nodes.member.name)?.text ?? UNKNOWN) + calls);
      calls = '';
      at = at.childForFieldName(nodes.member.object);
    } else if (type === nodes.call.type && calls === '') {
      calls = '()';
      at = at.childForFieldName(nodes.call.callee);
    } else if (nodes.wrappers.includes(type)) {
      at = at.firstNamedChild;
    } else if (nodes.literals.includes(type)) {
      return null;
    } else {
      break;
    }
  }
  // What is behind an unknown value is all that is known.
  return [UNKNOWN, chain[0]!];
}

function dottedOf(context: Context, node: Node): string | null {
  if (node.type === context.language.nodes.name) return node.text;
  const chain = chainOf(context, node);
  return !chain || chain[0] === UNKNOWN ? null : chain.join('.');
}

/** True for decorators of the chunk itself: they stand above its header. */
function isAboveHeader({ ofChunks }: Context, scope: number, node: Node): boolean {
  return scope > 0 && node.startPosition.row < ofChunks[scope - 1]!.headerRow;
}

/** Classes inside functions, which are no chunks: in them, `self` is not the object of the method around them. */
function hiddenClasses({ definitions }: Context): Definition[] {
  return definitions.filter((d) => !d.chunk && d.kind === 'class' && d.startIndex >= 0);
}

function isOwnOf(hidden: Definition[], language: Language, node: Node, head: string): boolean {
  return (
    hidden.length > 0 &&
    (language.instanceNames.includes(head) ||
      language.classNames.includes(head) ||
      head === `${language.superCall}()`) &&
    hidden.some((d) => d.startIndex <= node.startIndex && node.startIndex < d.endIndex)
  );
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
