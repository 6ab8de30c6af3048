/** Starts the user's editor. `src/shared/editor-command.ts` builds the command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { findProgram } from '../base/programs.ts';
import { withoutCompileCache } from '../base/shared-compile-cache.ts';
import {
  buildEditorCommand,
  type EditorCommand,
  type EditorMachine,
  findEditors,
  type InstalledEditors,
} from '../shared/editor-command.ts';
import { badInput, LocusError } from '../shared/errors.ts';

/**
 * Opens a file of a repository at a line (1-based) in an editor.
 * @param editor value of the setting
 * @returns the editor's name
 * @throws LocusError `bad-input` if the path leads out of the root, `not-found` if file or editor are missing
 */
export async function openInEditor(
  { root, path, line, editor }: { root: string; path: string; line: number; editor: string },
  machine: EditorMachine = describeMachine(),
): Promise<string> {
  const command = buildEditorCommand(editor, { file: resolveFile(root, path), line }, machine);
  await start(command, root);
  return command.name;
}

export const listEditors = (): InstalledEditors => findEditors(describeMachine());

/** Starts an editor. One without a window uses this terminal until it exits. */
async function start(
  { name, program, args, inTerminal }: EditorCommand,
  cwd: string,
): Promise<void> {
  const stdio = inTerminal ? 'inherit' : 'ignore';
  const child = spawn(program, args, {
    cwd,
    stdio,
    detached: !inTerminal,
    env: withoutCompileCache(process.env),
  });
  try {
    await once(child, inTerminal ? 'close' : 'spawn');
  } catch (error) {
    const message = `${name} did not start: ${(error as Error).message}.`;
    throw new LocusError('not-found', message, 'Choose another editor.');
  }
  if (!inTerminal) child.unref();
}

/** Resolves the path of a file. Neither `..` nor links lead out of the root. */
function resolveFile(root: string, path: string): string {
  try {
    const folder = realpathSync(root);
    const file = realpathSync(resolve(folder, path));
    const relativePath = relative(folder, file);
    if (
      isAbsolute(relativePath) ||
      relativePath.split(/[\\/]/)[0] === '..' ||
      !statSync(file).isFile()
    ) {
      throw badInput(`${path} is not a file in ${root}.`, 'Choose another file.');
    }
    return file;
  } catch (error) {
    if (error instanceof LocusError) throw error;
    throw new LocusError(
      'not-found',
      `${path} no longer exists.`,
      'Wait until the index is updated.',
      { cause: error },
    );
  }
}

/** Describes this machine. @param ownTerminal true if an editor may use the terminal of this process */
export function describeMachine(ownTerminal = false): EditorMachine {
  const { env, platform } = process;
  return {
    env,
    platform,
    hasTerminal: ownTerminal,
    find: (programs) => findProgram(programs, env, platform),
  };
}
