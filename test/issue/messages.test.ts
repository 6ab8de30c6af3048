/** What an issue quotes: messages of errors, and sentences between quotation marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';

const textOf = ({ text }: { text: string }) => text;
const quotesOf = (text: string) => readIssue(`T\n${text}`).mentions.quotes.map(textOf);
const errorsOf = (text: string) => readIssue(`T\n${text}`).mentions.errors.map(textOf);

test('what stands between two quotations is none', () => {
  assert.deepEqual(quotesOf('The "name" field and its button are next to the "Save" entry.'), []);
  assert.deepEqual(quotesOf('Press "OK": it says "the cart is empty" and not "".'), [
    'the cart is empty',
  ]);
  assert.deepEqual(quotesOf('<a class="x" title="to the cart of yours">'), [
    'to the cart of yours',
  ]);
  assert.deepEqual(quotesOf('“No” is said after “there is no such cart”'), [
    'there is no such cart',
  ]);
});

test('a quotation ends with its line', () => {
  assert.deepEqual(quotesOf('A 17" screen\nsays "the cart is empty"'), ['the cart is empty']);
});

test('the message of an error ends with the inline code that it is in', () => {
  assert.deepEqual(
    errorsOf('`TypeError: cart is not iterable` is thrown when `total` is called.'),
    ['cart is not iterable'],
  );
  assert.deepEqual(errorsOf('Calling `total` gives TypeError: `cart` is not iterable'), [
    '`cart` is not iterable',
  ]);
  assert.deepEqual(errorsOf('TypeError: cart is not iterable'), ['cart is not iterable']);
});
