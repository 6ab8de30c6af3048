import type { TypeReference } from '../language.ts';

/** Maximum length of a type in UTF-16 units. Longer ones are ignored. */
const MAX_LENGTH = 500;
const NAME = /^\\?[\p{L}_][\p{L}\p{N}_\\]*$/u;
const BUILT_IN =
  /^(?:array|bool|callable|false|float|int|iterable|mixed|never|null|object|string|true|void)$/i;

/** Splits a name: `\App\Foo\Bar` gives App, Foo, Bar. */
export function splitName(written: string): string[] {
  return written.split('\\').filter((part) => part !== '');
}

/** Returns the class in a type: `?Foo`, `Foo|null` and `(Foo&Bar)|null` give Foo. The first of several; null if none exists. */
export function readTypeName(annotation: string): TypeReference | null {
  if (annotation.length > MAX_LENGTH) return null;
  for (const written of annotation.split(/[?|&()\s]+/)) {
    if (!NAME.test(written) || BUILT_IN.test(written)) continue;
    return { name: splitName(written).join('.'), isClass: false };
  }
  return null;
}
