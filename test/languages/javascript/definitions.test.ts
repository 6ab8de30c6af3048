/** Chunks of JavaScript and TypeScript. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, chunkOf, dedent, outline } from '../../parse/helpers.ts';
import { COMMENT, type Name, parseAs } from './helpers.ts';

const ALL: Name[] = ['javascript', 'typescript', 'tsx'];
const TYPED: Name[] = ['typescript', 'tsx'];

/** Title, languages, source, and chunks besides the module's. */
const TABLE: [string, Name[], string, string[]][] = [
  [
    'functions of every kind',
    ALL,
    dedent`
      function f() {
        return 1;
      }
      async function g() {}
      function* h() {}
      async function* i(a, b = () => {}) {}
      export function j() {}
      export async function k() {}
      export default function l() {}
    `,
    [
      'function f 1-3',
      'function g 4-4',
      'function h 5-5',
      'function i 6-6',
      'function j 7-7',
      'function k 8-8',
      'function l 9-9',
    ],
  ],
  [
    'functions bound to names',
    ALL,
    dedent`
      const a = () => 1;
      let b = async (x) => {
        return x;
      };
      var c = function () {},
        d = function named() {},
        e = 5;
      export const f = function* () {};
      const g = x => y => {
        return x + y;
      };
      const h = memo(() => {
        return 1;
      });
      const i = memo(forwardRef(function I(props) {
        return props;
      }));
      export const j = core.make('j', (inst) => {
        inst.x = () => 1;
      });
      const k = items.map((item) => item.name);
      const l = (function () {});
      const m = new Promise((resolve) => resolve());
    `,
    [
      'function a 1-1',
      'function b 2-4',
      'function c 5-5',
      'function d 6-6',
      'function f 8-8',
      'function g 9-11',
      'function h 12-14',
      'function i 15-17',
      'function j 18-20',
      'function l 22-22',
    ],
  ],
  [
    'functions in calls, as members',
    ALL,
    dedent`
      const actions = {
        save: debounce(function () {
          send();
        }),
        names: list.map((item) => item.name),
        mock: jest.fn(() => 1),
      };
      class Editor {
        undo = throttle(() => {
          back();
        });
        sizes = list.filter((item) => item.size);
      }
      export default {
        methods: { redo: _.debounce(() => {}), stop() {} },
      };
    `,
    [
      'class actions 1-7',
      'method actions.save 2-4',
      'class Editor 8-13',
      'method Editor.undo 9-11',
      'class default 14-16',
      'method default.methods.redo 15-15',
      'method default.methods.stop 15-15',
    ],
  ],
  [
    'a default function in calls has its own name',
    ALL,
    'export default React.memo(function OrderRow() {\n  go();\n});\n',
    ['function OrderRow 1-3'],
  ],
  [
    'a default function in several calls',
    ALL,
    'export default memo(forwardRef(function Row(p, ref) {\n}));\n',
    ['function Row 1-2'],
  ],
  [
    'a default arrow function in several calls',
    ALL,
    'export default memo(forwardRef((p, ref) => {\n}));\n',
    ['function default 1-2'],
  ],
  ['defaults without a name', ALL, 'export default () => {\n};\n', ['function default 1-2']],
  ['a default function', ALL, 'export default function () {\n}\n', ['function default 1-2']],
  [
    'a default class',
    ALL,
    'export default class extends A {\n  m() {}\n}\n',
    ['class default 1-3', 'method default.m 2-2'],
  ],
  [
    'a default object, with objects in it',
    ALL,
    dedent`
      export default {
        name: 'page',
        data() {
          return {};
        },
        methods: {
          save() {},
          load: async () => {},
        },
        watch: { page: 'load' },
      };
    `,
    [
      'class default 1-11',
      'method default.data 3-5',
      'method default.methods.save 7-7',
      'method default.methods.load 8-8',
    ],
  ],
  [
    'objects with functions, and those without',
    ALL,
    dedent`
      const api = {
        get(url) {
          return fetch(url);
        },
        post: function () {},
        put: (url) => url,
        'delete-all': async () => {},
        get size() {
          return 0;
        },
        async *pages() {},
        [Symbol.iterator]() {},
        shared,
        retries: 3,
      };
      const limits = { low: 1, high: 2 };
      export const Page = defineComponent({
        setup() {},
      });
    `,
    [
      'class api 1-15',
      'method api.get 2-4',
      'method api.post 5-5',
      'method api.put 6-6',
      'method api.delete-all 7-7',
      'method api.size 8-10',
      'method api.pages 11-11',
      'method api.[Symbol.iterator] 12-12',
      'class Page 17-19',
      'method Page.setup 18-18',
    ],
  ],
  [
    'classes',
    ALL,
    dedent`
      class A extends B.C {
        static count = 0;
        #secret = 1;
        handler = () => {
          this.#hide();
        };
        #hide() {}
        constructor() {
          super();
        }
        get size() {
          return 1;
        }
        set size(value) {}
        static {
          A.count = 1;
        }
        static async load() {}
        'quoted name'() {}
        *[Symbol.iterator]() {}
      }
      const D = class extends A {
        m() {}
      };
      export class E {}
    `,
    [
      'class A 1-21',
      'method A.handler 4-6',
      'method A.#hide 7-7',
      'method A.constructor 8-10',
      'method A.size 11-13',
      'method A.size#2 14-14',
      'method A.load 18-18',
      'method A.quoted name 19-19',
      'method A.[Symbol.iterator] 20-20',
      'class D 22-24',
      'method D.m 23-23',
      'class E 25-25',
    ],
  ],
  [
    'CommonJS',
    ['javascript'],
    dedent`
      exports.a = function () {};
      exports.b = (x) => x;
      module.exports.c = async function c2() {};
      exports.D = class {
        m() {}
      };
      module.exports = function create() {
        return 1;
      };
      module.exports = () => {};
      module.exports = {
        meta: { fixable: true },
        create(context) {
          return { Program() {} };
        },
        helper: function () {},
      };
      module.exports = class Server {
        listen() {}
      };
      var app = module.exports = function () {};
    `,
    [
      'function a 1-1',
      'function b 2-2',
      'function c 3-3',
      'class D 4-6',
      'method D.m 5-5',
      'function create 7-9',
      'function exports 10-10',
      'function create#2 13-15',
      'function helper 16-16',
      'class Server 18-20',
      'method Server.listen 19-19',
      'function app 21-21',
    ],
  ],
  [
    'methods outside of what they belong to',
    ['javascript'],
    dedent`
      function Shape() {}
      Shape.prototype.draw = function () {
        return this;
      };
      Shape.create = () => new Shape();
      ns.Shape.prototype.hide = function hide() {};
      app.handle = function handle(req) {};
      Shape.prototype = {
        move: function () {},
        turn() {},
      };
    `,
    [
      'function Shape 1-1',
      'method Shape.draw 2-4',
      'method Shape.create 5-5',
      'method Shape.hide 6-6',
      'method app.handle 7-7',
      'class Shape#2 8-11',
      'method Shape.move 9-9',
      'method Shape.turn 10-10',
    ],
  ],
  [
    'modules in functions',
    ['javascript'],
    dedent`
      (function (root) {
        function inner() {
          function innermost() {}
        }
        root.answer = function () {};
      })(this);
      define(['a'], function (a) {
        var helper = function () {};
        return { run: helper };
      });
    `,
    ['function inner 2-4', 'function answer 5-5', 'function helper 8-8'],
  ],
  [
    'callbacks of tests are no chunks',
    ALL,
    dedent`
      describe('cart', () => {
        beforeEach(() => {});
        it('adds', async () => {
          expect(1).toBe(1);
        });
        test('removes', function () {});
      });
    `,
    [],
  ],
  [
    'components',
    ['javascript', 'tsx'],
    dedent`
      export function App() {
        return <Page title="x"><Button /></Page>;
      }
      const Button = ({ onClick }) => (
        <button onClick={() => onClick()}>go</button>
      );
      export default React.memo(function Page(props) {
        return <div {...props} />;
      });
    `,
    ['function App 1-3', 'function Button 4-6', 'function Page 7-9'],
  ],
  [
    'comments and decorators belong to what is under them',
    ALL,
    dedent`
      // not of f

      /**
       * Documents f.
       */
      // eslint-disable-next-line
      export async function f() {} // also of f
      const x = 1; // not of g
      const g = () => 1;
      @Component({
        selector: 'a',
      })
      class A {
        /** Documents m. */
        @Input()
        m() {}
      }
    `,
    ['function f 3-7', 'function g 9-9', 'class A 10-17', 'method A.m 14-16'],
  ],
  [
    'functions in functions, classes in functions',
    ALL,
    dedent`
      function outer() {
        const inner = () => {};
        class Local {
          m() {}
        }
        return { get() {} };
      }
    `,
    ['function outer 1-7'],
  ],
  [
    'several on one line, as minified',
    ALL,
    'function a(){}function b(){}class C{m(){}n(){}}\nvar d=()=>{},e=function(){};\n',
    [
      'function a 1-1',
      'function b 1-1',
      'class C 1-1',
      'method C.m 1-1',
      'method C.n 1-1',
      'function d 2-2',
      'function e 2-2',
    ],
  ],
  [
    'types',
    TYPED,
    dedent`
      interface Shape extends Base<number>, Other {
        name: string;
        draw(canvas: Canvas): void;
        area(): number;
        onClick?: () => void;
        (x: number): string;
      }
      export type Id = string | number;
      type Point = { x: number; norm(): number };
      export type Deep<T> = T extends object
        ? { [K in keyof T]: Deep<T[K]> }
        : T;
      enum Color {
        Red,
        Green = 'g',
      }
      export declare const enum Flags {
        A,
      }
    `,
    [
      'class Shape 1-7',
      'method Shape.draw 3-3',
      'method Shape.area 4-4',
      'class Id 8-8',
      'class Point 9-9',
      'method Point.norm 9-9',
      'class Deep 10-12',
      'class Color 13-16',
      'class Flags 17-19',
    ],
  ],
  [
    'overloads, and classes with all there is',
    TYPED,
    dedent`
      export function f(a: string): void;
      export function f(a: number): void;
      export function f(a: any) {}
      export abstract class A<T> extends B<T> implements I {
        private readonly x: X = new X();
        constructor(
          private a: A,
          readonly b?: B,
        ) {
          super();
        }
        m(a: string): void;
        m(a: any): void {}
        abstract n(): void;
        protected static override async o<U>(this: A, u: U): Promise<void> {}
        p = <T,>(x: T): T => x;
        declare q: string;
      }
      const g = (<T,>(x: T) => x) as any;
      const h = { run() {}, stop: () => {} } satisfies Job;
    `,
    [
      'function f 1-1',
      'function f#2 2-2',
      'function f#3 3-3',
      'class A 4-18',
      'method A.constructor 6-11',
      'method A.m 12-12',
      'method A.m#2 13-13',
      'method A.n 14-14',
      'method A.o 15-15',
      'method A.p 16-16',
      'function g 19-19',
      'class h 20-20',
      'method h.run 20-20',
      'method h.stop 20-20',
    ],
  ],
  [
    'namespaces, and what is only declared',
    TYPED,
    dedent`
      namespace N.M {
        export function f() {}
        export namespace O {
          class A {
            m() {}
          }
        }
      }
      declare module 'lib' {
        export function g(a: string): void;
        interface Options {}
      }
      declare global {
        interface Window {}
      }
      declare function h(): void;
      declare class C {
        m(): void;
      }
    `,
    [
      'function N.M.f 2-2',
      'class N.M.O.A 4-6',
      'method N.M.O.A.m 5-5',
      'function g 10-10',
      'class Options 11-11',
      'class Window 14-14',
      'function h 16-16',
      'class C 17-19',
      'method C.m 18-18',
    ],
  ],
  [
    'text that does not parse',
    ALL,
    dedent`
      export function sound() {
        return 1;
      }

      class Torn {
        method( {
        }

        whole(a) {
          return a;
        }

      export const arrow = (a) => {
        return a;
      };

      function rest() {
        return 2;
      }
    `,
    [
      'function sound 1-3',
      'class Torn 5-11',
      'method Torn.method 6-7',
      'method Torn.whole 9-11',
      'function arrow 13-15',
      'function rest 17-19',
    ],
  ],
];

for (const [name, languages, source, expected] of TABLE)
  for (const language of languages)
    test(`${language}: ${name}`, () => {
      const parsed = parseAs(language, source);
      assertSound(parsed, COMMENT);
      assert.deepEqual(outline(parsed), expected);
    });

test('a comment above is the docstring; a class declares its methods', () => {
  const parsed = parseAs(
    'typescript',
    dedent`
      /** A shape. */
      export class Shape {
        name = 'x';

        constructor(private pen: Pen) {
          this.pen = pen;
        }

        /** Draws. */
        draw(canvas: Canvas): void {
          canvas.draw();
        }
      }
    `,
  );
  const { text, doc } = chunkOf(parsed, 'Shape');
  assert.equal(text.slice(...doc!), '/** A shape. */');
  assert.equal(
    text,
    [
      'export class Shape {',
      '/** A shape. */',
      "  name = 'x';",
      '    constructor(private pen: Pen) {',
      '      this.pen = pen;',
      '    }',
      '    draw(canvas: Canvas): void;',
    ].join('\n'),
  );
  const draw = chunkOf(parsed, 'Shape.draw');
  assert.equal(draw.text.slice(...draw.doc!), '/** Draws. */');
});
