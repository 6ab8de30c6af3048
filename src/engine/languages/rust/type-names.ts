/** Reduces a type to one name. */
import type { Language, TypeReference } from '../language.ts';

/** Maximum length of a type in UTF-16 units. Longer ones are generated, and are ignored. */
const MAX_LENGTH = 2000;
/** Text that may precede the name. */
const FRONT = /^(?:&|\*(?:const|mut)\b|'\w+|mut\b|dyn\b|impl\b|\?Sized\b)\s*/;
const NAME = /^(?:::)?[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*/u;
/** Generic types that are replaced by their first argument, since its methods are called on them or on their content. */
const TRANSPARENT = new Set([
  'Arc',
  'Box',
  'Cow',
  'LazyLock',
  'Mutex',
  'MutexGuard',
  'OnceCell',
  'OnceLock',
  'Option',
  'Pin',
  'Rc',
  'Ref',
  'RefCell',
  'RefMut',
  'Result',
  'RwLock',
  'Weak',
]);
const NO_NAME = new Set(['fn', 'for', 'unsafe', 'extern']);

/**
 * Returns the name of a type. `&mut T`, `Box<dyn T>`, `Option<T>`, `io::Result<T>` and `impl T + Send` give T; `a::T` gives
 * a.T; `Vec<T>` gives Vec. Returns null for types without a name.
 */
export const readTypeName: Language['readTypeName'] = (annotation) =>
  annotation.length > MAX_LENGTH ? null : readName(annotation.trim());

function readName(type: string): TypeReference | null {
  let rest = type;
  for (let next = rest.replace(FRONT, ''); next !== rest; next = rest.replace(FRONT, ''))
    rest = next;
  const path = NAME.exec(rest)?.[0];
  if (path === undefined || NO_NAME.has(path)) return null;
  const names = path.split('::').filter(Boolean);
  const argument = TRANSPARENT.has(names.at(-1) ?? '')
    ? skipLifetimes(rest.slice(path.length))
    : '';
  if (argument !== '') return readName(argument);
  return { name: names.join('.'), isClass: false };
}

/** Returns the text after `<` and any lifetimes; empty if none exists. */
function skipLifetimes(argumentList: string): string {
  return /^\s*<\s*(?:'\w+\s*,\s*)*(?<rest>.*)$/s.exec(argumentList)?.groups?.rest ?? '';
}
