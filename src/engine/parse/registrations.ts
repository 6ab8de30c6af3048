/** Reads where code registers functions under a key, by the forms of its language. */
import { appendTo } from '../../shared/lists-by-key.ts';
import type { FileFacts, RegistrationFact } from '../languages/facts.ts';
import type { Language } from '../languages/language.ts';
import type { RegistrationForm, RegistrationSource } from '../languages/registration.ts';
import { type CallArguments, readArguments } from './call-arguments.ts';
import { readKeyText, readList, readString } from './key-texts.ts';
import { cleanRoute, isRouteShaped, joinRoutes } from './routes.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import type { ParsedChunk } from './types.ts';

/** Maximum number of registrations of a file. */
const MAX_REGISTRATIONS = 2_000;
/** Maximum number of prefixes of a file. Each route is compared with all of them. */
const MAX_PREFIXES = 1_000;
/** Nodes between the name of a call and the call. */
const MAX_ASCENT = 4;
/** Wrappers around a handler, as in `csrf_exempt(login_required(view))`. */
const MAX_WRAPPERS = 3;
/** Calls before the last one of a chain. */
const MAX_CALLS = 8;

const CALL_LIKE =
  /^(?:call|.*_?call_expression|.*invocation|composite_literal|new_expression|object_creation_expression|annotation|marker_annotation|attribute|decorator)$/;
const FUNCTION_LIKE =
  /^(?:function|function_expression|arrow_function|lambda|lambda_expression|func_literal|closure_expression|anonymous_function|anonymous_function_creation_expression|block|do_block)$/;
const TRANSPARENT =
  /^(?:argument|literal_element|unary_expression|reference_expression|parenthesized_expression|as_expression|await_expression|named_argument)$/;
const LIST_LIKE = /^(?:array|list|tuple|array_creation_expression)$/;
const HTTP_METHOD = /^(?:get|post|put|patch|delete|head|options)$/i;

interface Source {
  language: Language;
  chunks: readonly ParsedChunk[];
  /** Returns the index of the chunk that contains a node. */
  getScope(node: SyntaxNode): number;
  /** Returns the dotted name of an expression; null if it has none. */
  getDottedName(node: SyntaxNode): string | null;
}

interface Draft {
  fact: RegistrationFact;
  at: number;
  /** Head of the object that it is called on. */
  head: string;
}

interface Prefix {
  text: string;
  /** Range of the call, in which routes have the prefix. */
  start: number;
  end: number;
  /** Class whose methods have the prefix; negative for none. */
  type: number;
  /** Variable that the prefix belongs to; empty for none. */
  variable: string;
  head: string;
  /** Namespace of the classes in the call; empty for none. */
  module: string;
}

/** A call that matches a form. */
interface FormCall {
  form: RegistrationForm;
  callee: string;
  name: SyntaxNode;
  call: SyntaxNode;
  args: CallArguments;
  scope: number;
  chain: readonly string[];
}

/** Collects the registrations of a file, call by call. */
export class RegistrationReader {
  readonly #source: Source;
  readonly #forms = new Map<string, RegistrationForm[]>();
  readonly #drafts: Draft[] = [];
  readonly #prefixes: Prefix[] = [];
  readonly #keys = new Map<string, string>();

