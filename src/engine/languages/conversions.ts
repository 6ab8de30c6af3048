/** Describes which built-in types a language's values convert to. */
import { readFileSync } from 'node:fs';

/** Type of `null`. */
export const NULL_TYPE = 'null';
/** Type of a lambda. */
export const FUNCTION_TYPE = '->';

export interface TypeConversions {
  /** Type that every object has. */
  any: string;
  /** Complete supertypes of each type, without itself and `any`. */
  supertypes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Types that cannot have subtypes. */
  finals: ReadonlySet<string>;
  /** Primitive types, with the class that boxes each. */
  boxes: ReadonlyMap<string, string>;
  /** Types that classes may derive from implicitly. */
  implied: ReadonlySet<string>;
}

/**
 * Reads conversions from a file in a language's folder. A line such as `final Integer: Number Comparable` gives the direct
 * supertypes of a type, and marks it as final. Lines that begin with `#` are comments.
 */
export function readConversions(
  folder: URL,
  file: string,
  rest: Omit<TypeConversions, 'supertypes' | 'finals'>,
): TypeConversions {
  const direct = new Map<string, string[]>();
  const finals = new Set<string>();
  for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [declared = '', bases = ''] = line.split(':');
    const name = declared.replace(/^final /, '');
    if (name !== declared) finals.add(name);
    direct.set(name, bases.split(' ').filter(Boolean));
  }
  const supertypes = new Map(
    Array.from(direct.keys(), (name) => [name, collectSupertypes(name, direct)]),
  );
  return { ...rest, supertypes, finals };
}

function collectSupertypes(
  name: string,
  direct: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const found = new Set(direct.get(name));
  // The loop also visits the types that it adds.
  for (const one of found) for (const base of direct.get(one) ?? []) found.add(base);
  return found;
}
