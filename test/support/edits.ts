import { moduleText, PATHS } from './random-module.ts';

const FOLDERS = ['pkg', 'pkg/sub', 'lib', 'src', 'src/pkg'];

/** Edits of a small tree of files, as people and tools make them. */
export class Edits {
  readonly #files: Map<string, string>;
  readonly #random: (below: number) => number;
  /** Every text that a path has had, to which an edit may go back. */
  readonly #before = new Map<string, string[]>();

  /** `files` is edited in place; `uniform` draws from [0, 1). */
  constructor(files: Map<string, string>, uniform: () => number) {
    this.#files = files;
    this.#random = (below) => Math.floor(uniform() * below);
  }

  /** Makes most of the files. */
  start(): void {
    for (const path of PATHS) if (this.#random(4) > 0) this.put(path, this.#module());
  }

  /** Makes one edit; returns the paths that it changed, removed or added. */
  edit(): string[] {
    const path = this.#one([...this.#files.keys()]);
    if (path === undefined || this.#random(5) === 0) return this.#add();
    const text = this.#files.get(path)!;
    switch (this.#random(10)) {
      case 0:
        return this.put(path, this.#module());
      case 1:
        return this.put(path, `${text}# ${this.#random(1000)}\n`);
      case 2:
        return this.put(path, `\n\n${text}`);
      case 3:
        return this.put(path, this.#withoutSome(text));
      case 4:
        return this.put(path, renamed(text, this.#one(NAMES)!, this.#one(NAMES)!));
      case 5:
        return this.put(path, this.#broken(text));
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

  /** Gives a path this text; returns the path. */
  put(path: string, text: string): string[] {
    this.#files.set(path, text);
    const before = this.#before.get(path) ?? [];
    before.push(text);
    this.#before.set(path, before);
    return [path];
  }

  #add(): string[] {
    if (this.#random(3) === 0) return this.put(this.#one(PATHS)!, this.#module());
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

  #module(): string {
    return moduleText(this.#random);
  }

  #withoutSome(text: string): string {
    const lines = text.split('\n');
    const at = this.#random(lines.length);
    lines.splice(at, 1 + this.#random(4));
    return lines.join('\n');
  }

  #broken(text: string): string {
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

/** Files that say much about one another; each has several texts to change between. */
const PATTERNS: [path: string, texts: string[]][] = [
  // Two of three calls may lead to one target, or to two.
  [
    'a.py',
    [
      'from pkg.a import run as first\nfrom pkg.b import run as second\ndef make():\n    first()\n    second()\n    first()\n',
      'import pkg\nfrom pkg.b import run\ndef make():\n    run()\n    pkg.run()\n    pkg.b.run()\n',
    ],
  ],
  ['pkg/b.py', ['from .a import run\n', 'def run(): pass\n', 'from .sub import *\n', 'x = 1\n']],
  ['pkg/a.py', ['def run():\n    return 1\n', 'def run():\n    return 2\ndef make(): pass\n']],
  // One call that leads to several targets, in the order of the bindings.
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

function renamed(text: string, from: string, to: string): string {
  return text.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to);
}
