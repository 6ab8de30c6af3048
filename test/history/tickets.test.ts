import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HistoryIndex } from '../../src/engine/history/history-index.ts';
import { listTickets } from '../../src/engine/history/tickets.ts';

test('lists the tickets of a message', () => {
  const tickets: [string, string[]][] = [
    ['Empty carts (#12)', ['#12']],
    ['Merge pull request #13 from ann/topic', ['#13']],
    ['Empty carts\n\nFixes #12, see GH-014 and !15', ['#12', '#14', '!15']],
    ['LANG-788: Read UTF-8', ['LANG-788']],
    ['[LANG-788] Empty carts', ['LANG-788']],
    ['Read UTF-8 of acme/tools#16 and &#17;', []],
  ];
  for (const [message, expected] of tickets) assert.deepEqual(listTickets(message), expected);
});

test('lists only the tickets of the subject if a message lists many', () => {
  const list = Array.from({ length: 20 }, (_, i) => `- #${100 + i}`).join('\n');
  assert.deepEqual(listTickets(`Release 1.2 (#99)\n\n${list}`), ['#99']);
});

test('finds commits by ticket and id, also after they were written and read', () => {
  const edits = [{ path: 'shop/cart.py', from: null, definitions: ['Cart.total'] }];
  const [one, other] = [`abc1234${'0'.repeat(33)}`, `abc1235${'0'.repeat(33)}`];
  const history = HistoryIndex.fromCommits([
    { hash: one, time: 2, message: 'Round up (#12)', edits },
    { hash: other, time: 1, message: 'Round down\n\nSee #12', edits },
  ]);
  for (const index of [history, HistoryIndex.fromColumns(history.toColumns())]) {
    assert.deepEqual(index.getTicketCommits('#12'), [0, 1]);
    assert.deepEqual(index.getTicketCommits('#1'), []);
    assert.equal(index.findCommit('abc1234'), 0);
    assert.equal(index.findCommit('abc123'), undefined, 'two commits begin so');
    assert.deepEqual(index.findCommits([other, 'f'.repeat(40)]), [1]);
  }
});
