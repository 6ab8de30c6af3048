/** Starts the user's editor; the command itself is made in src/shared/editor-command.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { findProgram } from '../services/programs.ts';
import {
  type EditorCommand,
  type EditorMachine,
  type EditorsHere,
  editorCommand,
  findEditors,
} from '../shared/editor-command.ts';
import { badInput, LocusError } from '../shared/errors.ts';

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
  await start(command, root);
  return command.name;
}

export const editorsHere = (): EditorsHere => findEditors(thisMachine());

/** Lends an editor without a window the terminal until it ends. */
async function start(
  { name, program, args, inTerminal }: EditorCommand,
  cwd: string,
): Promise<void> {
  const stdio = inTerminal ? 'inherit' : 'ignore';
  const child = spawn(program, args, { cwd, stdio, detached: !inTerminal });
  try {
    await once(child, inTerminal ? 'close' : 'spawn');
  } catch (error) {
    const text = `${name} did not start: ${(error as Error).message}`;
    throw new LocusError('not-found', text, 'choose another editor');
  }
  if (!inTerminal) child.unref();
}

/** Links do not lead out of the root either. */
function fileIn(root: string, path: string): string {
  try {
    const folder = realpathSync(root);
    const file = realpathSync(resolve(folder, path));
    const way = relative(folder, file);
    if (isAbsolute(way) || way.split(/[\\/]/)[0] === '..' || !statSync(file).isFile()) {
      throw badInput(`${path} is not a file of ${root}`, 'choose another file');
    }
    return file;
  } catch (error) {
    if (error instanceof LocusError) throw error;
    throw new LocusError('not-found', `${path} is not there any more`, 'wait for the index', {
      cause: error,
    });
  }
}

/** @param ownTerminal whether an editor may take over the terminal of this process. */
export function thisMachine(ownTerminal = false): EditorMachine {
  const { env, platform } = process;
  return { env, platform, ownTerminal, find: (programs) => findProgram(programs, env, platform) };
}
