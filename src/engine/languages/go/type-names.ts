/** Reduces a type to the one name that says most about a value of it. */
import type { Language, TypeName } from '../language.ts';

/** Longer types, in UTF-16 units, say nothing: they are generated. */
const MAX_LENGTH = 2000;
/** What a type begins with whose values are asked for values of the rest: pointers, slices, arrays, channels, variadic ones. */
const TRANSPARENT = /^(?:\*|\.\.\.|<-\s*chan\b|chan\b(?:\s*<-)?|\[[^[\]]*\]|\()\s*/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/u;
const NO_NAME = new Set(['func', 'struct', 'interface']);

/**
 * `T`, `*T`, `[]T`, `map[K]T`, `chan T`, `...T` and `T[int]` give T: an element is only ever taken out of its container.
 * Null for types without a name.
 */
export const typeName: Language['typeName'] = (annotation): TypeName | null => {
  if (annotation.length > MAX_LENGTH) return null;
  let rest = annotation.trim();
  for (let next = withoutFirst(rest); next !== rest; next = withoutFirst(rest)) rest = next;
  const name = NAME.exec(rest)?.[0];
  return name === undefined || NO_NAME.has(name) ? null : { name, isClass: false };
};

function withoutFirst(type: string): string {
  return type.startsWith('map[') ? afterKey(type) : type.replace(TRANSPARENT, '');
}

/** The `V` of `map[K]V`. */
function afterKey(type: string): string {
  let depth = 0;
  for (let i = 'map'.length; i < type.length; i++) {
    const char = type.charAt(i);
    if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return type.slice(i + 1).trimStart();
  }
  return '';
}
