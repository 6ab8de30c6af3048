import type { Language } from '../language.ts';

const IMPORT =
  /^import\s+(?<path>[\p{L}\p{N}_`]+(?:\.[\p{L}\p{N}_`]+)*)(?<star>\.\*)?(?:\s+as\s+(?<alias>[\p{L}\p{N}_`]+))?/u;

/** Reads `import a.b.C as D`, which is captured as a whole in `module`. */
export const readImport: Language['readImport'] = ({ module: statement = '' }) => {
  const { path: written = '', star, alias } = IMPORT.exec(statement)?.groups ?? {};
  // Members of an unnamed companion object belong to its class.
  const path = written.replace(/\.Companion(?=\.)/g, '');
  if (star !== undefined) return { module: path, level: 0, member: '*', local: '*' };
  const dot = path.lastIndexOf('.');
  const member = path.slice(dot + 1);
  return { module: path.slice(0, Math.max(dot, 0)), level: 0, member, local: alias ?? member };
};
