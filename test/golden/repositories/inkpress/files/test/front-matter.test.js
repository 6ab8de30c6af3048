const assert = require('assert');
const { parsePage, FrontMatterError } = require('../lib/front-matter');

describe('parsePage', () => {
  it('reads attributes', () => {
    const { attributes } = parsePage('---\ntitle: Hello\ntags: [a, b]\n---\nBody', 'a.md');
    assert.deepEqual(attributes, { title: 'Hello', tags: ['a', 'b'] });
  });

  it('names the line that is wrong', () => {
    assert.throws(() => parsePage('---\noops\n---\n', 'a.md'), FrontMatterError);
  });
});
