import type { Language } from '../language.ts';

/** `import a.b as c` has a `module`; `from ..a import b as c` has `from` and `member`. */
export const importOf: Language['importOf'] = ({ module, from = '', member = '', alias }) => {
  if (module !== undefined) {
    const name = withoutSpace(module);
    return { module: name, level: 0, member: null, local: alias ?? firstOf(name) };
  }
  const source = withoutSpace(from);
  const level = /^\.*/.exec(source)?.[0].length ?? 0;
  const imported = withoutSpace(member);
  return { module: source.slice(level), level, member: imported, local: alias ?? imported };
};

/** `import a.b` binds a. */
function firstOf(module: string): string {
  return module.split('.', 1).join();
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
