/** Sizes of the parts of the npm packages. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';

/**
 * Returns a Markdown table of staged packages in MB (1,000,000 bytes), largest first, and the size of each download.
 * @param staged folder with a folder for each package
 */
export function renderSizes(staged: string, tarballs: readonly string[]): string {
  const sizes = new Map<string, number>();
  let files = 0;
  for (const entry of readdirSync(staged, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [, ...inPackage] = path.slice(staged.length + 1).split(sep);
    const part = getPart(inPackage.join('/'));
    sizes.set(part, (sizes.get(part) ?? 0) + statSync(path).size);
    files++;
  }
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const rows = [...sizes].sort(([, a], [, b]) => b - a);
  return [
    '| part | MB |',
    '|---|---|',
    ...rows.map(([part, size]) => `| ${part} | ${megabytes(size)} |`),
    `| **installed**, ${files} files | **${megabytes(total)}** |`,
    ...tarballs.map(
      (path) => `| to download: ${basename(path)} | ${megabytes(statSync(path).size)} |`,
    ),
  ].join('\n');
}

/** Returns the part that a file belongs to: a package, a model or a folder; all grammars are one part. */
function getPart(path: string): string {
  const [first = '', second = '', third = ''] = path.split('/');
  if (first === 'node_modules') {
    const name = second.startsWith('@') ? `${second}/${third}` : second;
    return name.includes('tree-sitter-') ? 'grammars' : `\`${name}\``;
  }
  if (/^(?:bag|coret)-\d/.test(first)) return `models/${first}`;
  if (first === 'models' || first === 'out') return `${first}/${second}`;
  return second === '' ? 'other files' : `${first}/`;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1);
