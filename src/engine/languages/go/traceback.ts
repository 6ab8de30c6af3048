import type { Language } from '../language.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*panic\((?:[\w.]{1,60}\()?["`]([^"`\n]{1,200})/,
  statement: /^\s*[\w(*&<]/,
  // The innermost frame comes first.
  write: (frames, error) =>
    [
      `panic: ${error ?? 'runtime error'}`,
      '',
      'goroutine 1 [running]:',
      ...frames.toReversed().map(({ path, line, name }) => `main.${name}(...)\n\t${path}:${line}`),
    ].join('\n'),
};
