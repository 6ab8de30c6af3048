const { Page } = require('../site');
const { slugify } = require('../text');

/** Adds a page for every tag, with the pages that have it. */
module.exports = (options = {}) => {
  const folder = options.folder ?? 'tags';

  return function tags(site) {
    const byTag = groupByTag(site.visible());
    for (const [tag, pages] of byTag) {
      site.pages.push(tagPage(tag, pages));
    }
  };

  function tagPage(tag, pages) {
    const body = pages.map((page) => `- [${page.attributes.title}](${page.url})`).join('\n');
    return new Page(`${folder}/${slugify(tag)}.md`, { attributes: { title: tag }, body });
  }
};

function groupByTag(pages) {
  const byTag = new Map();
  for (const page of pages) {
    for (const tag of page.attributes.tags ?? []) {
      if (!byTag.has(tag)) byTag.set(tag, []);
      byTag.get(tag).push(page);
    }
  }
  return byTag;
}
