/** How a file is opened at a line in the user's editor: a program and its arguments, never a line for a shell. */
import { LocusError } from './errors.ts';

export interface EditorTarget {
  /** Absolute. */
  file: string;
  /** 1-based. */
  line: number;
}

export interface EditorMachine {
  platform: string;
  env: Record<string, string | undefined>;
  /** The first of these programs that can be run, as a full path; names are looked up on the PATH. */
  find(programs: readonly string[]): string | null;
}

export interface EditorCommand {
  /** For people. */
  name: string;
  program: string;
  args: string[];
}

interface Editor {
  name: string;
  /** On the PATH of Linux and macOS; also how `$EDITOR` is recognised. */
  programs: string[];
  /** Where macOS has it when nothing is on the PATH, which is how apps are started there. */
  mac?: string[];
  /** Programs, not the batch files beside them: those would be read by a shell. */
  windows?: string[];
  args: (file: string, line: string) => string[];
}

const goto = (file: string, line: string) => ['--goto', `${file}:${line}`];
const withLine = (file: string, line: string) => [`${file}:${line}`];
const jetbrains = (file: string, line: string) => ['--line', line, file];
const plusLine = (file: string, line: string) => [`+${line}`, file];

/** Editors with a window of their own, by the value of the setting. */
export const EDITORS: Record<string, Editor> = {
  vscode: {
    name: 'Visual Studio Code',
    programs: ['code', 'code-insiders'],
    mac: ['/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code'],
    windows: [
      '%LOCALAPPDATA%\\Programs\\Microsoft VS Code\\Code.exe',
      '%ProgramFiles%\\Microsoft VS Code\\Code.exe',
    ],
    args: goto,
  },
  vscodium: {
    name: 'VSCodium',
    programs: ['codium', 'vscodium'],
    mac: ['/Applications/VSCodium.app/Contents/Resources/app/bin/codium'],
    windows: [
      '%LOCALAPPDATA%\\Programs\\VSCodium\\VSCodium.exe',
      '%ProgramFiles%\\VSCodium\\VSCodium.exe',
    ],
    args: goto,
  },
  cursor: {
    name: 'Cursor',
    programs: ['cursor'],
    mac: ['/Applications/Cursor.app/Contents/Resources/app/bin/cursor'],
    windows: ['%LOCALAPPDATA%\\Programs\\cursor\\Cursor.exe'],
    args: goto,
  },
  pycharm: {
    name: 'PyCharm',
    programs: ['pycharm', 'pycharm-professional', 'pycharm-community', 'charm'],
    mac: [
      '/Applications/PyCharm.app/Contents/MacOS/pycharm',
      '/Applications/PyCharm CE.app/Contents/MacOS/pycharm',
    ],
    windows: ['pycharm64.exe', '%LOCALAPPDATA%\\Programs\\PyCharm\\bin\\pycharm64.exe'],
    args: jetbrains,
  },
  idea: {
    name: 'IntelliJ IDEA',
    programs: ['idea', 'intellij-idea-ultimate', 'intellij-idea-community'],
    mac: [
      '/Applications/IntelliJ IDEA.app/Contents/MacOS/idea',
      '/Applications/IntelliJ IDEA CE.app/Contents/MacOS/idea',
    ],
    windows: ['idea64.exe', '%LOCALAPPDATA%\\Programs\\IntelliJ IDEA\\bin\\idea64.exe'],
    args: jetbrains,
  },
  zed: {
    name: 'Zed',
    programs: ['zed', 'zeditor'],
    mac: ['/Applications/Zed.app/Contents/MacOS/cli'],
    windows: ['%LOCALAPPDATA%\\Programs\\Zed\\bin\\zed.exe'],
    args: withLine,
  },
  sublime: {
    name: 'Sublime Text',
    programs: ['subl'],
    mac: ['/Applications/Sublime Text.app/Contents/SharedSupport/bin/subl'],
    windows: ['%ProgramFiles%\\Sublime Text\\subl.exe'],
    args: withLine,
  },
  emacs: {
    name: 'Emacs',
    programs: ['emacsclient'],
    windows: ['emacsclientw.exe'],
    args: (file, line) => ['--no-wait', ...plusLine(file, line)],
  },
  gvim: {
    name: 'GVim',
    programs: ['gvim', 'mvim'],
    windows: ['gvim.exe'],
    args: plusLine,
  },
};

