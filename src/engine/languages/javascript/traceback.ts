import type { Language } from '../language.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+new\s+([A-Za-z_$][\w$.]*)/,
  statement: /^\s*[\w$({['"`!+-]/,
  write: (frames, error) =>
    [
      error ?? 'Error',
      ...frames
        .toReversed()
        .map(({ path, line, name }) =>
          name === '<module>' ? `    at ${path}:${line}:1` : `    at ${name} (${path}:${line}:1)`,
        ),
    ].join('\n'),
};
