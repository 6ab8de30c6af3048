// How a plugin is written.
module.exports = function wordCount(site) {
  for (const page of site.pages) page.attributes.words = page.body.split(/\s+/).length;
};
