const { slugify, escapeHtml } = require('./text');

/** Turns Markdown into HTML, block by block. */
function Markdown(options) {
  this.options = Object.assign({ anchors: true }, options);
  this.headings = [];
}

Markdown.prototype.render = function (text) {
  this.headings = [];
  return text
    .split(/\n{2,}/)
    .map((block) => this.block(block))
    .join('\n');
};

Markdown.prototype.block = function (block) {
  const heading = /^(#{1,6}) (.*)/.exec(block);
  if (heading) return this.heading(heading[1].length, heading[2]);
  if (block.startsWith('```')) return this.code(block);
  if (/^[-*] /.test(block)) return this.list(block);
  return `<p>${inline(block)}</p>`;
};

Markdown.prototype.heading = function (level, text) {
  const id = slugify(text);
  this.headings.push({ level, text, id });
  const anchor = this.options.anchors ? ` id="${id}"` : '';
  return `<h${level}${anchor}>${inline(text)}</h${level}>`;
};

Markdown.prototype.code = function (block) {
  const [first, ...lines] = block.split('\n');
  const language = first.slice(3).trim();
  return `<pre class="${language}">${lines.slice(0, -1).join('\n')}</pre>`;
};

Markdown.prototype.list = function (block) {
  const items = block.split('\n').map((line) => `<li>${inline(line.slice(2))}</li>`);
  return `<ul>${items.join('')}</ul>`;
};

function inline(text) {
  return escapeHtml(text)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/\[(.+?)\]\((.+?)\)/g, (_, label, href) => link(label, href));

  function link(label, href) {
    const external = /^https?:/.test(href) ? ' rel="noopener"' : '';
    return `<a href="${href}"${external}>${label}</a>`;
  }
}

module.exports = Markdown;
