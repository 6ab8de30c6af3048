/** Texts to compare models on: code in several languages, long ones that are cut, and characters that tokenizers treat in special ways. */

const LONG = Array.from(
  { length: 600 },
  (_, i) => `    total += parse_field(${i}, "value ${i % 7}")`,
).join('\n');

export const TEXTS = {
  documents: [
    [
      'src/cookies.py',
      'def parse_cookie(header):\n    """Parses a header."""\n    return dict(part.split("=", 1) for part in header.split(";"))',
    ],
    [
      'lib/Retry.java',
      'class Retry {\n\tint delay(int attempt) {\n\t\treturn Math.min(cap, 1 << attempt);\n\t}\n}',
    ],
    [
      'web/app.ts',
      'export const isEmpty = <T>(list: readonly T[]): boolean => list.length === 0;\n\n\n',
    ],
    [
      'naïve/größe.py',
      'def größe(x):\n    return \'日本語\' if x else "émigré \\u00e9 🎉"  # e\u0301 combined\n',
    ],
    ['empty.py', ''],
    ['src/long.py', `def total_of_all():\n    total = 0\n${LONG}\n    return total`],
  ] as [path: string, code: string][],
  issues: [
    'Cookies with an equals sign are cut off\n\nA value such as a=b=c is read as b.',
    'Crash when the list is empty\n\n```\nTraceback (most recent call last):\n  File "app.py", line 3, in <module>\nIndexError\n```\n\nIt doesn\'t happen with 1 item.',
    `Sum is wrong\n\n${LONG}`,
  ],
  'short issues': [
    'Cookies with an equals sign are cut off\n\nA value such as a=b=c is read as b.',
    'Retry waits too long: 2**attempt exceeds the cap',
  ],
};
