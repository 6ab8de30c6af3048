/** Finds messages of errors, and sentences in quotation marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';

const getText = ({ text }: { text: string }) => text;
const findQuotes = (text: string) => readIssue(`T\n${text}`).mentions.quotes.map(getText);
const findErrors = (text: string) => readIssue(`T\n${text}`).mentions.errors.map(getText);

test('does not treat text between two quotations as a quotation', () => {
  assert.deepEqual(findQuotes('The "name" field and its button are next to the "Save" entry.'), []);
  assert.deepEqual(findQuotes('Press "OK": it says "the cart is empty" and not "".'), [
    'the cart is empty',
  ]);
  assert.deepEqual(findQuotes('<a class="x" title="to the cart of yours">'), [
    'to the cart of yours',
  ]);
  assert.deepEqual(findQuotes('“No” is said after “there is no such cart”'), [
    'there is no such cart',
  ]);
});

test('ends a quotation with its line', () => {
  assert.deepEqual(findQuotes('A 17" screen\nsays "the cart is empty"'), ['the cart is empty']);
});

test('ends the message of an error with its inline code', () => {
  assert.deepEqual(
    findErrors('`TypeError: cart is not iterable` is thrown when `total` is called.'),
    ['cart is not iterable'],
  );
  assert.deepEqual(findErrors('Calling `total` gives TypeError: `cart` is not iterable'), [
    '`cart` is not iterable',
  ]);
  assert.deepEqual(findErrors('TypeError: cart is not iterable'), ['cart is not iterable']);
});
