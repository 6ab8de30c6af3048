const { EventEmitter } = require('events');
const fs = require('fs/promises');
const { join, relative, sep } = require('path');
const Markdown = require('./markdown');
const frontMatter = require('./front-matter');
const render = require('./template');
const { excerpt } = require('./text');

class Page {
  static compare = (a, b) => b.date - a.date;

  constructor(path, { attributes, body }) {
    this.path = path;
    this.attributes = attributes;
    this.body = body;
  }

  get date() {
    return this.attributes.date ?? new Date(0);
  }

  get isDraft() {
    return this.attributes.draft === true;
  }

  get url() {
    return `/${this.path.split(sep).join('/').replace(/(index)?\.md$/, '')}`;
  }

  toHtml(markdown) {
    return (this.html ??= markdown.render(this.body));
  }
}

/** All pages of a folder. Emits `page` for each that is written. */
class Site extends EventEmitter {
  #plugins = [];

  constructor(source, { out = join(source, '_site'), drafts = false } = {}) {
    super();
    this.source = source;
    this.out = out;
    this.drafts = drafts;
    this.pages = [];
    this.markdown = new Markdown();
  }

  use(plugin) {
    this.#plugins.push(plugin);
    return this;
  }

  async load() {
    for await (const path of walk(this.source)) {
      const text = await fs.readFile(path, 'utf8');
      this.pages.push(new Page(relative(this.source, path), frontMatter.parsePage(text, path)));
    }
    this.pages.sort(Page.compare);
    return this;
  }

  visible() {
    return this.pages.filter((page) => this.drafts || !page.isDraft);
  }

  async write() {
    const layout = await fs.readFile(join(this.source, 'layout.html'), 'utf8');
    for (const plugin of this.#plugins) await plugin(this);
    await Promise.all(this.visible().map((page) => this.writePage(page, layout)));
    return this.pages.length;
  }

  async writePage(page, layout) {
    const content = page.toHtml(this.markdown);
    const summary = excerpt(page.body);
    const html = render(layout, { ...page.attributes, page, content, summary });
    const target = join(this.out, page.url, 'index.html');
    await fs.mkdir(join(target, '..'), { recursive: true });
    await fs.writeFile(target, html);
    this.emit('page', page);
  }
}

async function* walk(folder) {
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (path.endsWith('.md')) yield path;
  }
}

module.exports = { Page, Site };
