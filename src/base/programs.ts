/** Finds programs on this machine. Relative folders on the PATH are skipped, because they could be inside a repository. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';

/**
 * Returns the path of the first of these programs that is installed; null if none is. A name is searched for on the PATH.
 * An absolute path is used as it is; a `*` in it matches any part of a name. Runs nothing.
 * @param accepts returns false for a program to pass over
 */
export function findProgram(
  programs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
  accepts: (path: string) => boolean = () => true,
): string | null {
  const folders = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  const endings = platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  for (const program of programs) {
    const paths = isAbsolute(program)
      ? expandPattern(program)
      : folders.map((folder) => join(folder, program));
    for (const path of paths) {
      const found = endings
        .map((ending) => path + ending)
        .find((file) => isProgram(file) && accepts(file));
      if (found) return found;
    }
  }
  return null;
}

/** Lists the paths that match a pattern with at most one `*`, which stands for part of a name. The highest version comes first. */
function expandPattern(pattern: string): string[] {
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
    // There is no such file, or it is not executable.
    return false;
  }
}
