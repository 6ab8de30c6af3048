const { escapeHtml } = require('./text');

const cache = new Map();

/** Fills a template: `{{ name }}` escaped, `{{{ name }}}` as it is. */
module.exports = function render(template, scope) {
  if (!cache.has(template)) cache.set(template, compile(template));
  return cache.get(template)(scope);
};

function compile(template) {
  const parts = template.split(/(\{\{\{?[^}]+\}?\}\})/);
  return (scope) => parts.map((part) => fill(part, scope)).join('');
}

function fill(part, scope) {
  const match = /^\{\{(\{?)\s*([\w.]+)\s*\}?\}\}$/.exec(part);
  if (!match) return part;
  const value = lookUp(match[2], scope);
  return match[1] ? value : escapeHtml(value);
}

function lookUp(path, scope) {
  return path.split('.').reduce((value, key) => value[key], scope);
}
