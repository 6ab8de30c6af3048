const FENCE = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/;

/** Splits a page into its attributes and its body. */
exports.parsePage = function parsePage(text, path) {
  const match = FENCE.exec(text);
  const attributes = match ? parseAttributes(match[1], path) : {};
  return { attributes, body: match ? text.slice(match[0].length) : text };
};

function parseAttributes(block, path) {
  const attributes = {};
  block.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return;
    const colon = line.indexOf(':');
    if (colon < 0) throw new FrontMatterError(path, i + 2, line);
    attributes[line.slice(0, colon).trim()] = parseValue(line.slice(colon + 1).trim());
  });
  return attributes;
}

const parseValue = (text) => {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^\[.*\]$/.test(text)) return text.slice(1, -1).split(',').map((item) => item.trim());
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return new Date(text);
  return text;
};

class FrontMatterError extends Error {
  constructor(path, line, text) {
    super(`${path}:${line}: no attribute: ${text}`);
    this.path = path;
  }
}

exports.FrontMatterError = FrontMatterError;
