import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderAround, orderTelling } from '../../src/mcp/locate/line-order.ts';
import type { WeighedLines } from '../../src/services/check/excerpt.ts';

const CODE = `def total(cart):
    """The total of a cart.

    Taxes are included.
    """
    # Prices are net.
    prices = cart.prices
    net = sum(prices)

    tax = net * cart.tax
    return net + tax`.split('\n');

/** Lines of `CODE` with the header, and with lines that share words with an issue. */
function weigh(byWords: number[], mentioned: number[] = []): WeighedLines {
  const lines = CODE.map((text, at) => ({ line: at + 1, text, places: [] }));
  return { lines, header: [0], mentioned, byWords };
}

describe('the order of the lines that an agent sees', () => {
  it('has the code around the most telling lines before docstrings and comments', () => {
    assert.deepEqual(orderAround(weigh([1, 9, 3])), [0, 9, 10, 7, 6, 1, 3, 5]);
  });

  it('has lines that a traceback mentions first', () => {
    assert.deepEqual(orderAround(weigh([9], [6])).slice(0, 3), [0, 6, 9]);
  });

  it('has only telling lines for functions further down', () => {
    assert.deepEqual(orderTelling(weigh([3, 9])), [9, 0]);
    assert.deepEqual(orderTelling(weigh([], [6])), [6, 0]);
  });
});
