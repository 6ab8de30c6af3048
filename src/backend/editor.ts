/** Starts the user's editor; the command itself is made in src/shared/editor-command.ts. */
import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  type EditorCommand,
  type EditorMachine,
  type EditorsHere,
  editorCommand,
  findEditors,
} from '../shared/editor-command.ts';
import { LocusError } from '../shared/errors.ts';

/**
 * Opens a file of a repository at a line (1-based) in the editor of the setting.
 * @returns the editor's name.
 * @throws LocusError `bad-input` when the path leads out of the root, `not-found` when file or editor are not there.
 */
export async function openInEditor(
  { root, path, line, editor }: { root: string; path: string; line: number; editor: string },
  machine: EditorMachine = thisMachine(),
): Promise<string> {
  const command = editorCommand(editor, { file: fileIn(root, path), line }, machine);
  if (command.inTerminal) await runHere(command, root);
  else await startApart(command, root);
  return command.name;
}

/** Editors that are installed here, and what is opened when none is chosen. */
export function editorsHere(): EditorsHere {
  return findEditors(thisMachine());
}

async function startApart({ name, program, args }: EditorCommand, cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: 'ignore', detached: true, shell: false });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(notStarted(name, error)));
  });
  child.unref();
}

/** Lends it the terminal until it ends. */
async function runHere({ name, program, args }: EditorCommand, cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: 'inherit', shell: false });
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve());
    child.once('error', (error) => reject(notStarted(name, error)));
  });
}

const notStarted = (name: string, { message }: Error): LocusError =>
  new LocusError('not-found', `${name} did not start: ${message}`, 'choose another editor');

/** Links do not lead out of the root either. */
function fileIn(root: string, path: string): string {
  let file: string;
  try {
    const folder = realpathSync(root);
    file = realpathSync(resolve(folder, path));
    const way = relative(folder, file);
    if (isAbsolute(way) || way.split(/[\\/]/)[0] === '..' || !statSync(file).isFile()) {
      throw new LocusError('bad-input', `${path} is not a file of ${root}`, 'choose another file');
    }
  } catch (error) {
    if (error instanceof LocusError) throw error;
    throw new LocusError('not-found', `${path} is not there any more`, 'wait for the index', {
      cause: error,
    });
  }
  return file;
}

/** @param ownTerminal whether an editor may take over the terminal of this process. */
export function thisMachine(ownTerminal = false): EditorMachine {
  const { env, platform } = process;
  return { env, platform, ownTerminal, find: (programs) => findProgram(programs, env, platform) };
}

function findProgram(
  programs: readonly string[],
  env: NodeJS.ProcessEnv,
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
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
