import { splitSections } from '../../src/engine/sections/split.ts';

/** Returns the sections of a file as lines: `1-3 jobs > build [runs-on]`. */
export function outlineSections(path: string, text: string): string[] {
  return splitSections(path, text).map(({ path: names, startLine, endLine, keys }) => {
    const written = keys.length > 0 ? ` [${keys.join(', ')}]` : '';
    return `${startLine}-${endLine} ${names.join(' > ')}${written}`;
  });
}

/** Lines of a text, each with its end. */
export const lines = (...written: string[]) => written.map((line) => `${line}\n`).join('');
