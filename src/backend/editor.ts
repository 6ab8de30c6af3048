/** Starts the user's editor; the command itself is made in src/shared/editor-command.ts. */
import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import { type EditorMachine, editorCommand } from '../shared/editor-command.ts';
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
  const { name, program, args } = editorCommand(
    editor,
    { file: fileIn(root, path), line },
    machine,
  );
  const child = spawn(program, args, { cwd: root, stdio: 'ignore', detached: true, shell: false });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', ({ message }) =>
      reject(
        new LocusError('not-found', `${name} did not start: ${message}`, 'choose another editor'),
      ),
    );
  });
  child.unref();
  return name;
}

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

function thisMachine(): EditorMachine {
  const { env, platform } = process;
  return { env, platform, find: (programs) => findProgram(programs, env, platform) };
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
    const places = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
    for (const place of places) {
      const found = endings.map((ending) => place + ending).find(isProgram);
      if (found) return found;
    }
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
