/** Types of languages that write them as names with arguments in angle brackets. */
import type { TypeName } from './language.ts';

const NAME = /^[\p{L}_@][\p{L}\p{N}_]*(?:\.[\p{L}_@][\p{L}\p{N}_]*)*\??$/u;
/** Longer types, in UTF-16 units, say nothing: they are generated. */
const MAX_LENGTH = 2000;

/**
 * Reads types: `a.Foo<Bar>.Baz?` is a.Foo.Baz. Null for what is no class of anybody: arrays, functions, and the names in
 * `nobodys`, such as those of built-in types.
 */
export function nominalTypes(
  nobodys: ReadonlySet<string>,
): (annotation: string) => TypeName | null {
  return (annotation) => {
    if (annotation.length > MAX_LENGTH) return null;
    const text = withoutArguments(annotation.replace(/\s+/g, ''));
    if (!NAME.test(text)) return null;
    const name = text.replace(/\?$/, '');
    return nobodys.has(name) ? null : { name, isClass: false };
  };
}

/** Reads types for their erasure: `a.Foo<Bar>[]` is a.Foo[]. Null for what has no name, and for annotated parts of it. */
export function erasedType(annotation: string): string | null {
  if (annotation.length > MAX_LENGTH) return null;
  const text = withoutArguments(annotation.replace(/\s+/g, ''));
  const [, name = '', arrays = ''] = /^([^[\]]*)((?:\[\])*)$/.exec(text) ?? [];
  return NAME.test(name) ? name.replace(/\?$/, '') + arrays : null;
}

function withoutArguments(type: string): string {
  let kept = '';
  let depth = 0;
  for (const char of type) {
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (depth === 0) kept += char;
  }
  return kept;
}
