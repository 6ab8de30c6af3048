const fs = require('fs/promises');
const path = require('path');
const { escapeHtml, excerpt } = require('../text');

function item(page, base) {
  return `<item><title>${escapeHtml(page.attributes.title)}</title><link>${base}${page.url}</link><description>${excerpt(page.body)}</description></item>`;
}

/** Writes `feed.xml` with the latest pages. */
module.exports = ({ base, limit = 20 }) =>
  async function feed(site) {
    const items = site.visible().slice(0, limit).map((page) => item(page, base));
    await fs.writeFile(path.join(site.out, 'feed.xml'), `<rss><channel>${items.join('')}</channel></rss>`);
  };
