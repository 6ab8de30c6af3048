/** How a file is opened at a line in the user's editor: a program and its arguments, never a line for a shell. */
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
  /** Whether a person sits at a terminal of this process, as on the command line. */
  ownTerminal?: boolean;
  /**
   * The first of these programs that can be run, as a full path. Names are looked up on the PATH; in a whole path, a `*`
   * stands for any part of a folder's name, the highest first.
   */
  find(programs: readonly string[]): string | null;
}

export interface EditorCommand {
  name: string;
  program: string;
  args: string[];
  /** It takes over the terminal of this process until it ends. */
  inTerminal?: true;
}

/** The remedy of every failure that another editor would not have. */
export const CHOOSE_EDITOR = 'choose an editor in Settings';

/**
 * The command that opens `target` in the editor of the setting.
 *
 * @param setting a key of `EDITORS`; a command with `{file}` and `{line}`, whose words may be quoted; or `system`:
 *   `$VISUAL` or `$EDITOR` where they can be shown, else the first of `EDITORS` that is installed.
 * @throws LocusError `bad-input` when the setting cannot be used, `not-found` when the editor is not here.
 */
export function editorCommand(
  setting: string,
  target: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(target.file)) {
    throw badInput(`${target.file} is not an absolute path`, 'open it again');
  }
  const editor = Object.hasOwn(EDITORS, setting) ? EDITORS[setting] : undefined;
  if (editor) return known(editor, target, machine);
  if (setting === 'system') return ofTheSystem(target, machine);
  return ofTemplate(setting, target, machine);
}

/** Whether the setting names a program of the user's own, which a page must not be able to start unasked. */
export function isCustomEditor(setting: string): boolean {
  return setting !== 'system' && !Object.hasOwn(EDITORS, setting);
}

export interface EditorsHere {
  /** Editors that are installed and can be shown; `id` is the value of the setting. */
  found: { id: string; name: string }[];
  /** The name of what `system` opens; null when nothing is found. */
  system: string | null;
}

export function findEditors(machine: EditorMachine): EditorsHere {
  return { found: foundEditors(machine), system: systemEditor(machine) };
}

/** Editors of the table that `editorCommand` would start on this machine, in its order. */
function foundEditors(machine: EditorMachine): EditorsHere['found'] {
  return Object.entries(EDITORS)
    .filter(([, editor]) => findEditor(editor, machine) && canShow(editor, machine))
    .map(([id, { name }]) => ({ id, name }));
}

/** What the setting `system` opens here, for people; null when there is nothing. */
function systemEditor(machine: EditorMachine): string | null {
  try {
    const file = machine.platform === 'win32' ? 'C:\\file' : '/file';
    return ofTheSystem({ file, line: 1 }, machine).name;
  } catch {
    // The system opens nothing here.
    return null;
  }
}

const findEditor = (editor: Editor, machine: EditorMachine): string | null =>
  machine.find([...pathNames(editor.programs, machine), ...placesOf(editor, machine)]);

/** Whether there is a screen or a terminal for it. */
function canShow(editor: Editor, machine: EditorMachine): boolean {
  if (editor.terminal) return machine.ownTerminal || findTerminal(machine) !== null;
  return hasScreen(machine);
}

/** On Linux windows need a display; where the desktop is another system's, its editors bring their own. */
function hasScreen({ platform, env }: EditorMachine): boolean {
  const { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, VSCODE_IPC_HOOK_CLI } = env;
  return (
    platform !== 'linux' ||
    [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, VSCODE_IPC_HOOK_CLI].some(Boolean)
  );
}

function known(editor: Editor, { file, line }: EditorTarget, machine: EditorMachine) {
  const { name, terminal } = editor;
  const program = findEditor(editor, machine);
  if (!program) throw new LocusError('not-found', `${name} was not found`, CHOOSE_EDITOR);
  const args = editor.args(file, String(line));
  return terminal ? inTerminal(name, [program, ...args], machine) : { name, program, args };
}

