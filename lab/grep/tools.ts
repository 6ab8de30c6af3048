/** Runs `rg` and `git grep` for a word, as a person does. Returns matching lines and the time. */
import { execFile } from 'node:child_process';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LARGEST_OUTPUT = 1 << 29;
/** Folders that a person who looks for code to fix skips. */
const NO_SOURCE = new Set(['tests', 'test', 'testing', 'docs', 'doc', 'examples']);

/** A line of a file, 1-based, with an absolute path. */
export interface Line {
  path: string;
  line: number;
}

export interface Searched {
  /** Matching lines, ordered by path, then by line. */
  lines: Line[];
  /** Time from the call to the end of its output. */
  milliseconds: number;
}

/** Tool that searches folders for a whole, fixed word in any case. */
export interface Tool {
  name: string;
  search(word: string, folders: readonly string[]): Promise<Searched>;
}

/**
 * Returns ripgrep as a tool.
 * @param program `rg`, or its path
 */
export function ripgrep(program: string): Tool {
  const search = async (word: string, folders: readonly string[]) => {
    const args = ['-n', '-i', '-w', '-F', '-0', '--no-heading', '--color=never', '-e', word];
    const { output, milliseconds } = await timeCommand(program, [...args, ...folders]);
    return { milliseconds, lines: parseLines(output, /^(.*?)\0(\d+):/, '') };
  };
  return { name: 'rg', search };
}

/** `git grep` outside of a repository, since the folders may be any. Searches all files that `git add` would take. */
export const gitGrep: Tool = {
  name: 'git grep',
  search: async (word, folders) => {
    const args = ['-n', '-i', '-w', '-F', '-I', '-z', '-e', word, '--'];
    const all: Searched = { lines: [], milliseconds: 0 };
    for (const folder of folders) {
      const grep = ['-C', folder, 'grep', '--no-index', '--exclude-standard', ...args, '.'];
      const { output, milliseconds } = await timeCommand('git', grep);
      all.lines.push(...parseLines(output, /^(.*?)\0(\d+)\0/, folder));
      all.milliseconds += milliseconds;
    }
    return all;
  },
};

async function timeCommand(program: string, args: readonly string[]) {
  const start = performance.now();
  // Both tools exit with 1 if nothing matches.
  const { stdout } = await run(program, args, { maxBuffer: LARGEST_OUTPUT }).catch((error) => {
    if (error.code === 1) return { stdout: '' };
    throw error;
  });
  return { output: stdout, milliseconds: performance.now() - start };
}

function parseLines(output: string, form: RegExp, folder: string): Line[] {
  const lines = output.split('\n').flatMap((text): Line[] => {
    const [, path, line] = form.exec(text) ?? [];
    if (path === undefined || line === undefined) return [];
    return [{ path: folder === '' ? path : join(folder, path), line: Number(line) }];
  });
  return lines.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** Removes lines of tests, docs and examples, which a person who looks for code to fix skips. */
export function filterSource(lines: readonly Line[], folders: readonly string[]): Line[] {
  return lines.filter(({ path }) => {
    const folder = folders.find((one) => path.startsWith(`${one}/`)) ?? '';
    return !relative(folder, path)
      .split('/')
      .some((part) => NO_SOURCE.has(part));
  });
}
