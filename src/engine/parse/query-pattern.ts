/** Turns queries into steps, which `TreeQuery` takes through a tree. */
import { type QueryExpression, readQuery, splitPatterns } from '../languages/query-source.ts';
import type { GrammarTables } from './grammar-tables.ts';
import { createPredicate, type Predicate } from './query-predicates.ts';

/** Kinds of steps that match nodes of any type: any node, or any named one. */
export const ANY = -1;
export const ANY_NAMED = -2;

/** Node of a pattern. */
export interface Step {
  /** Distance from the pattern's root. */
  depth: number;
  kind: number;
  /** Kind of a hidden node that has to be around the node; -1 if none has to. */
  supertype: number;
  /** True if only nodes match that the parser inserted. */
  isMissing: boolean;
  /** Field of the node in its parent; 0 for any. */
  field: number;
  /** Fields that the node must not have. */
  absent: number[];
  captures: number[];
  /** True if no named sibling may be between the node and the one before, or the begin of the parent. */
  isImmediate: boolean;
  /** True if no named sibling may follow. */
  isLast: boolean;
  /** False if only the first sibling that matches is of interest, since the step captures nothing. */
  isRepeatable: boolean;
  /** True if the next step can be left out. */
  isOptional: boolean;
  /** True if nothing but kind and field decides whether a node matches. */
  isPlain: boolean;
  /** Steps of which any may be the next; null ends the pattern. */
  next: (Step | null)[];
}

export interface Pattern {
  number: number;
  roots: Step[];
  role: string;
  predicates: Predicate[];
  /** True if several ways to match it may capture the same nodes. */
  isAmbiguous: boolean;
  /** Sequences of captures that its matches had so far, with the part of each. */
  shapes: { captures: number[]; parts: string[] }[];
}

export interface CompiledQuery {
  patterns: Pattern[];
  /** Parts of the captures `role.part`, by their number. */
  parts: string[];
}

interface Element {
  expression: QueryExpression;
  captures: string[];
  fields: string[];
  absent: string[];
  quantifier: string;
  isImmediate: boolean;
  isLast: boolean;
  children: Element[];
}

/** @throws Error if the query is malformed, or names a type or field that the grammar does not have */
export function compileQuery(source: string, tables: GrammarTables): CompiledQuery {
  return new QueryCompiler(tables).compile(source);
}

const QUANTIFIER = /^[?*+]$/;

class QueryCompiler {
  private readonly tables: GrammarTables;
  private readonly names: string[] = [];
  /** Lists of next steps whose first ones can be left out. */
  private readonly optional = new Set<Step['next']>();

  constructor(tables: GrammarTables) {
    this.tables = tables;
  }

  compile(source: string): CompiledQuery {
    const patterns: Pattern[] = [];
    for (const items of splitPatterns(readQuery(source))) {
      const predicates: Predicate[] = [];
      const [element] = this.readElements(items, predicates);
      if (element) patterns.push(this.compilePattern(patterns.length, element, predicates));
    }
    return { patterns, parts: this.names.map((name) => name.slice(name.indexOf('.') + 1)) };
  }

  private compilePattern(number: number, element: Element, predicates: Predicate[]): Pattern {
    const roots = this.compileElement(element, 0, [null]);
    const captured = listCaptures(element);
    const name = captured.at(-1) ?? '';
    return {
      number,
      roots: roots.filter((root) => root !== null),
      role: name.split('.')[0] ?? '',
      predicates,
      isAmbiguous: isAmbiguous(element.children),
      shapes: [],
    };
  }

  private getCapture(name: string): number {
    const known = this.names.indexOf(name);
    return known >= 0 ? known : this.names.push(name) - 1;
  }

  /** Reads a list of nodes with their fields, captures, quantifiers and anchors; adds the predicates among them. */
  private readElements(items: readonly QueryExpression[], predicates: Predicate[]): Element[] {
    const elements: Element[] = [];
    let fields: string[] = [];
    let isImmediate = false;
    for (const item of items) {
      const last = elements.at(-1);
      const word = item.form === 'word' ? item.text : '';
      if (word === '.') {
        isImmediate = true;
      } else if (word.endsWith(':')) {
        fields = [word.slice(0, -1)];
      } else if (word.startsWith('@')) {
        this.getCapture(word.slice(1));
        last?.captures.push(word.slice(1));
      } else if (QUANTIFIER.test(word)) {
        if (last) last.quantifier = word;
      } else if (isPredicate(item)) {
        predicates.push(createPredicate(item.items, (name) => this.getCapture(name)));
      } else {
        elements.push({ ...this.readElement(item, predicates), fields, isImmediate });
        fields = [];
        isImmediate = false;
      }
    }
    const last = elements.at(-1);
    if (last && isImmediate) last.isLast = true;
    return elements;
  }

