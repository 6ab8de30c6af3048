import type { Language } from '../language.ts';

/** Form of gdb's backtraces, innermost frame first. */
export const traceback: Language['traceback'] = {
  raise: /^\s*throw\s+([A-Za-z_][\w:]*)/,
  statement: /^\s*[\w({*&~!+-]/,
  write: (frames, error) =>
    [
      ...(error === null ? [] : [`terminate called after throwing an instance of '${error}'`]),
      ...frames
        .toReversed()
        .map(
          ({ path, line, name }, n) =>
            `#${n}  0x000055555555${formatHex(n)} in ${name} () at ${path}:${line}`,
        ),
    ].join('\n'),
};

function formatHex(n: number): string {
  return (0x5000 + n * 0x40).toString(16);
}
