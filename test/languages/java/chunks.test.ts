import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { assertSound, chunkOf, dedent, outline } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';
import { mutationsOf } from '../support.ts';

const parse = await parserFor('java');
const AWKWARD = readFileSync(new URL('awkward.java', import.meta.url), 'utf8');
const DOCS = /^(?:\/\*.*\*\/|\/\/.*)$/s;

test('every definition of an awkward file is found', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Cart 7-147',
    'class Cart.FREE 20-28',
    'method Cart.FREE.holds 22-24',
    'method Cart.FREE.label 26-27',
    'method Cart.Cart 43-49',
    'method Cart.Cart#2 51-51',
    'method Cart.total 56-77',
    'method Cart.price 79-79',
    'method Cart.raw 80-80',
    'method Cart.total#2 81-81',
    'method Cart.twice 81-81',
    'class Cart.Size 83-103',
    'class Cart.Size.LARGE 85-91',
    'method Cart.Size.LARGE.factor 87-90',
    'method Cart.Size.Size 95-96',
    'method Cart.Size.factor 98-100',
    'class Cart.Size.Empty 102-102',
    'class Cart.Range 105-122',
    'method Cart.Range.Range 108-110',
    'method Cart.Range.Range#2 112-114',
    'method Cart.Range.holds 116-121',
    'class Cart.Named 124-131',
    'method Cart.Named.value 126-126',
    'method Cart.Named.groups 130-130',
    'class Cart.Visitor 133-146',
    'method Cart.Visitor.visit 134-134',
    'method Cart.Visitor.done 136-137',
    'method Cart.Visitor.none 139-141',
    'class Cart.Visitor.Printer 143-145',
    'method Cart.Visitor.Printer.visit 144-144',
    'class Priced 149-149',
    'method Priced.price 149-149',
    'class Last 151-151',
    'method Last.only 151-151',
  ]);
});

test('a definition has its comment, a class its constructors in full', () => {
  const source = parse(AWKWARD);
  const range = chunkOf(source, 'Cart.Range');
  assert.equal(
    range.text,
    dedent`
      public abstract class Cart<T extends Item>
          extends Base<T>
          implements Comparable<Cart<T>>, com.shop.Priced {
          public record Range<T>(@NotNull T low, T high) implements Bounds {
            static int made = 0;
              public Range {
                check(low, high);
              }
              Range(T only) {
                this(only, only);
              }
              boolean holds(T value);
    `.trimEnd(),
  );
  const made = chunkOf(source, 'Cart.Cart');
  assert.equal(made.text.slice(...(made.doc ?? [])), '/** Makes one. */');
  const total = chunkOf(source, 'Cart.total');
  assert.equal(total.text.slice(...(total.doc ?? [])), '// This one is for total.');
  assert.match(total.text.slice(0, total.signatureEnd), /@Deprecated .*\n.*total\($/ms);
});

test('text with syntax errors keeps its definitions', () => {
  const source = parse(dedent`
    class Torn
    {
      int sound(int a)
      {
        return a;
      }

      void broken(int {
        if (a {
      }

      public List<String> whole(int a,
                                int b) {
        return open(a;
      }

      private Torn(
    }

    interface Rest {
      int rest();
    }
  `);
  assertSound(source, DOCS);
  const found = outline(source);
  for (const line of [
    'class Torn 1-18',
    'method Torn.sound 3-6',
    'method Torn.broken 8-10',
    'method Torn.whole 12-15',
    'class Rest 20-22',
    'method Rest.rest 21-21',
  ])
    assert.ok(found.includes(line), `${line} in ${found.join(', ')}`);
});

test('chunks of mutated sources are valid', () => {
  for (const text of mutationsOf(AWKWARD, 500, 14)) {
    try {
      assertSound(parse(text), DOCS);
    } catch (cause) {
      throw new Error(JSON.stringify(text), { cause });
    }
  }
});

test('files have their roles', () => {
  const roles = {
    test: [
      'core/src/test/java/com/shop/Fixtures.java',
      'core/src/integrationTest/java/com/shop/Server.java',
      'src/it/java/com/shop/Run.java',
      'com/shop/CartTest.java',
      'com/shop/CartTests.java',
      'com/shop/TestCart.java',
      'com/shop/CartIT.java',
    ],
    source: [
      'core/src/main/java/com/shop/Latest.java',
      'core/src/main/java/com/shop/Testament.java',
      'core/src/main/java/com/shop/Contest.java',
      'core/src/main/java/com/shop/EXIT.java',
      'core/src/main/java/com/shop/test/Checks.java',
    ],
    example: ['examples/src/main/java/com/shop/Demo.java'],
  };
  for (const [role, paths] of Object.entries(roles))
    for (const path of paths) assert.equal(inferRole(path), role, path);
  assert.equal(getTestedStem('src/test/java/com/shop/CartTest.java'), 'Cart');
});
