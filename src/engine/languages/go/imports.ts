import type { Language } from '../language.ts';
import { packageName } from './package-folders.ts';

/** `import "a/b/v2"` has a `module`, quotes included; `import c "a/b"` an `alias` too, `import . "a/b"` a dot. */
export const importOf: Language['importOf'] = ({ module = '', alias }) => {
  const path = module.slice(1, -1);
  if (alias === '.') return { module: path, level: 0, member: '*', local: '*' };
  return { module: path, level: 0, member: null, local: alias ?? packageName(path) };
};
