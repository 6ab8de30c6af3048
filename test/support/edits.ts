import { moduleText, PATHS } from './random-module.ts';

const FOLDERS = ['pkg', 'pkg/sub', 'lib', 'src', 'src/pkg'];

/** Edits a small tree of files at random, as people and tools do. */
export class Edits {
  readonly #files: Map<string, string>;
  readonly #random: (below: number) => number;
  /** All earlier texts of each path, which an edit may restore. */
  readonly #before = new Map<string, string[]>();

  /** `files` is edited in place; `uniform` draws from [0, 1). */
  constructor(files: Map<string, string>, uniform: () => number) {
    this.#files = files;
    this.#random = (below) => Math.floor(uniform() * below);
  }

  /** Creates most of the files. */
  start(): void {
    for (const path of PATHS) if (this.#random(4) > 0) this.put(path, this.#drawModule());
  }

  /** Makes one edit. Returns the paths that it changed, removed or added. */
  edit(): string[] {
    const path = this.#one([...this.#files.keys()]);
    if (path === undefined || this.#random(5) === 0) return this.#add();
    const text = this.#files.get(path)!;
    switch (this.#random(10)) {
      case 0:
        return this.put(path, this.#drawModule());
      case 1:
        return this.put(path, `${text}# ${this.#random(1000)}\n`);
      case 2:
        return this.put(path, `\n\n${text}`);
      case 3:
        return this.put(path, this.#removeLines(text));
      case 4:
        return this.put(path, renameWord(text, this.#one(NAMES)!, this.#one(NAMES)!));
      case 5:
        return this.put(path, this.#addSyntaxError(text));
      case 6:
        return this.put(path, this.#one(this.#before.get(path)!)!);
      case 7:
        return this.#remove(path);
      case 8:
        return this.#move(path, this.#one(PATHS)!);
      default:
        return this.#moveFolder(this.#one(FOLDERS)!, this.#one(FOLDERS)!);
    }
  }

  /** Writes the text of a path. Returns the path. */
  put(path: string, text: string): string[] {
    this.#files.set(path, text);
    const before = this.#before.get(path) ?? [];
    before.push(text);
    this.#before.set(path, before);
    return [path];
  }

  #add(): string[] {
    if (this.#random(3) === 0) return this.put(this.#one(PATHS)!, this.#drawModule());
    if (this.#random(2) === 0) {
      const [path, texts] = this.#one(PATTERNS)!;
      return this.put(path, this.#one(texts)!);
    }
    const names = ['*', 'Foo, Bar', 'run as make', 'a', 'Baz as Foo'];
    const lines = Array.from(
      { length: 1 + this.#random(2) },
      () => `from ${this.#one(['.', '.a', '.b', '.sub', '.sub.a'])} import ${this.#one(names)}\n`,
    );
    return this.put(this.#one(['pkg/__init__.py', 'pkg/sub/__init__.py'])!, lines.join(''));
  }

  #drawModule(): string {
    return moduleText(this.#random);
  }

  #removeLines(text: string): string {
    const lines = text.split('\n');
    const at = this.#random(lines.length);
    lines.splice(at, 1 + this.#random(4));
    return lines.join('\n');
  }

  #addSyntaxError(text: string): string {
    const lines = text.split('\n');
    lines.splice(
      this.#random(lines.length),
      0,
      this.#one(['def (((:', 'class Foo(', '    )', '"""'])!,
    );
    return lines.join('\n');
  }

  #remove(path: string): string[] {
    this.#files.delete(path);
    return [path];
  }

  #move(from: string, to: string): string[] {
    const text = this.#files.get(from)!;
    return [...this.#remove(from), ...this.put(to, text)];
  }

  #moveFolder(from: string, to: string): string[] {
    const inside = [...this.#files.keys()].filter((path) => path.startsWith(`${from}/`));
    return inside.flatMap((path) => this.#move(path, `${to}${path.slice(from.length)}`));
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[this.#random(list.length)];
  }
}

/** Files that depend on each other. Each has several texts, among which an edit chooses. */
const PATTERNS: [path: string, texts: string[]][] = [
  // Two of the three calls may have the same target, or different ones.
  [
    'a.py',
    [
      'from pkg.a import run as first\nfrom pkg.b import run as second\ndef make():\n    first()\n    second()\n    first()\n',
      'import pkg\nfrom pkg.b import run\ndef make():\n    run()\n    pkg.run()\n    pkg.b.run()\n',
    ],
  ],
  ['pkg/b.py', ['from .a import run\n', 'def run(): pass\n', 'from .sub import *\n', 'x = 1\n']],
  ['pkg/a.py', ['def run():\n    return 1\n', 'def run():\n    return 2\ndef make(): pass\n']],
  // One call has several targets, in the order of the bindings.
  [
    'b.py',
    [
      'class Foo:\n    def run(self): pass\nclass Bar:\n    def run(self): pass\ndef make(x):\n    y = Foo()\n    y = Bar()\n    y.run()\n',
      'class Bar:\n    def run(self): pass\nclass Foo(Bar):\n    def run(self): pass\ndef make(x):\n    y = Foo()\n    y = Bar()\n    y.run()\n',
      'from pkg.a import *\nfrom pkg.sub import *\ndef launch(x):\n    y = Foo()\n    y = Bar()\n    y = Baz()\n    y.run()\n    y.make()\n',
    ],
  ],
  ['pkg/sub/__init__.py', ['from ..a import *\n', 'from .a import Foo, Bar, run\n', '']],
];

const NAMES = ['Foo', 'Bar', 'Baz', 'run', 'make', 'launch', 'x', 'y'];

function renameWord(text: string, from: string, to: string): string {
  return text.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to);
}
