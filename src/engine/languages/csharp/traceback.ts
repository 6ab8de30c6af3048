import type { Language } from '../language.ts';
import { getModule } from './issue.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+new\s+([\w.]+)/,
  statement: /^\s*[\w({[]/,
  write: (frames, error) => {
    const lines = frames.toReversed().map(({ path, line, name }) => {
      const scope = getModule(path).replaceAll('/', '.');
      return `   at ${scope}.${name}() in ${path}:line ${line}`;
    });
    return [`Unhandled exception. ${error ?? 'System.Exception'}`, ...lines].join('\n');
  },
};