  constructor(source: Source) {
    this.#source = source;
    for (const form of source.language.registrations?.calls ?? [])
      for (const name of form.names) appendTo(this.#forms, name, form);
  }

  /**
   * Reads a call, a decorator or a literal of a type.
   * @param chain names of what is called, the last one of which is `name`
   */
  read(name: SyntaxNode, chain: readonly string[], scope: number, isDecorator: boolean): void {
    const callee = chain.at(-1) ?? '';
    const forms = this.#forms.get(callee);
    if (!forms || this.#drafts.length >= MAX_REGISTRATIONS) return;
    const call = findCall(name);
    if (!call) return;
    const args = readArguments(call);
    for (const form of forms) {
      if ((form.isDecorator ?? false) !== isDecorator) continue;
      if (form.object && !form.object.test(chain.slice(0, -1).join('.'))) continue;
      if (args.positional.length < (form.least ?? 0)) continue;
      if (form.needsBlock && !call.getPart('block')) continue;
      const isRead = this.#readForm({ form, callee, name, call, args, scope, chain });
      if (isRead) return;
    }
  }

  /** Returns the facts, in the order of the text. */
  finish(): RegistrationFact[] {
    for (const draft of this.#drafts)
      if (draft.fact.kind === 'route') draft.fact.key = this.#addPrefixes(draft);
    return this.#drafts.sort((a, b) => a.at - b.at).map(({ fact }) => fact);
  }

  #readForm(found: FormCall): boolean {
    const { form, call, scope, chain } = found;
    if (form.kind === 'prefix') return this.#readPrefix(found);
    const key = this.#readKey(found);
    if (key === null) return false;
    if (form.kind === 'variable') {
      const variable = findVariable(call);
      if (variable) this.#keys.set(variable, key);
      return false;
    }
    const handlers = this.#readHandlers(found);
    if (handlers.length === 0) return false;
    const { row, column } = found.name.startPosition;
    const place = { scope, line: row + 1, column };
    const head = (chain[0] ?? '').replace(/\(\)$/, '');
    for (const { method, ...handler } of handlers)
      for (const [member, written] of this.#listKeys(found, key, method)) {
        const named = member === null ? handler : { ...handler, member };
        const fact = { ...place, kind: form.kind, key: written, ...named };
        this.#drafts.push({ fact, at: found.name.startIndex, head });
      }
    return true;
  }

  /** Returns the keys that a form gives, each with the method of the class that handles it. */
  #listKeys(found: FormCall, key: string, method: string): [member: string | null, key: string][] {
    const { form } = found;
    if (form.members) {
      const chosen = selectMembers(found.args, Object.keys(form.members));
      return chosen.map((member) => {
        const [verb = '', end = ''] = (form.members?.[member] ?? '').split(' ');
        // Laravel's `photos.comments` are the comments of a photo.
        const path = cleanRoute(key.replaceAll('.', '/:id/'));
        return [member, `${verb} ${joinRoutes(path, end)}`];
      });
    }
    if (form.kind !== 'route') return [[null, key]];
    const own = /^([A-Z]+)\s+(\/.*)$/.exec(key);
    if (own) return [[null, `${own[1]} ${cleanRoute(own[2] ?? '')}`]];
    const path = cleanRoute(key);
    const methods = method === '' ? this.#readMethods(found) : [method];
    return methods.length === 0
      ? [[null, path]]
      : methods.map((one) => [null, `${one.toUpperCase()} ${path}`]);
  }

  #readMethods(found: FormCall): string[] {
    for (const source of found.form.method ?? []) {
      const text = this.#readSource(found, source, (node) => readList(node).join(' '));
      const written = (text ?? '').replace(/Mapping$|^add_|^Http/g, '');
      const methods = written.split(/[\s|,]+/).filter((word) => HTTP_METHOD.test(word));
      if (methods.length > 0) return methods;
    }
    return [];
  }

