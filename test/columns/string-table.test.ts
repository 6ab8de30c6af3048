import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packStrings, StringTable } from '../../src/engine/columns/string-table.ts';

test('all strings together are the same as one by one, ASCII or not', () => {
  for (const strings of [[], ['a.py', '', 'src/b.py'], ['a.py', 'größe/ñ.py', '', '数.py', '😀']]) {
    const table = new StringTable(packStrings(strings));
    assert.deepEqual(table.getTexts(), strings);
    assert.deepEqual(
      table.getTexts(),
      strings.map((_, number) => table.getText(number)),
    );
  }
});
