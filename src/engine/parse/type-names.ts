/** Reduces a type annotation to the one dotted name that says most about the value. */
import type { Language } from '../languages/index.ts';

const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*$/u;
/** Longer annotations, in UTF-16 units, say nothing: they are generated, and nested past all reason. */
const MAX_LENGTH = 2000;
const GENERIC = /^([^[\]]+)\[(.*)\]$/su;

/**
 * `Foo`, `"Foo"`, `Optional[Foo]`, `Foo | None` and `Annotated[Foo, ...]` give Foo; `list[Foo]` gives list;
 * `type[Foo]` gives Foo with `isClass`, since the value is the class and not one of its instances. Of a union of
 * several types it is the first. Null when nothing remains.
 */
export function typeName(
  annotation: string,
  types: Language['types'],
): { name: string; isClass: boolean } | null {
  if (annotation.length > MAX_LENGTH) return null;
  const text = unquoted(annotation.trim());
  const parts = topLevel(text, '|');
  if (parts.length > 1) return firstOf(parts, types);
  const generic = GENERIC.exec(text);
  if (generic) {
    const name = generic[1]!.trim();
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (types.transparent.includes(last)) return firstOf(topLevel(generic[2]!, ','), types);
    if (types.classOf.includes(last)) {
      const inner = firstOf(topLevel(generic[2]!, ','), types);
      return inner && { ...inner, isClass: true };
    }
    return typeName(name, types);
  }
  if (!NAME.test(text) || types.nothing.includes(text)) return null;
  return { name: text.replace(/\s+/g, ''), isClass: false };
}

function firstOf(parts: string[], types: Language['types']): ReturnType<typeof typeName> {
  for (const part of parts) {
    const name = typeName(part, types);
    if (name) return name;
  }
  return null;
}

function unquoted(text: string): string {
  const quote = /^("""|'''|"|')(.*)\1$/s.exec(text);
  return quote ? quote[2]!.trim() : text;
}

/** Splits at a separator outside brackets and quotes. */
function topLevel(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
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
