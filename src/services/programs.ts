/** Programs of this machine. Folders of the PATH that are relative are left out: they would be those of a repository. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';

/**
 * The first of these programs that is installed: a name is looked for in the folders of the PATH, an absolute path, in
 * which a `*` is any part of a name, as it is. Runs nothing.
 */
export function findProgram(
  programs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | null {
  const folders = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  const endings = platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  for (const program of programs) {
    const places = isAbsolute(program)
      ? expanded(program)
      : folders.map((folder) => join(folder, program));
    for (const place of places) {
      const found = endings.map((ending) => place + ending).find(isProgram);
      if (found) return found;
    }
  }
  return null;
}

/** The paths that a pattern stands for: a `*` in it is any part of a name, the highest version first. */
function expanded(pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  const [start, ...rest] = pattern.split('*');
  if (start === undefined || rest.length !== 1) return [];
  const [end = ''] = rest;
  const folder = start.endsWith('/') || start.endsWith('\\') ? start : dirname(start);
  const prefix = folder === start ? '' : basename(start);
  const cut = end.search(/[\\/]/);
  const [suffix, below] = cut < 0 ? [end, ''] : [end.slice(0, cut), end.slice(cut)];
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .map((name) => join(folder, name) + below);
  } catch {
    // The folder is missing or unreadable.
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not a program.
    return false;
  }
}
