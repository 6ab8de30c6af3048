/** Builds the command that opens a file at a line in the user's editor: a program and its arguments, never a shell command line. */
import {
  EDITORS,
  type Editor,
  OTHER_TERMINAL_EDITORS,
  TERMINALS,
  type Terminal,
} from './editors.ts';
import { badInput, LocusError } from './errors.ts';

export interface EditorTarget {
  /** Absolute. */
  file: string;
  /** 1-based. */
  line: number;
}

export interface EditorMachine {
  platform: string;
  env: Record<string, string | undefined>;
  /** True if a user is at this process's terminal, as on the command line. */
  hasTerminal?: boolean;
  /**
   * Returns the full path of the first of these programs that can be run. Names are looked up on the PATH. In a path, `*`
   * matches any part of a folder's name; the highest match, such as the latest version, comes first.
   */
  find(programs: readonly string[]): string | null;
}

export interface EditorCommand {
  name: string;
  program: string;
  args: string[];
  /** True if it takes over the terminal of this process until it ends. */
  inTerminal?: true;
}

/** Remedy of every failure that another editor would avoid. */
export const CHOOSE_EDITOR = 'Choose an editor in Settings.';

/**
 * Builds the command that opens `target` in the editor of the setting.
 *
 * @param setting a key of `EDITORS`; a command with `{file}` and `{line}`, whose words may be quoted; or `system`, which means
 *   `$VISUAL` or `$EDITOR` if they can be shown, else the first of `EDITORS` that is installed.
 * @throws LocusError `bad-input` if the setting cannot be used, `not-found` if the editor is not installed.
 */
export function buildEditorCommand(
  setting: string,
  target: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(target.file)) {
    throw badInput(`The path ${target.file} is not absolute.`, 'Open the file again.');
  }
  const editor = Object.hasOwn(EDITORS, setting) ? EDITORS[setting] : undefined;
  if (editor) return buildListed(editor, target, machine);
  if (setting === 'system') return buildSystemDefault(target, machine);
  return buildFromTemplate(setting, target, machine);
}

/** Returns true if the setting is a command of the user's own, which a page must not start without the user's consent. */
export function isCustomEditor(setting: string): boolean {
  return setting !== 'system' && !Object.hasOwn(EDITORS, setting);
}

export interface InstalledEditors {
  /** Editors that are installed and can be shown; `id` is the value of the setting. */
  found: { id: string; name: string }[];
  /** Name of the editor that `system` opens; null if none exists. */
  system: string | null;
}

export function findEditors(machine: EditorMachine): InstalledEditors {
  return { found: foundEditors(machine), system: systemEditor(machine) };
}

/** Returns the editors of the table that can be started on this machine, in the order of the table. */
function foundEditors(machine: EditorMachine): InstalledEditors['found'] {
  return Object.entries(EDITORS)
    .filter(([, editor]) => findEditor(editor, machine) && canShow(editor, machine))
    .map(([id, { name }]) => ({ id, name }));
}

/** Returns the name of the editor that the setting `system` opens; null if none exists. */
function systemEditor(machine: EditorMachine): string | null {
  try {
    const file = machine.platform === 'win32' ? 'C:\\file' : '/file';
    return buildSystemDefault({ file, line: 1 }, machine).name;
  } catch {
    // This machine has no editor.
    return null;
  }
}

const findEditor = (editor: Editor, machine: EditorMachine): string | null =>
  machine.find([...listPathNames(editor.programs, machine), ...listPaths(editor, machine)]);

/** Returns true if there is a screen or a terminal for the editor. */
function canShow(editor: Editor, machine: EditorMachine): boolean {
  if (editor.terminal) return machine.hasTerminal || findTerminal(machine) !== null;
  return hasScreen(machine);
}

/** Returns true if windows can be shown. Linux needs a display; in WSL and remote sessions of VS Code, the host's editor shows the window. */
function hasScreen({ platform, env }: EditorMachine): boolean {
  const { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, VSCODE_IPC_HOOK_CLI } = env;
  return (
    platform !== 'linux' ||
    [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, VSCODE_IPC_HOOK_CLI].some(Boolean)
  );
}

function buildListed(editor: Editor, { file, line }: EditorTarget, machine: EditorMachine) {
  const { name, terminal } = editor;
  const program = findEditor(editor, machine);
  if (!program) throw new LocusError('not-found', `${name} was not found.`, CHOOSE_EDITOR);
  const args = editor.args(file, String(line));
  return terminal ? buildInTerminal(name, [program, ...args], machine) : { name, program, args };
}

