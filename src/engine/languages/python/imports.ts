import type { Language } from '../language.ts';

/** Reads `import a.b as c`, with the capture `module`, and `from ..a import b as c`, with `from` and `member`. */
export const readImport: Language['readImport'] = ({ module, from = '', member = '', alias }) => {
  if (module !== undefined) {
    const name = removeSpace(module);
    return { module: name, level: 0, member: null, local: alias ?? getFirstName(name) };
  }
  const source = removeSpace(from);
  const level = /^\.*/.exec(source)?.[0].length ?? 0;
  const imported = removeSpace(member);
  return { module: source.slice(level), level, member: imported, local: alias ?? imported };
};

/** Returns the name that an import binds: `import a.b` binds a. */
function getFirstName(module: string): string {
  return module.split('.', 1).join();
}

function removeSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
