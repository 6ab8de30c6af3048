/** `rg` and `git grep` as a person calls them for a word: matching lines, and how long that took. */
import { execFile } from 'node:child_process';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LARGEST_OUTPUT = 1 << 29;
/** Folders that somebody who is looking for code to fix leaves out. */
const NO_SOURCE = new Set(['tests', 'test', 'testing', 'docs', 'doc', 'examples']);

/** A line, 1-based; `path` is whole. */
export interface Line {
  path: string;
  line: number;
}

export interface Searched {
  /** In the order of paths, then of lines. */
  lines: Line[];
  /** From the call to the end of its output. */
  milliseconds: number;
}

/** How a word is searched for: fixed, whole, in capitals or not, in these folders. */
export interface Tool {
  name: string;
  search(word: string, folders: readonly string[]): Promise<Searched>;
}

/** @param program `rg`, or where it is */
export function ripgrep(program: string): Tool {
  const search = async (word: string, folders: readonly string[]) => {
    const args = ['-n', '-i', '-w', '-F', '-0', '--no-heading', '--color=never', '-e', word];
    const { output, milliseconds } = await timed(program, [...args, ...folders]);
    return { milliseconds, lines: linesOf(output, /^(.*?)\0(\d+):/, '') };
  };
  return { name: 'rg', search };
}

/** Outside of git, as the folders may be any; all files that `git add` would take. */
export const gitGrep: Tool = {
  name: 'git grep',
  search: async (word, folders) => {
    const args = ['-n', '-i', '-w', '-F', '-I', '-z', '-e', word, '--'];
    const all: Searched = { lines: [], milliseconds: 0 };
    for (const folder of folders) {
      const grep = ['-C', folder, 'grep', '--no-index', '--exclude-standard', ...args, '.'];
      const { output, milliseconds } = await timed('git', grep);
      all.lines.push(...linesOf(output, /^(.*?)\0(\d+)\0/, folder));
      all.milliseconds += milliseconds;
    }
    return all;
  },
};

async function timed(program: string, args: readonly string[]) {
  const start = performance.now();
  // They fail where nothing matches.
  const { stdout } = await run(program, args, { maxBuffer: LARGEST_OUTPUT }).catch((error) => {
    if (error.code === 1) return { stdout: '' };
    throw error;
  });
  return { output: stdout, milliseconds: performance.now() - start };
}

function linesOf(output: string, form: RegExp, folder: string): Line[] {
  const lines = output.split('\n').flatMap((text): Line[] => {
    const [, path, line] = form.exec(text) ?? [];
    if (path === undefined || line === undefined) return [];
    return [{ path: folder === '' ? path : join(folder, path), line: Number(line) }];
  });
  return lines.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** Without tests, docs and examples: nobody who is looking for code to fix reads those. */
export function inSource(lines: readonly Line[], folders: readonly string[]): Line[] {
  return lines.filter(({ path }) => {
    const folder = folders.find((one) => path.startsWith(`${one}/`)) ?? '';
    return !relative(folder, path)
      .split('/')
      .some((part) => NO_SOURCE.has(part));
  });
}
