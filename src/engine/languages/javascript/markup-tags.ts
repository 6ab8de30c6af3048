/** Reads the tags of components. Takes linear time for any text. */
import { findCodeEnd } from './code-end.ts';

interface MarkupAttribute {
  /** Empty for `{name}` and `{...props}`. */
  name: string;
  nameStart: number;
  /** Offsets of the value without quotes and braces; -1 without a value. */
  valueStart: number;
  valueEnd: number;
  form: 'none' | 'quoted' | 'braces' | 'bare';
  /** Offset after the attribute. */
  end: number;
}

export interface MarkupTag {
  name: string;
  nameStart: number;
  attributes: readonly MarkupAttribute[];
  /** Offset after the tag. */
  end: number;
  isSelfClosing: boolean;
}

/** Maximum number of braces without an end in a file, since each is followed to the end of the file. */
const MAX_OPEN_BRACES = 16;
const TAG_NAME = /[A-Za-z][^\s/>{}="'<]*/y;
const ATTRIBUTE_NAME = /[^\s=>{}"'<]+?(?=[\s=>{}"'<]|\/>|\/$|$)/y;
const BARE_VALUE = /[^\s>"'<]+?(?=[\s>"'<]|\/>|$)/y;
const SPACE = /[\s/]*/y;

export class MarkupTags {
  readonly text: string;
  readonly #hasBraces: boolean;
  /** Quotes and braces that are known to have no end in the rest of the text. */
  readonly #openQuotes = new Set<string>();
  #openBraces = 0;

  /** @param hasBraces true if `{…}` is an expression */
  constructor(text: string, hasBraces: boolean) {
    this.text = text;
    this.#hasBraces = hasBraces;
  }

  /** Returns the tag that begins at an offset, or null. */
  readTag(at: number): MarkupTag | null {
    const name = this.#match(TAG_NAME, at + 1);
    if (name === '') return null;
    const attributes: MarkupAttribute[] = [];
    let end = at + 1 + name.length;
    for (;;) {
      end += this.#match(SPACE, end).length;
      const attribute = this.#readAttribute(end);
      if (!attribute) break;
      attributes.push(attribute);
      end = attribute.end;
    }
    const isEnd = this.text[end] === '>';
    const isSelfClosing = isEnd && this.text[end - 1] === '/';
    // Something else, such as the start of another tag, ends a tag that is being written.
    return { name, nameStart: at + 1, attributes, end: isEnd ? end + 1 : end, isSelfClosing };
  }

  /** Returns the offset of the brace that ends an expression before `to`; -1 if none does. */
  findBraceEnd(start: number, to = this.text.length): number {
    if (this.#openBraces === MAX_OPEN_BRACES) return -1;
    const end = findCodeEnd(this.text, start, to);
    if (end >= 0 && end < to && this.text[end] === '}') return end;
    if (to === this.text.length) this.#openBraces++;
    return -1;
  }

  /** Returns the offset after a comment that begins at an offset. */
  skipComment(at: number): number {
    const end = this.text.indexOf('-->', at + 4);
    return end < 0 ? this.text.length : end + 3;
  }

  #readAttribute(at: number): MarkupAttribute | null {
    const name = this.#match(ATTRIBUTE_NAME, at);
    const next = at + name.length;
    const hasValue = name !== '' && this.text[next] === '=';
    const value =
      hasValue || name === '' ? this.#readValue(hasValue ? next + 1 : next, hasValue) : null;
    if (name === '' && !value) return null;
    const none = {
      valueStart: -1,
      valueEnd: -1,
      form: 'none',
      end: hasValue ? next + 1 : next,
    } as const;
    return { name, nameStart: at, ...(value ?? none) };
  }

  #readValue(
    at: number,
    isNamed: boolean,
  ): Pick<MarkupAttribute, 'valueStart' | 'valueEnd' | 'form' | 'end'> | null {
    const first = this.text.charAt(at);
    if (this.#hasBraces && first === '{') {
      const end = this.findBraceEnd(at + 1);
      return end < 0 ? null : { valueStart: at + 1, valueEnd: end, form: 'braces', end: end + 1 };
    }
    if (!isNamed) return null;
    if (first === '"' || first === "'") {
      const end = this.#openQuotes.has(first) ? -1 : this.text.indexOf(first, at + 1);
      if (end >= 0) return { valueStart: at + 1, valueEnd: end, form: 'quoted', end: end + 1 };
      this.#openQuotes.add(first);
      return null;
    }
    const bare = this.#match(BARE_VALUE, at);
    const end = at + bare.length;
    return bare === '' ? null : { valueStart: at, valueEnd: end, form: 'bare', end };
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0] ?? '';
  }
}

/** Returns the value of a tag's attribute; null if it has none of that name. */
export function getAttribute(text: string, { attributes }: MarkupTag, name: string): string | null {
  const found = attributes.find((one) => one.name === name);
  return found ? text.slice(Math.max(found.valueStart, 0), Math.max(found.valueEnd, 0)) : null;
}

const CODE_TYPE = /^(?:module|(?:text|application)\/(?:javascript|typescript|ecmascript))?$/i;
const CODE_LANGUAGE = /^(?:[jt]sx?|typescript|javascript)?$/i;

/** Returns true if a `script` holds code in JavaScript or TypeScript. */
export function isCodeScript(text: string, tag: MarkupTag): boolean {
  return (
    CODE_TYPE.test(getAttribute(text, tag, 'type') ?? '') &&
    CODE_LANGUAGE.test(getAttribute(text, tag, 'lang') ?? '')
  );
}
