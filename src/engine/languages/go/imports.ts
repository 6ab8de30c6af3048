import type { Language } from '../language.ts';

/** `import "a/b/v2"` has a `module`, quotes included; `import c "a/b"` an `alias` too, `import . "a/b"` a dot. */
export const importOf: Language['importOf'] = ({ module = '', alias }) => {
  const path = module.slice(1, -1);
  if (alias === '.') return { module: path, level: 0, member: '*', local: '*' };
  return { module: path, level: 0, member: null, local: alias ?? packageName(path) };
};

/** What the package of an import path most likely calls itself. */
function packageName(path: string): string {
  const names = path.split('/');
  const isVersion = names.length > 1 && /^v\d+$/.test(names.at(-1) ?? '');
  const name = names.at(isVersion ? -2 : -1) ?? '';
  return name.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/, '');
}
