import { MODULE_NAME } from '../../shared/address.ts';
import type { Language } from '../languages/index.ts';

/** The line that begins a definition. */
export interface Header {
  /** Columns before it. */
  indent: number;
  name: string;
  isFunction: boolean;
}

/** Recognises headers by the patterns that a language has for text without a syntax tree. */
export class HeaderReader {
  readonly #pattern: RegExp;
  readonly #tabWidth: number;

  constructor({ recovery, tabWidth }: Language) {
    const patterns = [recovery.function, recovery.class];
    this.#pattern = new RegExp(patterns.map((source) => source.replace(/^\^/, '')).join('|'), 'uy');
    this.#tabWidth = tabWidth;
  }

  /** The header on the line that begins at `start`, or null. */
  headerAt(text: string, start: number): Header | null {
    this.#pattern.lastIndex = start;
    const found = this.#pattern.exec(text);
    if (!found) return null;
    const [, functionName, className] = found;
    return {
      indent: this.indentAt(text, start),
      name: functionName ?? className!,
      isFunction: functionName !== undefined,
    };
  }

  indentAt(text: string, start: number): number {
    let columns = 0;
    for (let i = start; ; i++) {
      const code = text.charCodeAt(i);
      if (code === SPACE) columns++;
      else if (code === TAB) columns += this.#tabWidth - (columns % this.#tabWidth);
      else return columns;
    }
  }
}

interface OpenDefinition {
  indent: number;
  qualifiedName: string;
  isFunction: boolean;
}

/**
 * The definitions that are open at a line of a file, as its lines go by. Only a header closes what is open, so that text
 * at the margin inside a string does not. What is defined inside a function belongs to the function, as chunks do.
 */
export class OpenDefinitions {
  readonly #open: OpenDefinition[] = [];

  enter({ indent, name, isFunction }: Header): void {
    while (this.#open.length > 0 && this.#open.at(-1)!.indent >= indent) this.#open.pop();
    const outer = this.#open.at(-1);
    if (outer?.isFunction) return;
    const qualifiedName = outer ? `${outer.qualifiedName}.${name}` : name;
    this.#open.push({ indent, qualifiedName, isFunction });
  }

  /** The qualified name of the definition that a header just entered opens or belongs to. */
  innermost(): string {
    return this.#open.at(-1)?.qualifiedName ?? MODULE_NAME;
  }

  /** The qualified name of the innermost definition around a line with this indent; `<module>` outside any. */
  around(indent: number): string {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      if (this.#open[i].indent < indent) return this.#open[i].qualifiedName;
    }
    return MODULE_NAME;
  }
}

const SPACE = 32;
const TAB = 9;