  private readElement(expression: QueryExpression, predicates: Predicate[]): Element {
    const element: Element = {
      expression,
      captures: [],
      fields: [],
      absent: [],
      quantifier: '',
      isImmediate: false,
      isLast: false,
      children: [],
    };
    if (!('items' in expression)) return element;
    if (expression.form === 'choice')
      return { ...element, children: this.readElements(expression.items, predicates) };
    const [type, ...rest] = expression.items;
    if (type?.form !== 'word') {
      const [grouped, ...others] = this.readElements(expression.items, predicates);
      if (!grouped || others.length > 0) throw new Error('A group in the query is not one node.');
      return grouped;
    }
    const isAbsent = (item: QueryExpression) => item.form === 'word' && /^!./.test(item.text);
    const absent = rest
      .filter(isAbsent)
      .map((item) => (item.form === 'word' ? item.text.slice(1) : ''));
    const children = this.readElements(
      rest.filter((item) => !isAbsent(item)),
      predicates,
    );
    return { ...element, absent, children };
  }

  /** Returns the steps with which an element may begin. @param next the steps after it */
  private compileElement(element: Element, depth: number, next: Step['next']): Step['next'] {
    if (element.quantifier === '') return this.compileOnce(element, depth, next);
    const once = { ...element, quantifier: '' };
    if (element.quantifier === '?') {
      const steps = [...this.compileOnce(once, depth, next), ...next];
      this.optional.add(steps);
      return steps;
    }
    const repeated: Step['next'] = [];
    this.optional.add(repeated);
    const first = this.compileOnce(once, depth, repeated);
    repeated.push(...first, ...next);
    return element.quantifier === '*' ? repeated : first;
  }

  private compileOnce(element: Element, depth: number, next: Step['next']): Step['next'] {
    const { expression, children, fields, captures, isImmediate, isLast } = element;
    if (expression.form === 'choice') {
      const join = (option: Element): Element => ({
        ...option,
        fields: [...fields, ...option.fields],
        captures: [...option.captures, ...captures],
        isImmediate: isImmediate || option.isImmediate,
        isLast: isLast || option.isLast,
      });
      // As in tree-sitter, only the first option of a choice counts in another choice, unless that ends with it.
      const options = children.map((option, i) =>
        i < children.length - 1 ? takeFirstOption(option) : option,
      );
      return options.flatMap((option) => this.compileElement(join(option), depth, next));
    }
    let after = next;
    for (const child of children.toReversed()) after = this.compileElement(child, depth + 1, after);
    const hasChildren = children.length > 0;
    const type = this.readType(expression);
    const isPlain =
      type.kind !== ANY && type.supertype < 0 && !isLast && element.absent.length === 0;
    const step: Step = {
      ...type,
      isPlain,
      depth,
      field: fields.length > 0 ? this.findField(fields[0] ?? '') : 0,
      absent: element.absent.map((name) => this.findField(name)),
      captures: captures.map((name) => this.getCapture(name)),
      isImmediate,
      isLast,
      isRepeatable: hasChildren || captures.length > 0,
      isOptional: this.optional.has(after),
      next: after,
    };
    return [step];
  }

  private readType(expression: QueryExpression): Pick<Step, 'kind' | 'supertype' | 'isMissing'> {
    const type = 'items' in expression ? expression.items[0] : expression;
    const text = type && 'text' in type ? type.text : '';
    const isNamed = expression.form === 'node';
    const any = { kind: isNamed ? ANY_NAMED : ANY, supertype: -1, isMissing: false };
    if (expression.form !== 'string' && text === '_') return any;
    if (isNamed && text === 'MISSING') return { ...any, kind: ANY, isMissing: true };
    const kind = this.tables.findKind(text, isNamed);
    if (kind === null) throw new Error(`The grammar has no node type ${text}`);
    return this.tables.isSupertype(kind) ? { ...any, supertype: kind } : { ...any, kind };
  }

  private findField(name: string): number {
    const field = this.tables.findField(name);
    if (field === null) throw new Error(`The grammar has no field ${name}`);
    return field;
  }
}

function takeFirstOption(element: Element): Element {
  const [first] = element.children;
  if (element.expression.form !== 'choice' || !first) return element;
  return takeFirstOption({ ...first, captures: [...first.captures, ...element.captures] });
}

function isPredicate(item: QueryExpression): item is QueryExpression & { form: 'node' } {
  const [first] = item.form === 'node' ? item.items : [];
  return first?.form === 'word' && first.text.startsWith('#');
}

function listCaptures({ children, captures }: Element): string[] {
  return [...children.flatMap(listCaptures), ...captures];
}

/** Returns true if a child without captures may match in several places. */
function isAmbiguous(children: readonly Element[]): boolean {
  return children.some(
    (child) =>
      (child.children.length > 0 && listCaptures(child).length === 0) ||
      isAmbiguous(child.children),
  );
}
