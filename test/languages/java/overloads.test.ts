import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../src/engine/event-loop/stepwise.ts';
import {
  createGraph,
  findEdges,
  listEdges,
  parseGraphFile,
  parseGraphFiles,
} from '../../graph/support.ts';
import { references } from '../../parse/helpers.ts';
import { assertFollowsEdits } from '../edits.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('java');

const TYPES = `package shop;

import java.io.Closeable;
import org.outside.Unknown;

interface Shape {}
class Round implements Shape {}
class Circle extends Round {
  Round round;
  Class<Circle> type;
  String name() { return ""; }
  Circle twin() { return this; }
}
class Door implements Closeable {}
class Strange extends Unknown {}
enum Side {
  LEFT
}
class Holder<T, S extends Shape> {
  void put(T value) {}
  void put(int value) {}
  void set(S value) {}
  void set(String value) {}
}
`;

/**
 * Returns the parameters of the overloads to which a call resolves, with a question mark for a guess. The call is
 * `f(...)` in a method with these parameters.
 */
async function chosen(
  overloads: readonly string[],
  call: string,
  parameters = '',
): Promise<string[]> {
  const methods = overloads.map((one) => `  static ${one.replace('(', 'void f(')} {}`);
  const files = await parseGraphFiles({
    'Types.java': TYPES,
    'Target.java': `package shop;\nimport java.util.*;\nclass Target {\n${methods.join('\n')}\n}\n`,
    'Caller.java': `package shop;
import static shop.Target.f;
import java.util.*;
import org.outside.Unknown;
class Caller<T> {
  private String label;
  private final int[] sizes = {};
  <M extends Shape> void call(${parameters}) {
    ${call};
  }
}
`,
  });
  const found = listEdges(createGraph(files), files, 'Caller.java').flatMap((edge) => {
    const [, number = '1', guess = ''] = /Target\.f(?:#(\d+))?( guess)?$/.exec(edge) ?? [];
    return edge.includes('Target.f') ? [`${overloads[Number(number) - 1]}${guess && '?'}`] : [];
  });
  return found.sort();
}

test('literals choose among built-in types', async () => {
  const values = ['(String a)', '(int a)', '(long a)', '(double a)', '(boolean a)', '(Object a)'];
  for (const [argument, expected] of [
    ['"a"', '(String a)'],
    ['1', '(int a)'],
    ["'c'", '(int a)'],
    ['1L', '(long a)'],
    ['1.5f', '(double a)'],
    ['!true', '(boolean a)'],
    ['1 < 2', '(boolean a)'],
    ['1 + 2L', '(long a)'],
    ['"a" + unknown()', '(String a)'],
    ['unknown() + "a"', '(String a)'],
    ['any.toString()', '(String a)'],
    ['any.hashCode()', '(int a)'],
    ['String.class', '(Object a)'],
    ['new int[2][]', '(Object a)'],
    ['(String) unknown()', '(String a)'],
    ['new Door()', '(Object a)'],
    ['flag ? null : "a"', '(String a)'],
  ] as const)
    assert.deepEqual(await chosen(values, `f(${argument})`), [expected], argument);
});

test('variables and fields have their declared types', async () => {
  const values = ['(String a)', '(int a)', '(List<?> a)', '(int[] a)'];
  assert.deepEqual(await chosen(values, 'f(label)'), ['(String a)']);
  assert.deepEqual(await chosen(values, 'f(this.label)'), ['(String a)']);
  assert.deepEqual(await chosen(values, 'f(sizes)'), ['(int[] a)']);
  assert.deepEqual(await chosen(values, 'f(sizes[0])'), ['(int a)']);
  assert.deepEqual(await chosen(values, 'f(all)', 'int... all'), ['(int[] a)']);
  assert.deepEqual(await chosen(values, 'f(label)', 'ArrayList<String> label'), ['(List<?> a)']);
  const both = '{ String x = ""; } { int x = 1; f(x); }';
  assert.deepEqual(await chosen(values, both), ['(int a)']);
  const pattern = 'if (!(any instanceof String x)) return; f(x)';
  assert.deepEqual(await chosen(values, pattern), ['(String a)']);
});

test('a hidden variable does not affect the type', async () => {
  const values = ['(String a)', '(Circle a)'];
  const unknown = ['(Circle a)?', '(String a)?'];
  assert.deepEqual(await chosen(values, 'all.each(label -> f(label))'), unknown);
  assert.deepEqual(await chosen(values, 'var label = unknown(); f(label)'), unknown);
  assert.deepEqual(await chosen(values, 'var c = new Circle(); f(c)'), ['(Circle a)']);
});

test('classes convert to their bases, the nearest first', async () => {
  const shapes = ['(Shape a)', '(Round a)', '(String a)', '(Object a)'];
  assert.deepEqual(await chosen(shapes, 'f(new Circle())'), ['(Round a)']);
  assert.deepEqual(await chosen(shapes, 'f(c.round)', 'Circle c'), ['(Round a)']);
  assert.deepEqual(await chosen(shapes, 'f(c.twin().name())', 'Circle c'), ['(String a)']);
  assert.deepEqual(await chosen(shapes, 'f(shape)', 'Shape shape'), ['(Shape a)']);
  assert.deepEqual(await chosen(shapes, 'f(m)', 'M m'), ['(Shape a)']);
  assert.deepEqual(await chosen(shapes, 'f(t)', 'T t'), ['(Object a)']);
  assert.deepEqual(await chosen(shapes, 'f(c.type)', 'Circle c'), ['(Object a)']);
  assert.deepEqual(await chosen(['(Round a)', '(Door a)'], 'f(null)'), ['(Door a)?', '(Round a)?']);
});

test('external bases are known if they belong to the language', async () => {
  assert.deepEqual(await chosen(['(java.io.Reader a)', '(Door a)'], 'f(new Door())'), ['(Door a)']);
  assert.deepEqual(await chosen(['(AutoCloseable a)', '(List<?> a)'], 'f(new Door())'), [
    '(AutoCloseable a)',
  ]);
  const strange = ['(List<?> a)', '(Shape a)', '(String a)'];
  assert.deepEqual(await chosen(strange, 'f(new Strange())'), ['(List<?> a)?', '(Shape a)?']);
  // External imports are not in the repository.
  assert.deepEqual(await chosen(strange, 'f(new Unknown())'), ['(List<?> a)']);
  assert.deepEqual(await chosen(['(Comparable<?> a)', '(Shape a)'], 'f(Side.LEFT)'), [
    '(Comparable<?> a)',
  ]);
});

test('primitive before boxed before variadic', async () => {
  const all = ['(Object a)', '(int... a)', '(long a)'];
  assert.deepEqual(await chosen(all, 'f(1)'), ['(long a)']);
  assert.deepEqual(await chosen(all.slice(0, 2), 'f(1)'), ['(Object a)']);
  assert.deepEqual(await chosen(['(String a)', '(int... a)'], 'f(1)'), ['(int... a)']);
  assert.deepEqual(await chosen(['(int a)', '(String a)'], 'f(Integer.class.cast(x))'), [
    '(String a)?',
    '(int a)?',
  ]);
  assert.deepEqual(await chosen(['()', '(String... a)'], 'f()'), ['()']);
  assert.deepEqual(await chosen(['(String a)', '(String... a)'], 'f(unknown())'), [
    '(String a)?',
    '(String... a)?',
  ]);
  assert.deepEqual(await chosen(['(String... a)', '(Object a)'], 'f(all)', 'String[] all'), [
    '(String... a)',
  ]);
  assert.deepEqual(await chosen(['(String a, Object... b)', '(Round a, Round b)'], 'f("a", 1)'), [
    '(String a, Object... b)',
  ]);
});

test('lambdas convert to functional interfaces', async () => {
  const all = ['(Runnable a)', '(String a)', '(Object[] a)'];
  assert.deepEqual(await chosen(all, 'f(() -> {})'), ['(Runnable a)']);
  assert.deepEqual(await chosen(['(java.util.function.Supplier<M> a)', '<M> (M a)'], 'f(C::new)'), [
    '(java.util.function.Supplier<M> a)',
  ]);
  assert.deepEqual(await chosen(['(Shape a)', '(Runnable a)'], 'f(() -> {})'), [
    '(Runnable a)?',
    '(Shape a)?',
  ]);
});

test('arguments that match all overloads do not matter', async () => {
  const all = ['(Shape a, int b)', '(Shape a, String b)'];
  assert.deepEqual(await chosen(all, 'f(unknown(), 1)'), ['(Shape a, int b)']);
  assert.deepEqual(await chosen(all, 'f(unknown(), unknown())'), [
    '(Shape a, String b)?',
    '(Shape a, int b)?',
  ]);
});

test('if no overload matches, all are guesses', async () => {
  assert.deepEqual(await chosen(['(Round a)', '(Door a)'], 'f("a")'), ['(Door a)?', '(Round a)?']);
});

test('an overload that calls its own name means another one, as a guess', async () => {
  const files = await parseGraphFiles({
    'Types.java': TYPES,
    'Caller.java': `package shop;
class Caller {
  void call(Round a) { call(unknown()); }
  void call(Door a) { call(a); }
}
`,
  });
  assert.deepEqual(listEdges(createGraph(files), files, 'Caller.java'), [
    'Caller.java::Caller.call > Caller.java::Caller.call#2 guess',
    'Caller.java::Caller.call#2 > Caller.java::Caller.call#2',
  ]);
});

test('a type parameter of a class means its bound or a narrower type', async () => {
  const files = await parseGraphFiles({
    'Types.java': TYPES,
    'Caller.java': `package shop;
class Caller {
  void plain(Holder<Long, Circle> holder) { holder.put(1); }
  void unknown(Holder<Long, Circle> holder) { holder.put("a"); }
  void narrow(Holder<Long, Circle> holder) { holder.set(new Circle()); }
}
`,
  });
  assert.deepEqual(
    listEdges(createGraph(files), files, 'Caller.java').map((edge) =>
      edge.replaceAll(/\w+\.java::/g, ''),
    ),
    [
      'Caller.narrow > Circle construct',
      'Caller.narrow > Holder.set',
      'Caller.plain > Holder.put#2',
      'Caller.unknown > Holder.put',
    ],
  );
});

test('facts contain the known types of arguments', () => {
  const source = parse(`class C<T extends Item> {
  Item own;
  <M> List<M> m(final T a, M[] b, Map.Entry<T, M> c, String... d) {
    f(1, "a", own, own.make(2).price, unknown, d, 7);
    g(unknown, x -> f(x));
  }
}
`);
  assert.deepEqual(references(source, 'C.m'), ['call f', 'call own.make', 'call g', 'call f']);
  assert.deepEqual(
    source.facts.references.map(({ given }) => given),
    [
      [':int', ':String', ':Item', 'own.make().price', 'unknown', ':String[]'],
      [':int'],
      ['unknown', ':->'],
      undefined,
    ],
  );
  const [arity] = source.facts.arities ?? [];
  assert.deepEqual(arity?.types, ['?Item', 'Object[]', 'Map.Entry', 'String']);
  assert.equal(arity?.result, 'List');
});

const GUESSES = ['set guess', 'set#2 guess'];

const EDITED = {
  'shop/Prices.java': `package shop;

class Prices {
  void set(Price price) {}
  void set(Label label) {}
}
`,
  'shop/Price.java': 'package shop;\n\nclass Price {\n  String name() { return ""; }\n}\n',
  'shop/Label.java': 'package shop;\n\nclass Label {}\n',
  'shop/Tag.java': 'package shop;\n\nclass Tag extends Label {}\n',
  'shop/Caller.java': `package shop;

class Caller {
  void call(Prices prices) {
    prices.set(new Price());
  }
  void name(Prices prices, Price price) {
    prices.set(price.name());
  }
  void tag(Prices prices) {
    prices.set(new Tag());
  }
}
`,
};

test("an edit of a method's parameters or result affects its callers", async () => {
  const files = await parseGraphFiles(EDITED);
  const graph = createGraph(files);
  const path = 'shop/Caller.java';
  const short = () =>
    listEdges(graph, files, path).flatMap((edge) => {
      const [, target] = /> .*Prices\.(set.*)/.exec(edge) ?? [];
      return target === undefined ? [] : [target];
    });
  assert.deepEqual(short(), ['set', 'set guess', 'set#2 guess', 'set#2']);
  const edit = async (edited: keyof typeof EDITED, from: string, to: string) => {
    runToEnd(graph.takeAffected());
    const file = await parseGraphFile(edited, EDITED[edited].replace(from, to));
    files.set(edited, file);
    graph.put(edited, file);
    assert.ok(runToEnd(graph.takeAffected()).has(path), `${from} is ${to}`);
    return short();
  };
  assert.deepEqual(await edit('shop/Prices.java', 'Label label', 'String label'), [
    'set',
    'set#2',
    ...GUESSES,
  ]);
  assert.deepEqual(await edit('shop/Price.java', 'String name', 'Price name'), [
    'set',
    'set',
    ...GUESSES,
  ]);
  assert.deepEqual(await edit('shop/Tag.java', 'extends Label', 'extends Price'), [
    'set',
    'set',
    'set',
  ]);
});

test('java: choices follow edits', () => assertFollowsEdits(EDITED));

const INHERITED = {
  'shop/Node.java': `package shop;

class Node implements Named {
  String attr(String key) { return ""; }
  void text() {}
}
interface Named {
  void text(int a, int b);
}
`,
  'shop/Element.java': `package shop;

class Element extends Node {
  Element attr(String key, boolean value) { return this; }
  Element text(String text) { return this; }
  void call(Element other) {
    other.attr("href");
    other.attr("href", true);
    text();
    other.text(1, 2);
    other.text("", 2, 3);
  }
}
`,
};

test('a class inherits overloads; a call that none matches is a guess', async () => {
  const found = (await findEdges(INHERITED)).map((edge) => edge.replaceAll('shop/', ''));
  assert.deepEqual(found, [
    'Node.java::Node > Node.java::Named inherit',
    'Element.java::Element > Node.java::Node inherit',
    'Element.java::Element.call > Element.java::Element.attr',
    'Element.java::Element.call > Element.java::Element.text guess',
    'Element.java::Element.call > Node.java::Named.text',
    'Element.java::Element.call > Node.java::Node.attr',
    'Element.java::Element.call > Node.java::Node.text',
  ]);
});

test('java: inherited overloads follow edits', () => assertFollowsEdits(INHERITED));
