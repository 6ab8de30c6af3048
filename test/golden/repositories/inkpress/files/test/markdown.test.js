const assert = require('assert');
const Markdown = require('../lib/markdown');

describe('Markdown', function () {
  it('gives headings ids', () => {
    assert.equal(new Markdown().render('# Hello World'), '<h1 id="hello-world">Hello World</h1>');
  });

  it('escapes what is no markup', () => {
    assert.match(new Markdown().render('a < b'), /&lt;/);
  });
});