  #readKey(found: FormCall): string | null {
    const { form } = found;
    const isRoute = form.kind === 'route';
    for (const source of form.key) {
      const key = this.#readSource(found, source, form.mayBeName ? readKeyText : readString);
      if (key === null || key.length > 300) continue;
      const isShaped = form.shape ? form.shape.test(key) : !isRoute || isRouteShaped(key);
      if (!isShaped) continue;
      if (form.kind === 'option')
        return `--${/[\w.-]{0,100}$/.exec(key.split(/[ =]?[<[]/)[0]?.trim() ?? '')?.[0].replace(/^--/, '')}`;
      return form.kind === 'command' ? readCommandName(key) : key;
    }
    return null;
  }

  #readSource(
    found: FormCall,
    source: RegistrationSource,
    read: (node: SyntaxNode) => string | null,
  ): string | null {
    if (typeof source !== 'object') {
      const node = found.args.get(source);
      return node && read(node);
    }
    switch (source.from) {
      case 'callee':
        return found.callee;
      case 'object':
        return found.chain.at(-2)?.replace(/\(\)$/, '') ?? null;
      case 'nothing':
        return found.args.positional.length === 0 ? '' : null;
      case 'definition':
        return this.#source.chunks[found.scope]?.name.replaceAll('_', '-') ?? null;
      case 'variable':
        return this.#keys.get(found.chain.slice(0, -1).join('.')) ?? null;
      case 'before': {
        const earlier = listEarlierCalls(found.call).find((one) => one.name === source.name);
        const first = earlier && readArguments(earlier.call).get(0);
        return first ? readString(first) : null;
      }
    }
  }

  /** Returns the handlers; an empty one is the chunk that the form stands in. */
  #readHandlers(found: FormCall): Handler[] {
    const { form, args } = found;
    if (!form.handler) return [{ method: '' }];
    for (const source of form.handler) {
      const node = typeof source === 'object' ? null : args.get(source);
      if (!node) continue;
      const handlers = this.#readHandler(node, 0);
      if (handlers.length > 0) return form.needsHandler ? handlers.filter(isNamed) : handlers;
    }
    return form.needsHandler ? [] : [{ method: '' }];
  }

  #readHandler(node: SyntaxNode, depth: number): Handler[] {
    const { type } = node;
    const { language, getDottedName } = this.#source;
    if (depth > MAX_WRAPPERS) return [];
    if (FUNCTION_LIKE.test(type)) return [{ method: '' }];
    if (TRANSPARENT.test(type)) {
      const inner = node.namedChildren.at(-1);
      return inner ? this.#readHandler(inner, depth) : [];
    }
    if (LIST_LIKE.test(type)) return this.#readListedHandler(node, depth);
    const text = readString(node);
    if (text !== null) {
      const named = language.registrations?.readHandlerName?.(text) ?? null;
      return named ? [{ method: '', handler: named.type.split('.'), member: named.member }] : [];
    }
    if (type === 'class_constant_access_expression' || type === 'class_literal') {
      const inner = node.namedChildren[0];
      const name = inner && getDottedName(inner);
      return name ? [{ method: '', handler: name.split('.') }] : [];
    }
    if (isCall(node)) return this.#readWrappedHandler(node, depth);
    const name = isName(language, node) ? getDottedName(node) : null;
    return name ? [{ method: '', handler: name.split('.') }] : [];
  }

  /** Reads `[UserController::class, 'index']`, and the last handler of a list. */
  #readListedHandler(node: SyntaxNode, depth: number): Handler[] {
    const items = node.namedChildren.map((item) => unwrapItem(item));
    const [first, second] = items;
    const member = items.length === 2 && second ? readString(second) : null;
    if (first && member !== null)
      return this.#readHandler(first, depth + 1).map((one) => ({ ...one, member }));
    const last = items.at(-1);
    return last ? this.#readHandler(last, depth + 1) : [];
  }

  /** Reads `View.as_view()`, `wrap(view)`, `get(list).post(create)`, `method(:show)`. */
  #readWrappedHandler(node: SyntaxNode, depth: number): Handler[] {
    const handlers: Handler[] = [];
    for (const { name, call, object } of [
      { ...readCall(node), call: node },
      ...listEarlierCalls(node),
    ]) {
      const args = readArguments(call).positional;
      if (object && /^(?:as_view|bind|as_asgi)$/.test(name))
        return this.#readHandler(object, depth + 1);
      const symbol = name === 'method' && args[0] ? readString(args[0]) : null;
      if (symbol !== null) return [{ method: '', handler: [symbol] }];
      const inner = args.flatMap((arg) => this.#readHandler(arg, depth + 1));
      const method = HTTP_METHOD.test(name) ? name : '';
      const [first] = inner.filter(isNamed);
      const meant = first ?? inner[0];
      if (meant) handlers.push(method === '' ? meant : { ...meant, method });
    }
    const verbs = handlers.filter(({ method }) => method !== '');
    return verbs.length > 0 ? verbs : handlers.slice(0, 1);
  }

  #readPrefix(found: FormCall): boolean {
    const { form, call, scope, chain } = found;
    const isOfClass = this.#source.chunks[scope]?.kind === 'class';
    if (this.#prefixes.length >= MAX_PREFIXES || (form.isDecorator && !isOfClass)) return false;
    const key = form.key
      .map((source) => this.#readSource(found, source, readString))
      .find((text) => text !== null);
    if (key === undefined || key === null) return false;
    const { startIndex, endIndex } = findOuterCall(call);
    this.#prefixes.push({
      text: cleanRoute(key),
      start: startIndex,
      end: form.isDecorator ? startIndex : endIndex,
      type: form.isDecorator ? scope : -1,
      module: form.isNamespace ? key : '',
      variable: findVariable(call) ?? '',
      head: (chain[0] ?? '').replace(/\(\)$/, ''),
    });
    return true;
  }

  #addPrefixes({ fact, at, head }: Draft): string {
    const [, method = '', path = ''] = /^([A-Z]+ )?(.*)$/.exec(fact.key) ?? [];
    const parent = this.#source.chunks[fact.scope]?.parent ?? -1;
    let whole = path;
    const around = this.#prefixes.filter(
      ({ start, end, type }) => (start < at && at < end) || (type >= 0 && type === parent),
    );
    for (const { text, module } of around.reverse()) {
      whole = joinRoutes(text, whole);
      const named =
        module === '' ? null : this.#source.language.registrations?.readNamespace?.(module);
      if (named && fact.handler) fact.handler = [named, ...fact.handler];
    }
    let variable = head;
    for (let step = 0; step < MAX_WRAPPERS && variable !== ''; step++) {
      const prefix = this.#prefixes.findLast((one) => one.variable === variable);
      if (!prefix) break;
      whole = joinRoutes(prefix.text, whole);
      variable = prefix.head === variable ? '' : prefix.head;
    }
    return method + whole;
  }
}

