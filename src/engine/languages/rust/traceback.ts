import type { Language } from '../language.ts';

export const traceback: Language['traceback'] = {
  raise: /^\s*panic!\(\s*"([^"\n]{1,200})/,
  statement: /^\s*[\w({[*&<]/,
  // The innermost frame comes first.
  write: (frames, error) => {
    const [at] = frames.slice(-1);
    return [
      `thread 'main' panicked at ${at ? `${at.path}:${at.line}:5` : 'src/main.rs'}:`,
      error ?? 'explicit panic',
      'stack backtrace:',
      ...frames
        .toReversed()
        .map(({ path, line, name }, n) => `  ${n}: ${name}\n             at ./${path}:${line}:5`),
    ].join('\n');
  },
};
