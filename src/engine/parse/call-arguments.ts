/** Arguments of a call in any language: by position and by name. */
import type { SyntaxNode } from './syntax-tree.ts';

const NAMED = /^(?:keyword_argument|pair|keyed_element|element_value_pair|named_argument)$/;
const OBJECT_LIKE = /^(?:object|hash|literal_value)$/;

export class CallArguments {
  readonly positional: SyntaxNode[] = [];
  readonly #named = new Map<string, SyntaxNode>();

  /** Returns an argument by its position, negative from the end, or by its name; null if it is missing. */
  get(place: number | string): SyntaxNode | null {
    if (typeof place === 'string') return this.#named.get(place) ?? null;
    return this.positional.at(place) ?? null;
  }

  add(child: SyntaxNode): void {
    const { type } = child;
    if (type.endsWith('comment')) return;
    if (NAMED.test(type)) this.#addNamed(child);
    else if (type === 'argument' && child.getPart('name')) {
      const name = child.getPart('name')?.text ?? '';
      const value = child.namedChildren.at(-1);
      if (value) this.#named.set(name, value);
    } else {
      this.positional.push(child);
      if (OBJECT_LIKE.test(type))
        for (const pair of child.namedChildren) if (NAMED.test(pair.type)) this.#addNamed(pair);
    }
  }

  #addNamed(pair: SyntaxNode): void {
    const [first, last] = [pair.namedChildren[0], pair.namedChildren.at(-1)];
    if (!first || !last || first.id === last.id) return;
    const name = first.text.replace(/^:|:$/g, '');
    this.#named.set(name, last);
    // `get '/about' => 'pages#about'`: the key of the pair is the path.
    if (/^["']/.test(name)) {
      this.positional.push(first);
      if (!this.#named.has('to')) this.#named.set('to', last);
    }
  }
}

/** Reads the arguments of a call, a decorator or a literal of a type. */
export function readArguments(call: SyntaxNode): CallArguments {
  const read = new CallArguments();
  const inner = call.type === 'decorator' ? call.namedChildren[0] : call;
  const list =
    inner?.getPart('arguments') ?? inner?.getPart('parameters') ?? inner?.getPart('body') ?? null;
  for (const child of list?.namedChildren ?? []) read.add(child);
  return read;
}
