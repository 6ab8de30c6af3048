import type { Language } from '../language.ts';

const IMPORT =
  /^import\s+(?<path>[\p{L}\p{N}_`]+(?:\.[\p{L}\p{N}_`]+)*)(?<star>\.\*)?(?:\s+as\s+(?<alias>[\p{L}\p{N}_`]+))?/u;

/** `import a.b.C as D` has all of it in `module`. */
export const importOf: Language['importOf'] = ({ module: statement = '' }) => {
  const { path: written = '', star, alias } = IMPORT.exec(statement)?.groups ?? {};
  // What a companion without a name has is its class's.
  const path = written.replace(/\.Companion(?=\.)/g, '');
  if (star !== undefined) return { module: path, level: 0, member: '*', local: '*' };
  const dot = path.lastIndexOf('.');
  const member = path.slice(dot + 1);
  return { module: path.slice(0, Math.max(dot, 0)), level: 0, member, local: alias ?? member };
};
