/** Addresses that a browser opens in Visual Studio Code. */

/**
 * Returns the address `vscode://file/…` of a line of a file. Encodes every character that could end the path. Returns null for a
 * path that is not absolute, leads out of the root, contains control characters or unpaired surrogates, or is on a network share,
 * which Windows would contact.
 * @param root absolute path of the repository, on Windows too
 * @param path path of the file, with slashes
 * @param line 1-based
 */
export function formatVsCodeUrl(root: string, path: string, line: number): string | null {
  const isWindows = /^[A-Za-z]:[\\/]/.test(root);
  const isPosix = /^\/(?!\/)/.test(root);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!(isWindows || isPosix) || /[\0-\x1f\x7f\p{Cs}]/u.test(root + path)) return null;
  const folders = (isWindows ? root.replaceAll('\\', '/') : root).split('/');
  const names = path.split('/');
  const hasBadName = names.some((name) => ['', '.', '..'].includes(name));
  if (hasBadName || folders.includes('..') || !Number.isSafeInteger(line) || line < 1) return null;
  const [drive = '', ...others] = [...folders, ...names];
  const rest = others.filter(Boolean).map(encodeURIComponent).join('/');
  return `vscode://file/${isWindows ? `${drive}/` : ''}${rest}:${line}`;
}
