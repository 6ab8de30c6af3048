/** Which types a language's values may be taken for, without the repository's own classes. */
import { readFileSync } from 'node:fs';

/** The type of `null`, and of functions that are written where they are passed. */
export const NULL = 'null';
export const FUNCTION = '->';

export interface Conversions {
  /** What any object may be taken for. */
  any: string;
  /** All that values of a type may be taken for, itself and `any` aside; a type that is here has no others. */
  supertypes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Types that nothing else derives from. */
  finals: ReadonlySet<string>;
  /** Types that are no objects, with the class that holds one of them. */
  boxes: ReadonlyMap<string, string>;
  /** What classes may derive from without saying so. */
  implied: ReadonlySet<string>;
}

/**
 * Reads a file of a language's folder: lines such as `final Integer: Number Comparable` say what a type derives from, and
 * whether anything may derive from it. Lines that begin with `#` say nothing.
 */
export function conversionsIn(
  folder: URL,
  file: string,
  rest: Omit<Conversions, 'supertypes' | 'finals'>,
): Conversions {
  const direct = new Map<string, string[]>();
  const finals = new Set<string>();
  for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [said = '', bases = ''] = line.split(':');
    const name = said.replace(/^final /, '');
    if (name !== said) finals.add(name);
    direct.set(name, bases.split(' ').filter(Boolean));
  }
  const supertypes = new Map(Array.from(direct.keys(), (name) => [name, closure(name, direct)]));
  return { ...rest, supertypes, finals };
}

function closure(name: string, direct: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(direct.get(name));
  // What is added on the way is gone through as well.
  for (const one of found) for (const base of direct.get(one) ?? []) found.add(base);
  return found;
}
