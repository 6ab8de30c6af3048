import type { Language } from '../language.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*raise\s+([A-Za-z_][\w.]*)/,
  statement: /^\s*[\w({[]/,
  write: (frames, error) =>
    [
      'Traceback (most recent call last):',
      ...frames.map(
        ({ path, line, name, text }) => `  File "${path}", line ${line}, in ${name}\n    ${text}`,
      ),
      ...(error === null ? [] : [error]),
    ].join('\n'),
};
