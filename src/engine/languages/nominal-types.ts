/** Reads types of languages that write them as names with arguments in angle brackets. */
import type { TypeReference } from './language.ts';

const NAME = /^[\p{L}_@][\p{L}\p{N}_]*(?:\.[\p{L}_@][\p{L}\p{N}_]*)*\??$/u;
/** Maximum length of a type in UTF-16 units. Longer ones are generated, and are ignored. */
const MAX_LENGTH = 2000;

/**
 * Creates a reader of types: `a.Foo<Bar>.Baz?` gives a.Foo.Baz. It returns null for types without chunks: arrays, functions
 * and the names in `builtIns`.
 */
export function createTypeReader(
  builtIns: ReadonlySet<string>,
): (annotation: string) => TypeReference | null {
  return (annotation) => {
    if (annotation.length > MAX_LENGTH) return null;
    const text = removeArguments(annotation.replace(/\s+/g, ''));
    if (!NAME.test(text)) return null;
    const name = text.replace(/\?$/, '');
    return builtIns.has(name) ? null : { name, isClass: false };
  };
}

/** Erases a type: `a.Foo<Bar>[]` gives a.Foo[]. Returns null for types without a name or with annotations. */
export function eraseType(annotation: string): string | null {
  if (annotation.length > MAX_LENGTH) return null;
  const text = removeArguments(annotation.replace(/\s+/g, ''));
  const [, name = '', arrays = ''] = /^([^[\]]*)((?:\[\])*)$/.exec(text) ?? [];
  return NAME.test(name) ? name.replace(/\?$/, '') + arrays : null;
}

function removeArguments(type: string): string {
  let kept = '';
  let depth = 0;
  for (const char of type) {
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (depth === 0) kept += char;
  }
  return kept;
}
