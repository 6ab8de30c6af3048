import { getOrAdd } from '../../shared/get-or-add.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import type {
  ArityFact,
  BindingFact,
  FileFacts,
  ImportFact,
  LocalFact,
  OwnerFact,
  ReferenceFact,
} from '../languages/facts.ts';
import type { Language } from '../languages/language.ts';
import { createArgumentReader } from './arguments.ts';
import { ImplicitBlocks, type ImplicitObject } from './blocks.ts';
import type { ChunkOwners } from './chunk-owners.ts';
import { DeclaredTypes } from './declared-types.ts';
import { type Definition, splitName } from './definitions.ts';
import { isDottedName } from './dotted-name.ts';
import { type MarkupFacts, readMarkupFacts, selectMentions } from './markup-facts.ts';
import type { QueryMatch } from './query-match.ts';
import { RegistrationReader } from './registrations.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import type { Matches } from './tree-query.ts';
import type { ParsedChunk } from './types.ts';

const UNKNOWN = '?';
const LITERAL = '""';
/** Maximum number of imports, of bindings and of references. No handwritten file within the size limit has as many. */
const MAX_FACTS = 50_000;
/** Maximum length of a chain. Of a longer one only the last name is used. */
const MAX_CHAIN = 16;
const MAX_CHAIN_TEXT = 400;

interface Source {
  language: Language;
  text: string;
  matches: Matches;
  owners: ChunkOwners;
  definitions: readonly Definition[];
  /** Definitions that are chunks: chunk i is made from the one at i - 1. */
  chunkDefinitions: readonly Definition[];
  chunks: readonly ParsedChunk[];
}

interface Context extends Source {
  blocks: ImplicitBlocks;
  markup: MarkupFacts | null;
  chunkByNameIndex: ReadonlyMap<number, number>;
  /** Null in languages without known forms of registrations. */
  registrations: RegistrationReader | null;
}

/** Collects the facts of a file. References and bindings are in the order of the text. */
export function collectFacts(source: Source): FileFacts {
  const { language, chunks, matches, chunkDefinitions } = source;
  const chunkByNameIndex = new Map(chunkDefinitions.map(({ nameIndex }, i) => [nameIndex, i + 1]));
  const names = chunkDefinitions.map(({ nameIndex }) => nameIndex).sort((a, b) => a - b);
  const context: Context = {
    ...source,
    markup: null,
    registrations: null,
    chunkByNameIndex,
    blocks: new ImplicitBlocks(matches.get('block') ?? [], names),
  };
  let omitted = 0;
  const limit = <T>(facts: T[]) => {
    omitted += Math.max(0, facts.length - MAX_FACTS);
    return facts.slice(0, MAX_FACTS);
  };
  const written = findBindings(context);
  const imported = findImports(context);
  const [instanceName = ''] = language.graph.instanceNames;
  const form = language.markup ?? {};
  context.markup = readMarkupFacts({ ...source, instanceName, form }, imported, written);
  const bindings = limit([...written, ...(context.markup?.bindings ?? [])]);
  const getMatchScope = (match: QueryMatch, part: string) => getScope(context, match.get(part));
  // Only for languages in which argument types tell functions of one name apart.
  const types = language.arguments
    ? new DeclaredTypes(language.arguments, chunks, matches, bindings, getMatchScope)
    : null;
  context.registrations = createRegistrationReader(context);
  const references = limit(findReferences(context, types));
  const registrations = context.registrations?.finish() ?? [];
  const locals = findLocals(context, references, bindings);
  const imports = limit([...imported, ...(context.markup?.imports ?? [])]);
  const namespace = matches.get('package')?.[0]?.get('name').text;
  const extensions = readExtensions(context);
  const extending = new Set(extensions.map(({ scope }) => scope));
  const owners = findOwners(context).filter(({ scope }) => !extending.has(scope));
  owners.push(...(context.markup?.owners ?? []));
  const arities = limit(findArities(context, types));
  const properties = findProperties(context);
  return {
    ...{ imports, bindings, references },
    ...(locals.length > 0 && { locals }),
    ...(namespace !== undefined && { namespace: splitName(language, namespace).join('.') }),
    ...(extensions.length > 0 && { extensions }),
    ...(owners.length > 0 && { owners }),
    ...(arities.length > 0 && { arities }),
    ...(properties.length > 0 && { properties }),
    ...(registrations.length > 0 && { registrations }),
    ...(omitted > 0 && { omitted }),
  };
}

