'use strict';

const { Site } = require('./site');
const { parsePage } = require('./front-matter');
const render = require('./template');

/**
 * Builds a folder of Markdown.
 * @param {string} source
 * @param {{ plugins?: Function[], drafts?: boolean }} options
 */
async function build(source, options = {}) {
  const site = new Site(source, options);
  for (const plugin of options.plugins ?? []) site.use(plugin);
  return site.load().then((loaded) => loaded.write());
}

module.exports = { build, Site, parsePage, render };
