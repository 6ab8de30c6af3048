import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderFleetResults } from '../../src/cli/fleet.ts';
import { Session } from '../../src/cli/session.ts';
import { fleetAnswer } from '../support/sample-fleet.ts';

const COMMIT = 'a'.repeat(40);
const session = new Session(
  { env: { NO_COLOR: '1' }, stdout: { isTTY: true, columns: 100 }, stderr: {} } as never,
  false,
);

test('fleet results show how many repositories were searched, and where each result is', () => {
  const shop = { name: 'src/shop', url: '/src/shop', commit: COMMIT };
  const answer = fleetAnswer({ shop });
  const [first, linked] = answer.results;
  assert.ok(first && linked);
  const again = { ...first, rank: 3, name: 'Cart.price', address: 'shop/cart.py::Cart.price' };
  const text = renderFleetResults({ ...answer, results: [first, linked, again] }, session).join(
    '\n',
  );
  assert.match(text, /src\/shop\/shop\/cart\.py:7/);
  assert.match(text, /^ index {2}900 functions of 2 repositories · /m);
  assert.match(text, /^ fleet {2}2 searched, 1 without read access$/m);
  // A folder is printed once for all its results, and no command that needs a folder is suggested.
  assert.match(text, /^ {3}1, 3 {2}\/src\/shop at aaaaaaaaaa$/m);
  assert.match(text, /^ {6}2 {2}https:\/\/github\.com\/acme\/billing\/blob\/.*#L41-L46$/m);
  assert.doesNotMatch(text, /locus show/);
});