const TERMINAL_EDITORS = ['vi', 'vim', 'nvim', 'nano', 'micro', 'emacs', 'kak', 'hx', 'helix'];
const TERMINALS: [program: string, before: string[]][] = [
  ['x-terminal-emulator', ['-e']],
  ['gnome-terminal', ['--']],
  ['konsole', ['-e']],
  ['kitty', []],
  ['alacritty', ['-e']],
  ['xterm', ['-e']],
];

const CHOOSE = 'choose an editor in Settings';

/**
 * The command that opens `target` in the editor of the setting.
 *
 * @param setting a key of `EDITORS`; a command with `{file}` and `{line}`, whose words may be quoted; or `system`:
 *   `$VISUAL`, else `$EDITOR`, else the first of `EDITORS` that is installed.
 * @throws LocusError `bad-input` when the setting cannot be used, `not-found` when the editor is not here.
 */
export function editorCommand(
  setting: string,
  target: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  if (!/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(target.file)) {
    throw new LocusError('bad-input', `${target.file} is not an absolute path`, 'open it again');
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

function known(editor: Editor, { file, line }: EditorTarget, machine: EditorMachine) {
  const program = machine.find(placesOf(editor, machine));
  if (!program) throw new LocusError('not-found', `${editor.name} was not found`, CHOOSE);
  return { name: editor.name, program, args: editor.args(file, String(line)) };
}

function ofTheSystem(target: EditorTarget, machine: EditorMachine): EditorCommand {
  const configured = machine.env.VISUAL || machine.env.EDITOR;
  if (configured) return ofVariable(configured, target, machine);
  for (const editor of Object.values(EDITORS)) {
    if (machine.find(placesOf(editor, machine))) return known(editor, target, machine);
  }
  throw new LocusError('not-found', 'no editor was found on this machine', CHOOSE);
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
  if (editor) return { name: editor.name, program, args: editor.args(file, String(line)) };
  if (!TERMINAL_EDITORS.includes(name)) return { name, program, args: [...args, file] };
  const position = ['hx', 'helix'].includes(name) ? [`${file}:${line}`] : [`+${line}`, file];
  return inTerminal(name, [program, ...args, ...position], machine);
}

function inTerminal(name: string, command: string[], machine: EditorMachine): EditorCommand {
  for (const [terminal, before] of TERMINALS) {
    const program = machine.platform === 'linux' ? machine.find([terminal]) : null;
    if (program) return { name, program, args: [...before, ...command] };
  }
  throw new LocusError('not-found', `there is no terminal to run ${name} in`, CHOOSE);
}

/** Words are told apart before anything is put into them, so that a path is one argument whatever it contains. */
function ofTemplate(
  template: string,
  { file, line }: EditorTarget,
  machine: EditorMachine,
): EditorCommand {
  const [word, ...words] = wordsOf(template);
  if (!words.some((argument) => argument.includes('{file}'))) {
    throw new LocusError('bad-input', `the editor’s command has no {file}: ${template}`, CHOOSE);
  }
  const values: Record<string, string> = { '{file}': file, '{line}': String(line) };
  const args = words.map((argument) =>
    argument.replace(/\{file\}|\{line\}/g, (placeholder) => values[placeholder] ?? ''),
  );
  return { name: baseName(word), program: runnable(word, machine), args };
}

function runnable(word: string, machine: EditorMachine): string {
  const program = machine.find([word]);
  if (!program) throw new LocusError('not-found', `${word} was not found on this machine`, CHOOSE);
  if (/\.(cmd|bat)$/i.test(program)) {
    throw new LocusError(
      'bad-input',
      `${program} is a batch file, which runs in a shell`,
      'name the .exe instead, or choose an editor in Settings',
    );
  }
  return program;
}

function placesOf(editor: Editor, { platform, env }: EditorMachine): string[] {
  if (platform !== 'win32') {
    return platform === 'darwin' ? [...editor.programs, ...(editor.mac ?? [])] : editor.programs;
  }
  return (editor.windows ?? []).map((place) =>
    place.replace(/%(\w+)%/g, (_, variable) => env[variable] ?? ''),
  );
}

/** Splits at blanks outside of quotes; nothing is expanded. A backslash is a character like any other, for Windows. */
function wordsOf(command: string): [string, ...string[]] {
  const [first, ...others] = [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  if (first === undefined)
    throw new LocusError('bad-input', 'the editor’s command is empty', CHOOSE);
  return [first, ...others];
}

function baseName(program: string): string {
  return program.replace(/^.*[\\/]/s, '').replace(/\.exe$/i, '');
}
