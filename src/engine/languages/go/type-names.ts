/** Reduces a type to one name. */
import type { Language, TypeReference } from '../language.ts';

/** Maximum length of a type in UTF-16 units. Longer ones are generated, and are ignored. */
const MAX_LENGTH = 2000;
/** Prefixes of pointers, slices, arrays, channels and variadic types, which are skipped. */
const TRANSPARENT = /^(?:\*|\.\.\.|<-\s*chan\b|chan\b(?:\s*<-)?|\[[^[\]]*\]|\()\s*/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/u;
const NO_NAME = new Set(['func', 'struct', 'interface']);

/**
 * Returns the name of a type: `T`, `*T`, `[]T`, `map[K]T`, `chan T`, `...T` and `T[int]` give T. Containers have no methods
 * themselves, so the type of their elements counts. Returns null for types without a name.
 */
export const readTypeName: Language['readTypeName'] = (annotation): TypeReference | null => {
  if (annotation.length > MAX_LENGTH) return null;
  let rest = annotation.trim();
  for (let next = removeFirst(rest); next !== rest; next = removeFirst(rest)) rest = next;
  const name = NAME.exec(rest)?.[0];
  return name === undefined || NO_NAME.has(name) ? null : { name, isClass: false };
};

function removeFirst(type: string): string {
  return type.startsWith('map[') ? getMapValue(type) : type.replace(TRANSPARENT, '');
}

/** Returns the `V` of `map[K]V`. */
function getMapValue(type: string): string {
  let depth = 0;
  for (let i = 'map'.length; i < type.length; i++) {
    const char = type.charAt(i);
    if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return type.slice(i + 1).trimStart();
  }
  return '';
}