type Handler = Pick<RegistrationFact, 'handler' | 'member'> & { method: string };

const isNamed = ({ handler }: Handler): boolean => handler !== undefined;

function isName({ nodes }: Language, { type }: SyntaxNode): boolean {
  return nodes.names.includes(type) || type in nodes.members || type === 'method_reference';
}

/** Returns the call, decorator or literal whose name this is; null if the name is elsewhere. */
function findCall(name: SyntaxNode): SyntaxNode | null {
  let node = name.parent;
  for (let step = 0; node && step < MAX_ASCENT; step++, node = node.parent)
    if (isCall(node)) return node;
  return null;
}

function isCall(node: SyntaxNode): boolean {
  // In Python, an `attribute` is a name with a dot.
  return (
    CALL_LIKE.test(node.type) && (node.type !== 'attribute' || node.getPart('object') === null)
  );
}

/** Returns the outermost call of a chain that begins with this call: `prefix('x').group(f)`. */
function findOuterCall(call: SyntaxNode): SyntaxNode {
  let outer = call;
  for (let node = call.parent; node && node.startIndex === call.startIndex; node = node.parent)
    if (isCall(node)) outer = node;
  return outer;
}

/** Returns the variable that a call is assigned to; null if it is not assigned. */
function findVariable(call: SyntaxNode): string | null {
  let node = call.parent;
  for (let step = 0; node && step < 3; step++, node = node.parent) {
    const left = node.getPart('left') ?? node.getPart('name') ?? node.getPart('pattern');
    if (left && left.endIndex <= call.startIndex) return left.text;
  }
  return null;
}

interface EarlierCall {
  name: string;
  call: SyntaxNode;
  object: SyntaxNode | null;
}

/** Returns the last name of a call, and the object that it is called on. */
function readCall(call: SyntaxNode): Omit<EarlierCall, 'call'> {
  const callee = call.getPart('function') ?? call;
  const name =
    ['property', 'attribute', 'field', 'name', 'method']
      .map((part) => callee.getPart(part))
      .find((part) => part !== null) ?? callee;
  const object = ['object', 'value', 'operand', 'receiver', 'scope']
    .map((part) => callee.getPart(part))
    .find((part) => part !== null);
  return { name: name.text, object: object ?? null };
}

/** Returns the calls before the last one of a chain, the last first: `route('/x')` of `route('/x').get(f)`. */
function listEarlierCalls(call: SyntaxNode): EarlierCall[] {
  const calls: EarlierCall[] = [];
  let { object } = readCall(call);
  while (object && calls.length < MAX_CALLS && isCall(object)) {
    const read = readCall(object);
    calls.push({ ...read, call: object });
    object = read.object;
  }
  return calls;
}

function unwrapItem(item: SyntaxNode): SyntaxNode {
  const inner = /^array_element/.test(item.type) ? item.namedChildren.at(-1) : undefined;
  return inner ?? item;
}

/** Returns the members that `only` and `except` leave. */
function selectMembers(args: CallArguments, all: string[]): string[] {
  const [only, except] = [args.get('only'), args.get('except')].map(
    (node) => node && readList(node),
  );
  if (only) return all.filter((member) => only.includes(member));
  return except ? all.filter((member) => !except.includes(member)) : all;
}

/** Returns the name in a command's usage: `export` of `export <file> [options]`; null without a name. */
function readCommandName(usage: string): string | null {
  return /^[\w][\w:.-]*/.exec(usage.trim())?.[0] ?? null;
}

/** Adds the registrations that the path of a file makes. */
export function addFileRegistrations(
  { registrations }: Language,
  path: string,
  { chunks, facts }: { chunks: readonly ParsedChunk[]; facts: FileFacts },
): void {
  for (const { path: form, kind, handlers } of registrations?.files ?? []) {
    const key = form.exec(path)?.[1];
    const scopes = handlers.map((name) =>
      chunks.findIndex(({ qualifiedName }) => qualifiedName === name),
    );
    const scope = scopes.find((index) => index >= 0);
    if (key === undefined || scope === undefined) continue;
    const fact = { scope, kind, key, line: chunks[scope]?.startLine ?? 1, column: 0 };
    facts.registrations = [...(facts.registrations ?? []), fact];
  }
}
