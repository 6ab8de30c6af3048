/** Broken, huge and strange sources, which must not crash and must give valid chunks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, dedent } from '../../parse/helpers.ts';
import { assertForBroken } from '../../support/broken.ts';
import { COMMENT, type Name, parseAs } from './helpers.ts';

/** Sources with the names of chunks that must still be found. */
const HOSTILE: Record<string, [Name, string, string[]]> = {
  nothing: ['javascript', '', []],
  'a shebang and a byte order mark': [
    'javascript',
    '\ufeff#!/usr/bin/env node\nfunction f() {}\n',
    ['f'],
  ],
  'line breaks of DOS': ['typescript', 'class A {\r\n  m() {\r\n  }\r\n}\r\n', ['A', 'A.m']],
  'line breaks of old': ['javascript', 'function f() {\r}\r', ['f']],
  'marks of a merge': [
    'typescript',
    'function f() {\n<<<<<<< HEAD\n  a();\n=======\n  b();\n>>>>>>> other\n}\nfunction g() {}\n',
    ['f', 'g'],
  ],
  'Flow in JavaScript': [
    'javascript',
    '// @flow\ntype A = {| b: number |};\nexport function f(a: ?A): number {\n  return 1;\n}\n',
    ['f'],
  ],
  'types that the grammar does not know': [
    'typescript',
    'export interface A<out O = unknown> extends B<O> {\n  m(): void;\n}\nexport function f() {}\n',
    ['A', 'f'],
  ],
  'a template with what looks like code': [
    'typescript',
    'const t = `\nfunction no() {\n}\n`;\nfunction f( {\n}\nfunction g() {}\n',
    ['g'],
  ],
  'ten thousand brackets': [
    'javascript',
    `x = ${'['.repeat(10_000)}${']'.repeat(10_000)};\nfunction f() {}\n`,
    ['f'],
  ],
  'a thousand calls in a chain': [
    'javascript',
    `x${'.then(() => 1)'.repeat(1000)};\nfunction f() {}\n`,
    ['f'],
  ],
  'five hundred nested functions': [
    'javascript',
    `${'function f() {\n'.repeat(500)}${'}\n'.repeat(500)}`,
    ['f'],
  ],
  'five thousand nested types': [
    'typescript',
    `let x: ${'Promise<'.repeat(5000)}A${'>'.repeat(5000)};\nfunction f() {}\n`,
    ['f'],
  ],
  'an object with ten thousand functions': [
    'javascript',
    `const o = {\n${'  f() {},\n'.repeat(10_000)}};\n`,
    ['o', 'o.f'],
  ],
  'a line of half a million characters': [
    'javascript',
    `function f() {}${'var a=function(){return 1};'.repeat(20_000)}`,
    ['f'],
  ],
};

for (const [name, [language, text, expected]] of Object.entries(HOSTILE)) {
  test(`hostile: ${name}`, () => {
    const source = parseAs(language, text);
    assertSound(source, COMMENT);
    const names = new Set(source.chunks.map((chunk) => chunk.qualifiedName));
    for (const qualifiedName of expected) assert.ok(names.has(qualifiedName), qualifiedName);
  });
}

/** Samples of all syntax, which are then mutated. */
const SCRIPT = dedent`
  #!/usr/bin/env node
  'use strict';
  const { a, b: c = 1 } = require('./x'), path = require('path');
  import d, { e as f } from "./y.js";

  /** Doc. */
  function outer(x, { y, ...z }, [w] = []) {
    function inner() { return x?.y?.(z) ?? /re[/]x/g; }
    return async () => { await inner(); };
  }

  class A extends mixin(B) {
    #p = 1; static s = () => new A();
    get size() { return this.#p; }
    async *pages() { for await (const p of this) yield p; }
    constructor() { super(); this.o = { m() {} }; }
  }

  A.prototype.draw = function draw() { return this.size; };
  module.exports = { A, outer, run: (x) => x, stop() {} };
  const api = { get() {}, post: function () {}, nested: { put() {} } };
  const View = memo(() => <A.B x={1}>{api.get()}<C /></A.B>);
  describe("a', () => { it('b", async () => { expect(1).toBe(1); }); });
  export default { data() { return {}; }, methods: { save() {} } };
`;
const TYPES = dedent`
  import type { A } from './a';
  export * as ns from './b';
  declare module 'x' { export function f(): void; }

  /** Doc. */
  @Dec({ a: 1 })
  export abstract class B<T extends A = A> extends C<T> implements D, E {
    @Input() private readonly x?: Map<string, T[]> = new Map();
    constructor(private a: A, readonly b: B<T>) { super(); }
    m(a: string): void;
    m(a: any): asserts a is string { this.x!.get(a)?.[0]; }
    abstract n(): void;
    static o = <U,>(u: U): u is U => true;
  }

  namespace N.M {
    export enum Color { Red, Green = 'g' }
    export interface I extends J<K> { a: B; m<T>(x: T): Promise<T>; new (x: A): I }
    type T1 = { [K in keyof I]: I[K] } & Omit<I, 'a'>;
  }
  export function f(a: A): B;
  export function f(a: any, b = a as unknown as B): any { return <any>a satisfies A; }
  export const g = async (x: A | null): Promise<void> => { await x?.run(); };
  const h = { run() {}, stop: () => {} } as const;
`;
const INSERTS = [
  ...'()[]{}<>"\'`:;,.=*#@$!?/\\\n\t',
  '    ',
  '=>',
  '${',
  '/*',
  '*/',
  '//',
  '</',
  '...',
  'function ',
  'function f() {',
  'class X {\n',
  'const x = () => {',
  'export default ',
  'async ',
  'type T = ',
  '\0',
  '\r',
  '\ufeff',
  '😀',
];

for (const [language, sample] of [
  ['javascript', SCRIPT],
  ['typescript', TYPES],
  ['tsx', TYPES],
] as const)
  test(`hostile: chunks of mutated ${language} sources are valid`, () => {
    assertForBroken(sample, INSERTS, 500, (text) => assertSound(parseAs(language, text), COMMENT));
  });