function createRegistrationReader(context: Context): RegistrationReader | null {
  const { language, chunks } = context;
  if (!language.registrations) return null;
  return new RegistrationReader({
    ...{ language, chunks },
    getScope: (node) => getScope(context, node),
    getDottedName: (node) => getDottedName(context, node),
  });
}

function getScope({ owners }: Context, { startPosition, startIndex }: SyntaxNode): number {
  return owners.find(startPosition.row, startIndex);
}

function findOwners({ chunkDefinitions }: Context): OwnerFact[] {
  return chunkDefinitions.flatMap(({ kind, owner, qualifier }, i) => {
    const written = owner === '' && kind === 'function' ? qualifier : owner;
    return written === ''
      ? []
      : [{ scope: i + 1, type: written.slice(written.lastIndexOf('.') + 1) }];
  });
}

function readExtensions({ chunkByNameIndex, matches }: Context): OwnerFact[] {
  const types = new Map<number, string>();
  for (const match of matches.get('extension') ?? []) {
    const scope = chunkByNameIndex.get(match.get('name').startIndex);
    if (scope !== undefined) types.set(scope, match.get('type').text);
  }
  const facts = Array.from(types, ([scope, type]): OwnerFact => ({ scope, type }));
  return facts.sort((a, b) => a.scope - b.scope);
}

/** Each parameter is required (`one`), `optional` or the `rest`. One that is also `spare` reduces the required number. */
function findArities(context: Context, types: DeclaredTypes | null): ArityFact[] {
  const { chunkByNameIndex } = context;
  const arities = new Map<number, Record<'one' | 'optional' | 'rest' | 'spare', number>>();
  const typesOf = new Map<number, string[]>();
  for (const match of context.matches.get('parameters') ?? []) {
    const scope = chunkByNameIndex.get(match.get('name').startIndex);
    if (scope === undefined) continue;
    const counts = getOrAdd(arities, scope, () => ({ one: 0, optional: 0, rest: 0, spare: 0 }));
    for (const part of ['one', 'optional', 'rest', 'spare'] as const)
      if (match.find(part)) counts[part]++;
    const type = match.find('type')?.text;
    if (types && type !== undefined) {
      const whole = type + (match.find('dimensions')?.text ?? '');
      appendTo(typesOf, scope, types.resolveParameterType(scope, whole));
    }
  }
  const results = types ? readResultTypes(context, types) : null;
  const facts = Array.from(arities, ([scope, { one, optional, rest, spare }]): ArityFact => {
    const least = Math.max(0, one - spare);
    const taken = typesOf.get(scope);
    const result = results?.get(scope);
    return {
      ...{ scope, least, most: rest > 0 ? null : least + optional },
      ...(taken && { types: taken }),
      ...(result && { result }),
    };
  });
  return facts.sort((a, b) => a.scope - b.scope);
}

/** Returns the result types of functions by chunk; empty if the type depends on the receiver. */
function readResultTypes(
  { chunkByNameIndex, matches }: Context,
  types: DeclaredTypes,
): Map<number, string> {
  const results = new Map<number, string>();
  for (const match of matches.get('return') ?? []) {
    const scope = chunkByNameIndex.get(match.get('name').startIndex);
    if (scope !== undefined)
      results.set(scope, types.resolveResultType(scope, match.get('type').text));
  }
  return results;
}

function countArguments({ language }: Context, list: SyntaxNode): number {
  return list.namedChildren.filter(({ type }) => !language.nodes.comment.includes(type)).length;
}

