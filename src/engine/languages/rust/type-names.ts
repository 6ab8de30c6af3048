/** Reduces a type to the one name that says most about a value of it. */
import type { Language, TypeName } from '../language.ts';

/** Longer types, in UTF-16 units, say nothing: they are generated. */
const MAX_LENGTH = 2000;
/** What may stand in front of the name. */
const FRONT = /^(?:&|\*(?:const|mut)\b|'\w+|mut\b|dyn\b|impl\b|\?Sized\b)\s*/;
const NAME = /^(?:::)?[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*/u;
/** Generic types that say as much as their first argument does: its methods are called on them, or on what is taken out. */
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
 * `&mut T`, `Box<dyn T>`, `Option<T>`, `io::Result<T>` and `impl T + Send` give T; `a::T` gives a.T; `Vec<T>` gives Vec.
 * Null for types without a name.
 */
export const typeName: Language['typeName'] = (annotation) =>
  annotation.length > MAX_LENGTH ? null : nameOf(annotation.trim());

function nameOf(type: string): TypeName | null {
  let rest = type;
  for (let next = rest.replace(FRONT, ''); next !== rest; next = rest.replace(FRONT, ''))
    rest = next;
  const path = NAME.exec(rest)?.[0];
  if (path === undefined || NO_NAME.has(path)) return null;
  const names = path.split('::').filter(Boolean);
  const argument = TRANSPARENT.has(names.at(-1) ?? '')
    ? afterLifetimes(rest.slice(path.length))
    : '';
  if (argument !== '') return nameOf(argument);
  return { name: names.join('.'), isClass: false };
}

/** What follows `<`, but for lifetimes; empty where there is none. */
function afterLifetimes(argumentList: string): string {
  return /^\s*<\s*(?:'\w+\s*,\s*)*(?<rest>.*)$/s.exec(argumentList)?.groups?.rest ?? '';
}