/** What the user says to the system comes first, where it can be shown; then whatever is installed. */
function ofTheSystem(target: EditorTarget, machine: EditorMachine): EditorCommand {
  let failure = new LocusError('not-found', 'no editor was found on this machine', CHOOSE_EDITOR);
  const { VISUAL, EDITOR } = machine.env;
  for (const configured of [VISUAL, EDITOR]) {
    if (!configured) continue;
    try {
      return ofVariable(configured, target, machine);
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      failure = error;
    }
  }
  const [first] = foundEditors(machine);
  const editor = first && EDITORS[first.id];
  if (editor) return known(editor, target, machine);
  throw failure;
}

/** `$EDITOR` is a command to which a file is appended; known ones are told the line as well. */
function ofVariable(
  value: string,
  { file, line }: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  const [word, ...args] = wordsOf(value);
  const program = runnable(word, machine);
  const name = baseName(word);
  const editor = Object.values(EDITORS).find(({ programs }) => programs.includes(name));
  const terminal = editor ? editor.terminal : OTHER_TERMINAL_EDITORS.includes(name);
  const told = editor?.args(file, String(line)) ?? [
    ...args,
    ...(terminal ? [`+${line}`] : []),
    file,
  ];
  if (terminal) return inTerminal(name, [program, ...told], machine);
  return { name: editor?.name ?? name, program, args: told };
}

/** In the terminal that this process has, if it has one to lend, else in a window. */
function inTerminal(
  name: string,
  command: [string, ...string[]],
  machine: EditorMachine,
): EditorCommand {
  if (machine.ownTerminal) {
    const [program, ...args] = command;
    return { name, program, args, inTerminal: true };
  }
  const found = findTerminal(machine);
  if (found) return { name, program: found.program, args: [...found.before, ...command] };
  throw new LocusError('not-found', `there is no terminal to run ${name} in`, CHOOSE_EDITOR);
}

function findTerminal(
  machine: EditorMachine,
): { program: string; before: readonly string[] } | null {
  const { platform } = machine;
  if (!hasScreen(machine)) return null;
  for (const terminal of TERMINALS) {
    const names = platform === 'linux' ? [terminal.program] : [];
    const program = machine.find([...names, ...placesOf(terminal, machine)]);
    if (program) return { program, before: terminal.before };
  }
  return null;
}

/** Words are told apart before anything is put into them, so that a path is one argument whatever it contains. */
function ofTemplate(
  template: string,
  { file, line }: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  const [word, ...words] = wordsOf(template);
  if (!words.some((argument) => argument.includes('{file}'))) {
    throw badInput(`the editor’s command has no {file}: ${template}`, CHOOSE_EDITOR);
  }
  const values: Record<string, string> = { '{file}': file, '{line}': String(line) };
  const args = words.map((argument) =>
    argument.replace(/\{file\}|\{line\}/g, (placeholder) => values[placeholder] ?? ''),
  );
  return { name: baseName(word), program: runnable(word, machine), args };
}

function runnable(word: string, machine: EditorMachine): string {
  const program = machine.find([word]);
  if (!program)
    throw new LocusError('not-found', `${word} was not found on this machine`, CHOOSE_EDITOR);
  if (/\.(cmd|bat)$/i.test(program)) {
    throw badInput(
      `${program} is a batch file, which runs in a shell`,
      'name the .exe instead, or choose an editor in Settings',
    );
  }
  return program;
}

/** On Windows a name on the PATH may be that of a batch file. */
const pathNames = (programs: readonly string[], { platform }: EditorMachine) =>
  platform === 'win32' ? [] : programs;

/** Where a program may be on this machine; a place under a variable that is not set is none. */
function placesOf({ places }: Editor | Terminal, { platform, env }: EditorMachine): string[] {
  const known: Record<string, readonly string[] | undefined> = { ...places };
  return (known[platform] ?? []).flatMap((place) => {
    const [, variable, rest] = /^%([^%]+)%(.*)$/s.exec(place) ?? [];
    if (variable === undefined) return [place];
    const value = env[variable];
    return value ? [value + rest] : [];
  });
}

/** Splits at blanks outside of quotes; nothing is expanded. A backslash is a character like any other, for Windows. */
function wordsOf(command: string): [string, ...string[]] {
  const [first, ...others] = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  if (first === undefined) throw badInput('the editor’s command is empty', CHOOSE_EDITOR);
  return [first, ...others];
}

function baseName(program: string): string {
  return program.replace(/^.*[\\/]/s, '').replace(/\.exe$/i, '');
}