function findProperties({ matches, chunkDefinitions }: Context): number[] {
  const names = new Set(matches.get('property')?.map((match) => match.get('name').startIndex));
  return chunkDefinitions.flatMap(({ nameIndex, section }, i) =>
    names.has(nameIndex) || section?.isBlock ? [i + 1] : [],
  );
}

function findImports(context: Context): ImportFact[] {
  return (context.matches.get('import') ?? []).map((match) => {
    const scope = getScope(context, match.find('from') ?? match.get('module'));
    return { ...context.language.readImport(match.texts()), scope };
  });
}

function findReferences(context: Context, types: DeclaredTypes | null): ReferenceFact[] {
  const { matches, language, markup } = context;
  const readArguments =
    language.arguments && types
      ? createArgumentReader(language, language.arguments, types, (node) =>
          getDottedName(context, node),
        )
      : null;
  const hidden = findHiddenClasses(context);
  // Names of functions that are called with a block after their other arguments.
  const trailing = new Set(matches.get('trailing')?.map((match) => match.get('name').startIndex));
  const facts: ReferenceFact[] = [];
  const add = (match: QueryMatch, kind: ReferenceFact['kind'], scope: number) => {
    const name = match.get('name');
    const chain = getCalleeChain(context, match);
    if (!chain) return;
    if (isHiddenSelf(hidden, context.language, name, chain[0] ?? '')) chain[0] = UNKNOWN;
    if (kind !== 'inherit') context.registrations?.read(name, chain, scope, kind === 'decorate');
    const { row, column } = name.startPosition;
    const list = match.find('arguments');
    const block = trailing.has(name.startIndex) ? 1 : 0;
    const args = list || block ? { args: block + (list ? countArguments(context, list) : 0) } : {};
    const implied = chain.length === 1 ? context.blocks.findReceivers(name.startIndex) : [];
    const receivers = implied.map((of) => getReceiverChain(context, of));
    const [head = ''] = chain;
    if (chain.length === 1 && markup?.scopes.has(scope) && !markup.hidden.has(head))
      receivers.push(...markup.receivers);
    const argumentTypes = (list && readArguments?.(list, scope)) ?? [];
    facts.push({
      ...{ scope, chain, kind, line: row + 1, column, ...args },
      ...(argumentTypes.length > 0 && { given: argumentTypes }),
      ...(receivers.length > 0 && { receivers }),
      ...(match.find('host') && { host: true }),
    });
  };

  const decorators = new Set<number>();
  for (const match of matches.get('decorator') ?? []) {
    const name = match.get('name');
    decorators.add(name.startIndex);
    const scope = getScope(context, name);
    // A decorator inside a function decorates no chunk, so it counts as a call.
    add(match, isAboveHeader(context, scope, name) ? 'decorate' : 'call', scope);
  }
  for (const match of matches.get('call') ?? []) {
    const name = match.get('name');
    // Tags of calls may match the name in a definition, too.
    const isDefined =
      language.graph.knowsOnlyNames && context.chunkByNameIndex.has(name.startIndex);
    if (!decorators.has(name.startIndex) && !isDefined) add(match, 'call', getScope(context, name));
  }
  const isInTemplate = (match: QueryMatch) =>
    markup?.scopes.has(getScope(context, match.get('name'))) ?? false;
  for (const match of markup ? selectMentions(matches, isInTemplate) : [])
    add(match, 'call', getScope(context, match.get('name')));
  for (const match of matches.get('base') ?? []) {
    const scope = getScope(context, match.get('name'));
    if (context.chunks[scope]?.kind === 'class') add(match, 'inherit', scope);
  }
  return facts.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Returns the chain of names that a match refers to: a dotted name as a whole, or the object's chain and the name. */
function getCalleeChain(context: Context, match: QueryMatch): string[] | null {
  const names = splitName(context.language, match.get('name').text);
  const whole = match.find('chain');
  const object = match.find('object');
  if (whole) return getChain(context, whole);
  if (!object) return names;
  const chain = getChain(context, object);
  return chain && [...(chain[0] === UNKNOWN ? [UNKNOWN] : chain), ...names];
}

function findBindings(context: Context): BindingFact[] {
  const { matches, language } = context;
  const hidden = findHiddenClasses(context);
  const facts: (BindingFact & { at: number })[] = [];
  // Exports belong to the module, even if they are written inside a function.
  const MODULE = 0;
  const all = [
    ...(matches.get('binding') ?? []).map((match) => ({ match, isExport: false })),
    ...(matches.get('export') ?? []).map((match) => ({ match, isExport: true })),
  ];
  for (const { match, isExport } of all) {
    const attribute = match.find('attribute');
    const node = attribute ?? match.get('target');
    const name = getDottedName(context, node);
    if (!name || isHiddenSelf(hidden, language, node, getHead(name))) continue;
    // A parameter that also becomes an attribute of the object.
    const target = attribute ? `${language.graph.instanceNames[0]}.${name}` : name;
    const scope = isExport ? MODULE : getScope(context, node);
    const at = node.startIndex;
    const annotation = match.find('type');
    const call = match.find('call');
    if (annotation) {
      const type = language.readTypeName(annotation.text);
      if (type)
        facts.push({ scope, target, value: type.name, how: type.isClass ? 'alias' : 'type', at });
    } else {
      const whole = getDottedName(context, call ?? match.get('alias'));
      const member = match.find('member');
      const value = whole && member ? `${whole}.${member.text}` : whole;
      if (value) facts.push({ scope, target, value, how: call ? 'call' : 'alias', at });
    }
  }
  for (const match of matches.get('return') ?? []) {
    const at = match.get('name').startIndex;
    const scope = context.chunkByNameIndex.get(at);
    const result = language.readTypeName(match.get('type').text);
    if (scope === undefined || !result || result.isClass) continue;
    facts.push({ scope, target: '', value: result.name, how: 'return', at });
  }
  facts.sort((a, b) => a.at - b.at);
  return facts.map(({ scope, target, value, how }) => ({ scope, target, value, how }));
}

/** Returns local names by scope. Keeps only names that a reference or binding of the scope begins with, since most never are. */
function findLocals(
  context: Context,
  references: ReferenceFact[],
  bindings: BindingFact[],
): LocalFact[] {
  const { matches, chunks, definitions } = context;
  const heads = new Map<number, Set<string>>();
  const addTo = (map: Map<number, Set<string>>, scope: number, name: string) => {
    const kind = chunks[scope]?.kind;
    if (kind !== 'function' && kind !== 'method') return;
    getOrAdd(map, scope, () => new Set<string>()).add(name);
  };
  for (const { scope, chain } of references) {
    addTo(heads, scope, getHead(chain[0] ?? ''));
  }
  for (const { scope, value } of bindings) addTo(heads, scope, getHead(value));

  const bound = new Map<number, Set<string>>();
  for (const match of matches.get('local') ?? []) {
    const name = match.get('name');
    addTo(bound, getScope(context, name), name.text);
  }
  for (const definition of definitions) {
    if (!definition.isChunk)
      addTo(
        bound,
        context.owners.find(definition.headerRow, definition.headerIndex),
        definition.name,
      );
  }
  for (const { scope, name } of context.markup?.locals ?? []) addTo(bound, scope, name);
  for (const match of matches.get('global') ?? []) {
    const name = match.get('name');
    bound.get(getScope(context, name))?.delete(name.text);
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
 * Returns the chain of names of `a.b.c`; see `ReferenceFact.chain`. Returns null if the first value is a literal, since
 * methods of built-in types are not in the repository, unless the language can extend those types.
 */
function getChain(context: Context, node: SyntaxNode): string[] | null {
  const chain = readChain(context, node);
  return chain && resolveImplicitHead(context, chain, node.startIndex);
}

/** Replaces the head of a chain by the object of the block around it: in `cart.apply { this.total() }`, `this` is `cart`. */
function resolveImplicitHead(context: Context, chain: string[], at: number): string[] {
  const { instanceNames, blockSubject } = context.language.graph;
  const [head = '', ...rest] = chain;
  let meant: ImplicitObject | null | undefined;
  if (head === blockSubject) meant = context.blocks.findSubject(at);
  else if (instanceNames.includes(head)) [meant] = context.blocks.findReceivers(at);
  if (meant === undefined) return chain;
  const whole = [...(meant ? getReceiverChain(context, meant) : [UNKNOWN]), ...rest];
  return whole[0] === UNKNOWN || whole.length > MAX_CHAIN
    ? [UNKNOWN, rest.at(-1) ?? UNKNOWN]
    : whole;
}

function getReceiverChain(context: Context, { node, isType }: ImplicitObject): string[] {
  if (!isType) return getChain(context, node) ?? [UNKNOWN];
  const type = context.language.readTypeName(node.text);
  return type ? `${type.name}()`.split('.') : [UNKNOWN];
}

function readChain(context: Context, node: SyntaxNode): string[] | null {
  const { nodes } = context.language;
  const { startIndex, endIndex } = node;
  if (endIndex - startIndex <= MAX_CHAIN_TEXT) {
    const whole = context.text.slice(startIndex, endIndex);
    if (isDottedName(whole)) return whole.split('.');
  }
  const chain: string[] = [];
  let calls = '';
  const add = (written = UNKNOWN) => {
    const parts = splitName(context.language, written);
    const last = parts.pop();
    chain.push((last ?? UNKNOWN) + calls, ...parts.reverse());
    calls = '';
  };
  for (let at: SyntaxNode | null = node; at && chain.length <= MAX_CHAIN; ) {
    const type: string = at.type;
    const member = nodes.members[type];
    const call = nodes.calls[type];
    const invocation = nodes.invocations?.[type];
    if (nodes.names.includes(type)) {
      add(at.text);
      return chain.reverse();
    }
    if (member) {
      add(at.getPart(member.name)?.text);
      at = at.getPart(member.object);
    } else if (call && calls === '') {
      calls = '()';
      at = at.getPart(call.callee);
    } else if (invocation && calls === '') {
      calls = '()';
      add(at.getPart(invocation.name)?.text);
      at = at.getPart(invocation.object);
      if (!at) return chain.reverse();
    } else if (nodes.wrappers.includes(type)) {
      at = at.getPart(0);
    } else if (nodes.literals.includes(type)) {
      return context.language.graph.extensions ? [LITERAL, ...chain.reverse()] : null;
    } else {
      break;
    }
  }
  // The object is unknown, so only the last name is known.
  return [UNKNOWN, chain[0] ?? UNKNOWN];
}

function getDottedName(context: Context, node: SyntaxNode): string | null {
  const { language } = context;
  const chain = language.nodes.names.includes(node.type)
    ? resolveImplicitHead(context, splitName(language, node.text), node.startIndex)
    : getChain(context, node);
  return !chain || chain[0] === UNKNOWN ? null : chain.join('.');
}

/** Returns true for a decorator of the chunk itself, which is above its header. */
function isAboveHeader({ chunkDefinitions }: Context, scope: number, node: SyntaxNode): boolean {
  const definition = chunkDefinitions[scope - 1];
  if (!definition) return false;
  const { headerIndex, headerRow } = definition;
  return node.startPosition.row < headerRow || node.startIndex < headerIndex;
}

/** Returns classes inside functions, which are not chunks. In them, `self` is not the object of the method around them. */
function findHiddenClasses({ definitions }: Context): Definition[] {
  return definitions.filter((d) => !d.isChunk && d.kind === 'class' && d.startIndex >= 0);
}

function isHiddenSelf(
  hidden: Definition[],
  { graph }: Language,
  node: SyntaxNode,
  head: string,
): boolean {
  return (
    hidden.length > 0 &&
    (graph.instanceNames.includes(head) ||
      graph.classNames.includes(head) ||
      graph.superNames.includes(head)) &&
    hidden.some((d) => d.startIndex <= node.startIndex && node.startIndex < d.endIndex)
  );
}

function getHead(value: string): string {
  return /^[^.(]*/.exec(value)?.[0] ?? '';
}
