import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { assertSound, chunkOf, dedent, outline, references } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';
import { mutationsOf } from '../support.ts';

const parse = await parserFor('kotlin');
const AWKWARD = readFileSync(new URL('awkward.kt', import.meta.url), 'utf8');
const DOCS = /^(?:\/\*.*\*\/|\/\/.*)$/s;

test('every definition of an awkward file is found', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.deepEqual(outline(source), [
    'class Cart 9-81',
    'class Cart.free 21-26',
    'method Cart.free.holds 23-23',
    'method Cart.free.label 25-25',
    'method Cart.total 31-35',
    'method Cart.constructor 47-50',
    'method Cart.run 52-66',
    'method Cart.nothing 68-68',
    'method Cart.twice 70-70',
    'method Cart.make 75-75',
    'class Cart.Inner 78-78',
    'method Cart.Inner.f 78-78',
    'method Cart.plus 80-80',
    'class Size 83-96',
    'class Size.LARGE 86-89',
    'method Size.LARGE.factor 88-88',
    'method Size.factor 91-91',
    'class Size.Parser 93-95',
    'method Size.Parser.parse 94-94',
    'class Priced 98-104',
    'method Priced.price 99-99',
    'class Priced.Free 100-102',
    'method Priced.Free.price 101-101',
    'class Priced.Fixed 103-103',
    'class Shop 106-109',
    'method Shop.open 107-108',
    'class Named 111-111',
    'class Check 113-113',
    'method Check.test 113-113',
    'class Euro 116-116',
    'method List.total 120-122',
    'method Cart.orEmpty 124-124',
    'method String.last 126-127',
    'function `a name with spaces` 131-132',
    'function main 134-136',
  ]);
});

test('entries of an enum with bodies on one row are classes with methods', () => {
  const source = parse(dedent`
    enum class Op(val sign: String) {
        ADD("+") { override fun on(a: Int, b: Int) = plus(a, b) },
        SUB("-") { override fun on(a: Int, b: Int): Int { return minus(a, b) } };
        abstract fun on(a: Int, b: Int): Int
    }
    enum class Way { UP { override fun f() = 1 }, DOWN { override fun f() = 2 }; abstract fun f(): Int }
  `);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source).slice(0, 6), [
    'class Op 1-5',
    'class Op.ADD 2-2',
    'method Op.ADD.on 2-2',
    'class Op.SUB 3-3',
    'method Op.SUB.on 3-3',
    'method Op.on 4-4',
  ]);
});

test('a definition has its comment', () => {
  const source = parse(AWKWARD);
  const docOf = (name: string) => {
    const { text, doc } = chunkOf(source, name);
    return doc && text.slice(...doc);
  };
  assert.equal(docOf('Cart.constructor'), '/** From nothing. */');
  assert.equal(docOf('Cart.free'), '// What is free.');
  assert.equal(docOf('List.total'), '// Of all.');
  assert.equal(docOf('Cart.run'), null);
});

test('text with syntax errors keeps its definitions', () => {
  const source = parse(dedent`
    class Torn(
        val a: Int,
    ) : Base() {
        fun sound() = 1

        fun broken(a {
            if (a ->
        }

        private suspend fun <T> whole(a: T): List<T> {
            return open(a
        }
    }

    fun Torn.outside(): Int {
        return 1
    }
  `);
  assertSound(source, DOCS);
  const found = outline(source);
  for (const line of [
    'class Torn 1-13',
    'method Torn.sound 4-4',
    'method Torn.broken 6-8',
    'method Torn.whole 10-12',
    'method Torn.outside 15-17',
  ])
    assert.ok(found.includes(line), `${line} in ${found.join(', ')}`);
});

test('a class that the grammar mistakes for an expression is found', () => {
  const source = parse(dedent`
    @Target(CLASS)
    annotation class Inner

    @Tag("slow")
    open class Torn

    @Target(CLASS)
    annotation class Last
  `);
  assertSound(source, DOCS);
  assert.deepEqual(
    source.chunks.slice(1).map(({ qualifiedName }) => qualifiedName),
    ['Inner', 'Torn', 'Last'],
  );
});

/** Unbalanced braces, a call, and an invalid token, from which the grammar can recover in endlessly many ways. */
const ENDLESS =
  '{{}\np{n(}\n \\ }\n\n fun nothing()\n\n    fun Item.twice(): Int = this.price() * 2\n\n    companion object {\n' +
  '        const val MOST = 3\n\n         nufmake() = Cart("x")\n    }\n\n    inner class Inner { fun f() {} }\n\n' +
  '    operator fun plus(other: Cart<T';

