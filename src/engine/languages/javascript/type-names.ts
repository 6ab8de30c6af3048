/** Reduces a type annotation to the one dotted name that says most about the value. */
import type { TypeName } from '../language.ts';

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
/** Longer annotations, in UTF-16 units, say nothing: they are generated, and nested past all reason. */
const MAX_LENGTH = 2000;
const MOST_NESTED = 20;
/** Generic types that say as much as their first argument does; a promise is awaited where it matters. */
const TRANSPARENT = new Set([
  'Awaited',
  'Mutable',
  'NonNullable',
  'Omit',
  'Partial',
  'Pick',
  'Promise',
  'PromiseLike',
  'Readonly',
  'Required',
]);
const NOTHING = new Set(['null', 'undefined', 'any', 'unknown', 'object', 'Object', 'Function']);
/** What begins types that have no name: functions, literals, and what is computed. */
const NAMELESS = /^(?:[({["'`<\d-]|(?:keyof|infer|unique|new|asserts|abstract)\b)/;

/**
 * `: Foo`, `Foo | null`, `Readonly<Foo>`, `Promise<Foo>`, `Foo<Bar>` and `Foo & Bar` give Foo; `Foo[]` gives Array;
 * `typeof Foo` gives Foo with `isClass`, since the value is Foo itself. Of a union of several types it is the first. Null
 * when nothing remains.
 */
export function typeName(annotation: string): TypeName | null {
  if (annotation.length > MAX_LENGTH) return null;
  return nameOf(annotation.replace(/^\s*:/, '').trim(), 0);
}

function nameOf(type: string, depth: number): TypeName | null {
  if (depth > MOST_NESTED) return null;
  for (const separator of ['|', '&']) {
    const parts = topLevel(type, separator);
    if (parts.length > 1) return firstOf(parts, depth);
  }
  if (type.endsWith(']')) return type.endsWith('[]') ? { name: 'Array', isClass: false } : null;
  if (NAMELESS.test(type)) return null;
  if (type.startsWith('typeof ')) {
    const name = nameOf(type.slice('typeof '.length).trim(), depth + 1);
    return name && { ...name, isClass: true };
  }
  if (type.startsWith('readonly ')) return nameOf(type.slice('readonly '.length).trim(), depth + 1);
  const open = type.indexOf('<');
  if (open > 0 && type.endsWith('>')) {
    const generic = type.slice(0, open).trim();
    return TRANSPARENT.has(generic)
      ? firstOf(topLevel(type.slice(open + 1, -1), ','), depth)
      : nameOf(generic, depth + 1);
  }
  return NAME.test(type) && !NOTHING.has(type) ? { name: type, isClass: false } : null;
}

function firstOf(parts: readonly string[], depth: number): TypeName | null {
  for (const part of parts) {
    const name = nameOf(part.trim(), depth + 1);
    if (name) return name;
  }
  return null;
}

/** Splits at a separator outside brackets and quotes; that of a leading one is no part. */
function topLevel(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote) {
      if (char === quote) quote = '';
    } else if (/["'`]/.test(char)) quote = char;
    else if (/[<([{]/.test(char)) depth++;
    else if (/[)\]}]/.test(char) || (char === '>' && text[i - 1] !== '=')) depth--;
    else if (char === '=' && text[i + 1] === '>' && depth === 0) return [text];
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.filter((part) => part.trim() !== '');
}
