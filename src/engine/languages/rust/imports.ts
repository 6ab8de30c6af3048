import type { Language } from '../language.ts';

/**
 * Reads a path of a `use`, including the paths of the braces around it. Its last name is the member. `mod name;` binds the
 * module of that name. `mod name { }` binds the file itself, because it shares the file's names here.
 * Every file sees the macros of its crate.
 */
export const readImport: Language['readImport'] = ({
  module = '',
  outer,
  middle,
  inner,
  alias,
  from,
  within,
  crate,
}) => {
  if (crate !== undefined) return { module: 'macro', level: 0, member: '*', local: '*' };
  if (from !== undefined) {
    const path = within === undefined ? `self::${from}` : 'self';
    return { module: path, level: 0, member: null, local: from };
  }
  const names = [outer, middle, inner, module]
    .flatMap((path) => path?.split('::') ?? [])
    .map((name) => name.trim())
    .filter(Boolean);
  // `a::{self}` means a.
  if (names.length > 1 && names.at(-1) === 'self') names.pop();
  const member = names.at(-1) ?? '';
  if (names.length < 2) return { module: member, level: 0, member: null, local: alias ?? member };
  return { module: names.slice(0, -1).join('::'), level: 0, member, local: alias ?? member };
};
