import { MODULE_NAME } from '../../shared/address.ts';
import type { Header } from '../languages/layout/header.ts';
import type { Boundary } from './outline.ts';

interface OpenDefinition {
  depth: number;
  qualifiedName: string;
  kind: Header['kind'];
}

/**
 * The definitions that are open at a line of a file, as its lines go by. Only a header, or a line that ends a block, closes what
 * is open, so that text at the margin inside a string does not. What is defined inside a function belongs to the function, as
 * chunks do.
 */
export class OpenDefinitions {
  readonly #open: OpenDefinition[] = [];

  /** What is laid out as deep as the boundary, or deeper, is over; and what its header begins is open. */
  pass({ header, depth }: Boundary): void {
    while ((this.#open.at(-1)?.depth ?? -1) >= depth) this.#open.pop();
    if (!header) return;
    const { kind, name, owner } = header;
    const outer = this.#open.at(-1);
    if (outer?.kind === 'function') return;
    // What extends a type inside of another belongs to the one around it.
    const own = owner === '' || outer?.kind === 'class' ? name : `${owner}.${name}`;
    const qualifiedName = [outer?.qualifiedName, own].filter(Boolean).join('.');
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
