import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseArrangement } from '../../src/renderer/shell/arrangement.ts';
import { formatFontFamilies, getCodeFont } from '../../src/renderer/ui/code-type.ts';

describe('the font of code', () => {
  it('has the user’s families, each quoted, and the app’s own', () => {
    assert.equal(formatFontFamilies(''), '"JetBrains Mono Variable"');
    assert.equal(
      formatFontFamilies('Fira Code, "Cascadia Mono",'),
      '"Fira Code", "Cascadia Mono", "JetBrains Mono Variable"',
    );
    assert.equal(
      formatFontFamilies('a"; color: red\\'),
      '"a\\"; color: red\\\\", "JetBrains Mono Variable"',
    );
  });

  it('has line heights in whole pixels', () => {
    const style = { fontFamily: 'X', fontSize: '17.5px', lineHeight: '26.6px' };
    assert.deepEqual(getCodeFont(style), { fontFamily: 'X', fontSize: 17.5, lineHeight: 27 });
  });
});

describe('the panes', () => {
  const at = (width: number, height: number, zoom = 1) =>
    chooseArrangement(width / (13 * zoom), height / (13 * zoom));

  it('are side by side if there is room, else stacked, else shown one at a time', () => {
    assert.equal(at(1440, 900), 'columns');
    assert.equal(at(1024, 768), 'columns');
    assert.equal(at(800, 900), 'stacked');
    assert.equal(at(640, 900), 'single');
    assert.equal(at(800, 450), 'single');
  });

  it('need more room for larger text', () => {
    assert.equal(at(1440, 900, 1.4), 'columns');
    assert.equal(at(1024, 900, 1.4), 'stacked');
    assert.equal(at(1440, 900, 2), 'single');
  });
});
