/** Paths of packages, source roots and tests. They are few, so that modules often import each other. */
export const PATHS = [
  'a.py',
  'b.py',
  'pkg/__init__.py',
  'pkg/a.py',
  'pkg/b.py',
  'pkg/sub/__init__.py',
  'pkg/sub/a.py',
  'src/pkg/c.py',
  'src/b.py',
  'tests/test_a.py',
  'tests/b.py',
];
const MODULES = [
  'a',
  'b',
  'pkg',
  'pkg.a',
  'pkg.b',
  'pkg.c',
  'pkg.sub',
  'pkg.sub.a',
  '.',
  '.a',
  '.b',
  '..',
  '..b',
];
// Few names, so that they often coincide. x and y are also variables and attributes.
const CLASSES = ['Foo', 'Bar', 'Baz'];
const FUNCTIONS = ['run', 'make', 'launch'];
const VARIABLES = ['x', 'y'];

/** Returns a Python module of random statements with a few names. `random(n)` draws an integer below n. */
export function moduleText(random: (below: number) => number): string {
  const one = (list: readonly string[]) => list[random(list.length)]!;
  const anyName = () => one([...CLASSES, ...FUNCTIONS, ...VARIABLES, 'a', 'b', 'pkg']);
  const expression = () =>
    one([
      anyName(),
      `${anyName()}()`,
      `${anyName()}.${anyName()}`,
      `${anyName()}().${anyName()}`,
      `${anyName()}.${anyName()}()`,
      `self.${one(VARIABLES)}.${one(FUNCTIONS)}()`,
      `self.${one(FUNCTIONS)}().${one(FUNCTIONS)}()`,
      `super().${one(FUNCTIONS)}()`,
    ]);
  const importLine = () => {
    const module = one(MODULES);
    const absolute = module.startsWith('.') ? 'pkg.a' : module;
    return one([
      `import ${absolute}`,
      `import ${absolute} as ${one(['a', 'b', 'x'])}`,
      `from ${module} import *`,
      `from ${module} import ${anyName()}`,
      `from ${module} import ${anyName()} as ${anyName()}`,
    ]);
  };
  const bodyLine = () =>
    one([
      expression(),
      `${one(VARIABLES)} = ${expression()}`,
      `self.${one(VARIABLES)} = ${expression()}`,
      `${one(VARIABLES)}: ${one(CLASSES)} = None`,
      importLine(),
    ]);
  const def = (indent: string) => {
    const decorator = random(5) === 0 ? `${indent}@${one(['property', ...FUNCTIONS])}\n` : '';
    const returns = random(2) === 0 ? ` -> ${one([...CLASSES, 'Self'])}` : '';
    const lines = Array.from({ length: 1 + random(3) }, () => `${indent}    ${bodyLine()}\n`);
    const parameter = one(['self', 'x', `y: ${one(CLASSES)}`]);
    return `${decorator}${indent}def ${one(FUNCTIONS)}(${parameter})${returns}:\n${lines.join('')}`;
  };
  const classText = () => {
    const bases = random(2) === 0 ? '' : `(${one([...CLASSES, `a.${one(CLASSES)}`])})`;
    const members = Array.from({ length: 1 + random(2) }, () =>
      random(3) === 0 ? `    ${one(VARIABLES)} = ${expression()}\n` : def('    '),
    );
    return `class ${one(CLASSES)}${bases}:\n${members.join('')}`;
  };
  const parts = Array.from({ length: 5 + random(8) }, () =>
    [importLine, importLine, classText, () => def(''), () => `${one(VARIABLES)} = ${expression()}`][
      random(5)
    ]!(),
  );
  return `${parts.join('\n')}\n`;
}
