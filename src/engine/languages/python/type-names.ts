/** Reduces a type annotation to the one dotted name that says most about the value. */
import type { TypeName } from '../language.ts';

const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*$/u;
/** Longer annotations, in UTF-16 units, say nothing: they are generated, and nested past all reason. */
const MAX_LENGTH = 2000;
/** Generic types that say as much as their first argument does. */
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
 * `Foo`, `"Foo"`, `Optional[Foo]`, `Foo | None` and `Annotated[Foo, ...]` give Foo; `list[Foo]` gives list;
 * `type[Foo]` gives Foo with `isClass`, since the value is the class and not one of its instances. Of a union of
 * several types it is the first. Null when nothing remains.
 */
export function typeName(annotation: string): TypeName | null {
  if (annotation.length > MAX_LENGTH) return null;
  const text = unquoted(annotation.trim());
  const parts = topLevel(text, '|');
  if (parts.length > 1) return firstOf(parts);
  const [, generic, parameters = ''] = GENERIC.exec(text) ?? [];
  if (generic !== undefined) return genericName(generic.trim(), topLevel(parameters, ','));
  if (!NAME.test(text) || NOTHING.has(text)) return null;
  return { name: text.replace(/\s+/g, ''), isClass: false };
}

function genericName(name: string, parameters: readonly string[]): TypeName | null {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (TRANSPARENT.has(last)) return firstOf(parameters);
  if (!CLASS_OF.has(last)) return typeName(name);
  const inner = firstOf(parameters);
  return inner && { ...inner, isClass: true };
}

function firstOf(parts: readonly string[]): TypeName | null {
  for (const part of parts) {
    const name = typeName(part);
    if (name) return name;
  }
  return null;
}

function unquoted(text: string): string {
  const quote = /^("""|'''|"|')(.*)\1$/s.exec(text);
  return quote?.[2]?.trim() ?? text;
}

/** Splits at a separator outside brackets and quotes. */
function topLevel(text: string, separator: string): string[] {
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