/** Builds a command from `$VISUAL` or `$EDITOR`, if it can be shown, else from the first installed editor. */
function buildSystemDefault(target: EditorTarget, machine: EditorMachine): EditorCommand {
  let failure = new LocusError('not-found', 'No editor was found on this machine.', CHOOSE_EDITOR);
  const { VISUAL, EDITOR } = machine.env;
  for (const configured of [VISUAL, EDITOR]) {
    if (!configured) continue;
    try {
      return buildFromVariable(configured, target, machine);
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      failure = error;
    }
  }
  const [first] = foundEditors(machine);
  const editor = first && EDITORS[first.id];
  if (editor) return buildListed(editor, target, machine);
  throw failure;
}

/** Builds a command from the value of `$EDITOR`: the file is appended to it, and the line if the editor is a known one. */
function buildFromVariable(
  value: string,
  { file, line }: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  const [word, ...args] = splitWords(value);
  const program = findRunnable(word, machine);
  const name = getBaseName(word);
  const editor = Object.values(EDITORS).find(({ programs }) => programs.includes(name));
  const terminal = editor ? editor.terminal : OTHER_TERMINAL_EDITORS.includes(name);
  const allArgs = editor?.args(file, String(line)) ?? [
    ...args,
    ...(terminal ? [`+${line}`] : []),
    file,
  ];
  if (terminal) return buildInTerminal(name, [program, ...allArgs], machine);
  return { name: editor?.name ?? name, program, args: allArgs };
}

/** Runs the command in this process's own terminal if it has one, else in a new terminal window. */
function buildInTerminal(
  name: string,
  command: [string, ...string[]],
  machine: EditorMachine,
): EditorCommand {
  if (machine.hasTerminal) {
    const [program, ...args] = command;
    return { name, program, args, inTerminal: true };
  }
  const found = findTerminal(machine);
  if (found) return { name, program: found.program, args: [...found.before, ...command] };
  throw new LocusError('not-found', `No terminal was found to run ${name} in.`, CHOOSE_EDITOR);
}

function findTerminal(
  machine: EditorMachine,
): { program: string; before: readonly string[] } | null {
  const { platform } = machine;
  if (!hasScreen(machine)) return null;
  for (const terminal of TERMINALS) {
    const names = platform === 'linux' ? [terminal.program] : [];
    const program = machine.find([...names, ...listPaths(terminal, machine)]);
    if (program) return { program, before: terminal.leadingArgs };
  }
  return null;
}

/** Builds a command from a template. It is split into words before they are filled in, so that a path stays one argument. */
function buildFromTemplate(
  template: string,
  { file, line }: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  const [word, ...words] = splitWords(template);
  if (!words.some((argument) => argument.includes('{file}'))) {
    throw badInput(
      `The editor’s command has no {file}: ${template}`,
      'Add {file} to the command, or choose another editor in Settings.',
    );
  }
  const values: Record<string, string> = { '{file}': file, '{line}': String(line) };
  const args = words.map((argument) =>
    argument.replace(/\{file\}|\{line\}/g, (placeholder) => values[placeholder] ?? ''),
  );
  return { name: getBaseName(word), program: findRunnable(word, machine), args };
}

function findRunnable(word: string, machine: EditorMachine): string {
  const program = machine.find([word]);
  if (!program)
    throw new LocusError('not-found', `${word} was not found on this machine.`, CHOOSE_EDITOR);
  if (/\.(cmd|bat)$/i.test(program)) {
    throw badInput(
      `${program} is a batch file, which would run in a shell.`,
      'Enter the .exe file instead, or choose an editor in Settings.',
    );
  }
  return program;
}

/** Returns the program names to look up on the PATH; none on Windows, where a name may belong to a batch file. */
const listPathNames = (programs: readonly string[], { platform }: EditorMachine) =>
  platform === 'win32' ? [] : programs;

/** Returns possible paths of a program on this machine. A path with an unset variable is skipped. */
function listPaths({ paths }: Editor | Terminal, { platform, env }: EditorMachine): string[] {
  const byPlatform: Record<string, readonly string[] | undefined> = { ...paths };
  return (byPlatform[platform] ?? []).flatMap((path) => {
    const [, variable, rest] = /^%([^%]+)%(.*)$/s.exec(path) ?? [];
    if (variable === undefined) return [path];
    const value = env[variable];
    return value ? [value + rest] : [];
  });
}

/** Splits a command at spaces outside quotes. Nothing is expanded, and a backslash is an ordinary character, as Windows needs it. */
function splitWords(command: string): [string, ...string[]] {
  const [first, ...others] = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  if (first === undefined) throw badInput('The editor’s command is empty.', CHOOSE_EDITOR);
  return [first, ...others];
}

function getBaseName(program: string): string {
  return program.replace(/^.*[\\/]/s, '').replace(/\.exe$/i, '');
}
