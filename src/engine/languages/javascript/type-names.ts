/** Reduces a type annotation to one dotted name. */
import type { TypeReference } from '../language.ts';

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
/** Maximum length of an annotation in UTF-16 units. Longer ones are generated and deeply nested, and are ignored. */
const MAX_LENGTH = 2000;
const MAX_NESTED = 20;
/** Generic types that are replaced by their first argument. A promise is awaited before its value is used. */
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
/** Start of types without a name: functions, literals and computed types. */
const NAMELESS = /^(?:[({["'`<\d-]|(?:keyof|infer|unique|new|asserts|abstract)\b)/;

/**
 * Returns the name in a type annotation. `: Foo`, `Foo | null`, `Readonly<Foo>`, `Promise<Foo>`, `Foo<Bar>` and `Foo & Bar`
 * give Foo; `Foo[]` gives Array; `typeof Foo` gives Foo with `isClass`, because the value is Foo itself. A union of several
 * types gives the first. Returns null if nothing remains.
 */
export function readTypeName(annotation: string): TypeReference | null {
  if (annotation.length > MAX_LENGTH) return null;
  return readName(annotation.replace(/^\s*:/, '').trim(), 0);
}

function readName(type: string, depth: number): TypeReference | null {
  if (depth > MAX_NESTED) return null;
  for (const separator of ['|', '&']) {
    const parts = splitTopLevel(type, separator);
    if (parts.length > 1) return findFirstName(parts, depth);
  }
  if (type.endsWith(']')) return type.endsWith('[]') ? { name: 'Array', isClass: false } : null;
  if (NAMELESS.test(type)) return null;
  if (type.startsWith('typeof ')) {
    const name = readName(type.slice('typeof '.length).trim(), depth + 1);
    return name && { ...name, isClass: true };
  }
  if (type.startsWith('readonly '))
    return readName(type.slice('readonly '.length).trim(), depth + 1);
  const open = type.indexOf('<');
  if (open > 0 && type.endsWith('>')) {
    const generic = type.slice(0, open).trim();
    return TRANSPARENT.has(generic)
      ? findFirstName(splitTopLevel(type.slice(open + 1, -1), ','), depth)
      : readName(generic, depth + 1);
  }
  return NAME.test(type) && !NOTHING.has(type) ? { name: type, isClass: false } : null;
}

function findFirstName(parts: readonly string[], depth: number): TypeReference | null {
  for (const part of parts) {
    const name = readName(part.trim(), depth + 1);
    if (name) return name;
  }
  return null;
}

/** Splits at a separator outside brackets and quotes. A leading separator gives no part. */
function splitTopLevel(text: string, separator: string): string[] {
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
