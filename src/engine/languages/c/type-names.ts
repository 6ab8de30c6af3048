/** Reduces a type to one dotted name. */
import type { TypeReference } from '../language.ts';
import { splitName } from './names.ts';

/** Maximum length of a type in UTF-16 units. Longer ones are ignored. */
const MAX_LENGTH = 500;
/** Templates that give access to the members of their first argument, by `->` or after a check. */
const TRANSPARENT =
  /^(?:std::)?(?:unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper|atomic)\s*<(.*)>$/s;
const MODIFIER = /\b(?:const|volatile|struct|class|union|enum|typename)\b/g;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const BUILT_IN =
  /^(?:auto|bool|char|double|float|int|long|short|signed|size_t|ssize_t|unsigned|void|wchar_t|u?int(?:8|16|32|64|ptr)_t)$/;

/** Returns the name of a type: `const ns::Foo<T> *` gives ns.Foo, `std::unique_ptr<Foo>` gives Foo. Null for numbers and unnamed types. */
export function readTypeName(annotation: string): TypeReference | null {
  if (annotation.length > MAX_LENGTH) return null;
  const text = annotation.replace(MODIFIER, '').replace(/[*&]/g, '').trim();
  const [, inner] = TRANSPARENT.exec(text) ?? [];
  if (inner !== undefined) return readTypeName(inner);
  const names = splitName(text);
  if (names.length === 0 || !names.every((name) => NAME.test(name))) return null;
  const name = names.join('.');
  return BUILT_IN.test(name) ? null : { name, isClass: false };
}
