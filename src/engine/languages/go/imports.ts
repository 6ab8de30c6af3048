import type { Language } from '../language.ts';
import { inferPackageName } from './package-folders.ts';

/** Reads `import "a/b/v2"`, with the capture `module`, quotes included; `import c "a/b"` has an `alias`, which may be a dot. */
export const readImport: Language['readImport'] = ({ module = '', alias }) => {
  const path = module.slice(1, -1);
  if (alias === '.') return { module: path, level: 0, member: '*', local: '*' };
  return { module: path, level: 0, member: null, local: alias ?? inferPackageName(path) };
};