test('a constructor may be the actual one of an expected class', () => {
  const source = parse(dedent`
    actual open class Cart
    internal actual constructor(
      internal actual val items: List<Item>,
    ) : Comparable<Cart> {
      actual fun total() = items.sum()
    }
  `);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), ['class Cart 1-6', 'method Cart.total 5-5']);
});

test('context parameters, guards and dollar prefixes are not errors', () => {
  const source = parse(dedent`
    class Cart {
        /** Sums. */
        context(prices: Prices, log: (String) -> Unit)
        private fun total(): String = when (val sum = sum()) {
            is Whole if sum.isFree() -> label("free")
            !is Price if sum > 1 -> label("unknown")
            else -> $$"$schema costs $$${'$'}{sum.text()}"
        }

        context(Shop) fun open() {
            context("tests") { run() }
        }

        fun schema() = $$"""
            "$ref" } {
        """
        fun last() = "$$" + ref() + "$$"
    }
  `);
  assert.equal(source.errors, 0);
  assertSound(source, DOCS);
  assert.deepEqual(outline(source), [
    'class Cart 1-18',
    'method Cart.total 2-8',
    'method Cart.open 10-12',
    'method Cart.schema 14-16',
    'method Cart.last 17-17',
  ]);
  const { text, doc } = chunkOf(source, 'Cart.total');
  assert.equal(doc && text.slice(...doc), '/** Sums. */');
  assert.match(text, /context\(prices: Prices, log: \(String\) -> Unit\)/);
  assert.deepEqual(references(source, 'Cart.total'), [
    'call sum',
    'call sum.isFree',
    'call label',
    'call label',
    'call sum.text',
  ]);
});

test('a body after a delegation is a body, also of the last class', () => {
  const outlineOf = (text: string) => {
    const source = parse(text);
    assertSound(source, DOCS);
    assert.equal(source.errors, 0, text);
    return outline(source);
  };
  for (const header of [
    'internal class C(private val d: I) : I by d {',
    'object C : I by lazyOf(x) {',
    'class C<T : Any> @Inject constructor(d: I = I { e }) : Base(), I<A, B> by d.e<F, G>() {',
    'class C(d: I) : I by d, J by run { d } {',
    'class C : I by d{ // In no room.',
    'class C(d: I) : I by d where T : J {',
  ])
    assert.deepEqual(outlineOf(`${header}\n  override fun m() {}\n  fun n() = 3\n}\n`), [
      'class C 1-4',
      'method C.m 2-2',
      'method C.n 3-3',
    ]);
  assert.deepEqual(
    outlineOf(dedent`
      // A class of its own: I by d {
      class First(d: I) :
        I by d {
        val size: Int by lazy { 1 }
        fun m() {}
        companion object : Log by logs {
          fun make() = First(e)
        }
        constructor() : this(e)
      }
      class Bare : I by d
      fun outside() {
      }
      class Last : I
        by d
      {
        val free = object : I by d {
          override fun m() {}
        }
        inner class In : I by d {
          fun m() {}
        }
      }
    `),
    [
      'class First 1-10',
      'method First.m 5-5',
      'method First.make 7-7',
      'method First.constructor 9-9',
      'class Bare 11-11',
      'function outside 12-13',
      'class Last 14-23',
      'class Last.free 17-19',
      'method Last.free.m 18-18',
      'class Last.In 20-22',
      'method Last.In.m 21-21',
    ],
  );
});

test('parsing stops if recovery from syntax errors takes too long', () => {
  assert.throws(() => parse(ENDLESS), /parser stopped/);
});

test('mutated sources stay valid, except for a few whose parsing stops', () => {
  let lost = 0;
  for (const text of mutationsOf(AWKWARD, 500, 14)) {
    try {
      assertSound(parse(text), DOCS);
    } catch (cause) {
      if (!(cause as Error).message.includes('parser stopped'))
        throw new Error(`on ${JSON.stringify(text)}`, { cause });
      lost++;
    }
  }
  assert.ok(lost <= 5, `${lost} given up`);
});

test('files have their roles', () => {
  const roles = {
    test: [
      'core/src/test/kotlin/Fixtures.kt',
      'core/src/commonTest/kotlin/Fixtures.kt',
      'core/jvm/test/com/shop/Fixtures.kt',
      'core/src/main/kotlin/CartTest.kt',
      'rules/CartSpec.kt',
    ],
    source: ['core/src/commonMain/kotlin/Latest.kt', 'core/src/main/kotlin/shop/test/Checks.kt'],
    example: ['samples/guide/src/main/java/Demo.kt'],
  };
  for (const [role, paths] of Object.entries(roles))
    for (const path of paths) assert.equal(inferRole(path), role, path);
  assert.equal(getTestedStem('rules/CartSpec.kt'), 'Cart');
});
