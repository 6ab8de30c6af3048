const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const text = {
  escapeHtml(value) {
    return String(value).replace(/[&<>"]/g, (character) => ENTITIES[character]);
  },

  /** A heading as the end of a URL. */
  slugify: (value) =>
    value
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),

  excerpt(value, words = 40) {
    const all = value.split(/\s+/);
    return all.length > words ? `${all.slice(0, words).join(' ')}…` : value;
  },
};

module.exports = text;
