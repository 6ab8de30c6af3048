/** Reads Vue's components. */
import type { Markup } from '../markup.ts';
import { MarkupCode } from './markup-code.ts';
import { getAttribute, isCodeScript, type MarkupTag, MarkupTags } from './markup-tags.ts';
import type { TemplatePiece } from './template-parts.ts';

const NEXT = /<|\{\{/g;
/** Attributes whose value is code: `v-if`, `:items`, `@click`, `.value`. */
const DIRECTIVE = /^(?:v-|[:@.])/;
/** Property that is bound to the variable of its name: `:user-id`. */
const SAME_NAME = /^:[\w-]+$/;
const SLOT = /^(?:#|v-slot\b|slot-scope$)/;
const LOOP = /\s(?:in|of)\s/;
/** Languages of templates besides HTML's. */
const HTML = /^(?:html)?$/i;

/** Reads a component: the code of its scripts, and that in its templates. */
export function readVue(text: string): Markup {
  return new VueReader(text).read();
}

class VueReader {
  readonly #text: string;
  readonly #code: MarkupCode;
  readonly #tags: MarkupTags;
  readonly #templates: TemplatePiece[] = [];
  /** True once braces have no end in the rest of the text. */
  #hasOpenBraces = false;

  constructor(text: string) {
    this.#text = text;
    this.#code = new MarkupCode(text);
    this.#tags = new MarkupTags(text, false);
  }

  read(): Markup {
    const text = this.#text;
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
      const tag = text.startsWith('<!--', at) ? null : this.#tags.readTag(at);
      if (tag) at = this.#readBlock(at, tag);
      else at = text.startsWith('<!--', at) ? this.#tags.skipComment(at) : at + 1;
    }
    return this.#code.finish(this.#templates);
  }

  /** Reads a block at the top of the file. Returns the offset after it. */
  #readBlock(start: number, tag: MarkupTag): number {
    const { name, end: first, isSelfClosing } = tag;
    if (isSelfClosing) return first;
    if (name === 'template' && HTML.test(getAttribute(this.#text, tag, 'lang') ?? '')) {
      const end = this.#readTemplate(first);
      this.#templates.push({ start, end, name: null });
      return end;
    }
    const closing = this.#text.indexOf(`</${name}`, first);
    const last = closing < 0 ? this.#text.length : closing;
    const end = this.#findTagEnd(last);
    if (name === 'script' && isCodeScript(this.#text, tag)) this.#code.keep(first, last);
    if (name === 'template') this.#templates.push({ start, end, name: null });
    return end;
  }

  /** Reads a template from the end of its tag. Returns the offset after the template. */
  #readTemplate(from: number): number {
    const text = this.#text;
    let [at, depth] = [from, 1];
    for (;;) {
      NEXT.lastIndex = at;
      const next = NEXT.exec(text)?.index;
      if (next === undefined) return text.length;
      at = next;
      if (text[at] === '{') at = this.#readInterpolation(at);
      else if (text.startsWith('<!--', at)) at = this.#tags.skipComment(at);
      else if (text.startsWith('</template', at)) {
        at = this.#findTagEnd(at);
        if (--depth === 0) return at;
      } else if (isBlockStart(text, at)) return at;
      else {
        const tag = this.#tags.readTag(at);
        if (tag) this.#readTag(tag);
        if (tag?.name === 'template' && !tag.isSelfClosing) depth++;
        at = tag?.end ?? at + 1;
      }
    }
  }

  #readInterpolation(at: number): number {
    const end = this.#hasOpenBraces ? -1 : this.#text.indexOf('}}', at + 2);
    this.#hasOpenBraces ||= end < 0;
    if (end < 0) return at + 2;
    this.#code.addExpression(at + 2, end);
    return end + 2;
  }

  #readTag({ name, nameStart, attributes }: MarkupTag): void {
    this.#code.addTagStart(nameStart - 1);
    if (/[A-Z-]/.test(name) && /^[\w$.-]+$/.test(name)) {
      const component = name.includes('-') ? toPascalCase(name) : name;
      this.#code.addName(nameStart, component);
      if (!component.includes('.')) this.#code.components.push({ at: nameStart, name: component });
    }
    for (const { name, nameStart, valueStart, valueEnd } of attributes) {
      if (valueStart < 0) {
        if (SAME_NAME.test(name)) this.#code.addName(nameStart + 1, toCamelCase(name.slice(1)));
      } else if (SLOT.test(name)) this.#code.addLocals(valueStart, valueEnd);
      else if (name === 'v-for') this.#readLoop(valueStart, valueEnd);
      else if (DIRECTIVE.test(name)) this.#code.addExpression(valueStart, valueEnd);
    }
  }

  /** Reads `(item, i) in items`. */
  #readLoop(start: number, end: number): void {
    const at = this.#text.slice(start, end).search(LOOP);
    if (at < 0) return;
    this.#code.addLocals(start, start + at);
    this.#code.addExpression(start + at + ' in '.length, end);
  }

  #findTagEnd(at: number): number {
    const end = this.#text.indexOf('>', at);
    return end < 0 ? this.#text.length : end + 1;
  }
}

/** Returns true for a script or a style at the start of a line, which is not in a template, even if that does not end. */
function isBlockStart(text: string, at: number): boolean {
  return (text.startsWith('<script', at) || text.startsWith('<style', at)) && text[at - 1] === '\n';
}

/** Returns the name of a component that a tag with hyphens means: `tree-node` is TreeNode. */
export function toPascalCase(name: string): string {
  return name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function toCamelCase(name: string): string {
  const pascal = toPascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}
