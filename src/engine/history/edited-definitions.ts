import { MODULE_NAME } from '../../shared/address.ts';
import type { Header } from '../languages/layout/header.ts';

interface OpenDefinition {
  depth: number;
  qualifiedName: string;
  kind: Header['kind'];
}

/**
 * The definitions that are open at a line of a file, as its lines go by. Only a header closes what is open, so that text
 * at the margin inside a string does not. What is defined inside a function belongs to the function, as chunks do.
 */
export class OpenDefinitions {
  readonly #open: OpenDefinition[] = [];

  /** @param depth how deep the header is laid out */
  enter({ kind, name, owner }: Header, depth: number): void {
    let outer = this.#open.at(-1);
    while (outer && outer.depth >= depth) {
      this.#open.pop();
      outer = this.#open.at(-1);
    }
    if (outer?.kind === 'function') return;
    const own = owner === '' ? name : `${owner}.${name}`;
    const qualifiedName = outer ? `${outer.qualifiedName}.${own}` : own;
    this.#open.push({ depth, qualifiedName, kind });
  }

  /** The qualified name of the definition that a header just entered opens or belongs to. */
  innermost(): string {
    return this.around(Number.POSITIVE_INFINITY);
  }

  /** The qualified name of the innermost definition around a line that is laid out this deep; `<module>` outside any. */
  around(depth: number): string {
    const chunk = this.#open.findLast((one) => one.depth < depth && one.kind !== 'namespace');
    return chunk?.qualifiedName ?? MODULE_NAME;
  }
}
