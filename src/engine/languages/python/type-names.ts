/** Reduces a type annotation to one dotted name. */
import type { TypeReference } from '../language.ts';

const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*$/u;
/** Maximum length of an annotation in UTF-16 units. Longer ones are generated and deeply nested, and are ignored. */
const MAX_LENGTH = 2000;
/** Generic types whose values have the type of the first argument. */
const TRANSPARENT = new Set([
  'Optional',
  'Union',
  'ClassVar',
  'Final',
  'Annotated',
  'Required',
  'NotRequired',
  'ReadOnly',
  'InitVar',
  'TypeGuard',
]);
/** Generic types whose value is the class itself. */
const CLASS_OF = new Set(['type', 'Type']);
const NOTHING = new Set(['None', 'NoneType']);
const GENERIC = /^([^[\]]+)\[(.*)\]$/su;

/**
 * Returns the name in a type annotation. `Foo`, `"Foo"`, `Optional[Foo]`, `Foo | None` and `Annotated[Foo, ...]` give Foo;
 * `list[Foo]` gives list; `type[Foo]` gives Foo with `isClass`, because the value is the class and not one of its instances.
 * A union of several types gives the first. Returns null if nothing remains.
 */
export function readTypeName(annotation: string): TypeReference | null {
  if (annotation.length > MAX_LENGTH) return null;
  const text = unquote(annotation.trim());
  const parts = splitTopLevel(text, '|');
  if (parts.length > 1) return findFirstName(parts);
  const [, generic, parameters = ''] = GENERIC.exec(text) ?? [];
  if (generic !== undefined) return nameGeneric(generic.trim(), splitTopLevel(parameters, ','));
  if (!NAME.test(text) || NOTHING.has(text)) return null;
  return { name: text.replace(/\s+/g, ''), isClass: false };
}

function nameGeneric(name: string, parameters: readonly string[]): TypeReference | null {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (TRANSPARENT.has(last)) return findFirstName(parameters);
  if (!CLASS_OF.has(last)) return readTypeName(name);
  const inner = findFirstName(parameters);
  return inner && { ...inner, isClass: true };
}

function findFirstName(parts: readonly string[]): TypeReference | null {
  for (const part of parts) {
    const name = readTypeName(part);
    if (name) return name;
  }
  return null;
}

function unquote(text: string): string {
  const quote = /^("""|'''|"|')(.*)\1$/s.exec(text);
  return quote?.[2]?.trim() ?? text;
}

/** Splits at a separator outside brackets and quotes. */
function splitTopLevel(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote) {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[' || char === '(') depth++;
    else if (char === ']' || char === ')') depth--;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
