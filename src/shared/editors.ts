/** Known editors: their names, the paths of their programs, and their arguments for a file and a line. */

/** Possible paths of a program that is not on the PATH. `%NAME%` is an environment variable, `*` matches a version. */
interface ProgramPaths {
  darwin?: readonly string[];
  linux?: readonly string[];
  win32?: readonly string[];
}

export interface Editor {
  name: string;
  /** Names on the PATH of Linux and macOS. An editor in `$EDITOR` is recognized by them too. */
  programs: readonly string[];
  /** On Windows, these are programs and not the batch files next to them, which would run in a shell. */
  paths: ProgramPaths;
  /** True if it has no window of its own and runs in a terminal. */
  terminal?: true;
  args: (file: string, line: string) => string[];
}

export interface Terminal {
  program: string;
  paths: ProgramPaths;
  /** Arguments before the command to run, whose words follow as arguments of their own. */
  leadingArgs: readonly string[];
}

const goto = (file: string, line: string) => ['--goto', `${file}:${line}`];
const withLine = (file: string, line: string) => [`${file}:${line}`];
const plusLine = (file: string, line: string) => [`+${line}`, file];

/** Returns the paths of programs installed by snap and flatpak, which may be missing from the PATH of a desktop session. */
const linux = (snaps: readonly string[], flatpaks: readonly string[]): string[] => [
  ...snaps.map((snap) => `/snap/bin/${snap}`),
  ...flatpaks.flatMap((id) => [
    `/var/lib/flatpak/exports/bin/${id}`,
    `%HOME%/.local/share/flatpak/exports/bin/${id}`,
  ]),
];

/** Returns the paths of apps in /Applications, for all users and for the current one. */
const mac = (...inside: string[]): string[] =>
  inside.flatMap((path) => [`/Applications/${path}`, `%HOME%/Applications/${path}`]);

/** Returns the paths of programs installed for one user or for all. */
const windows = (...inside: string[]): string[] =>
  inside.flatMap((path) => [
    `%LOCALAPPDATA%\\Programs\\${path}`,
    `%ProgramFiles%\\${path}`,
    `%ProgramFiles(x86)%\\${path}`,
  ]);

/** Describes Visual Studio Code or a fork of it, which has the same command line under another name. */
function code(
  name: string,
  programs: readonly string[],
  { app, windowsFolder, flatpak }: { app: string; windowsFolder: string; flatpak?: string },
): Editor {
  const [program = ''] = programs;
  return {
    name,
    programs,
    paths: {
      darwin: mac(`${app}.app/Contents/Resources/app/bin/${program}`),
      linux: linux([program], flatpak ? [flatpak] : []),
      win32: windows(windowsFolder),
    },
    args: goto,
  };
}

/** Describes a JetBrains IDE, installed by Toolbox, an installer, snap or flatpak. */
function jetbrains(
  name: string,
  program: string,
  {
    also = [],
    apps = [name],
    flatpaks = [],
  }: { also?: string[]; apps?: string[]; flatpaks?: string[] } = {},
): Editor {
  const programs = [program, ...also];
  return {
    name,
    programs,
    paths: {
      darwin: [
        `%HOME%/Library/Application Support/JetBrains/Toolbox/scripts/${program}`,
        ...mac(...apps.map((app) => `${app}.app/Contents/MacOS/${program}`)),
      ],
      linux: [
        `%HOME%/.local/share/JetBrains/Toolbox/scripts/${program}`,
        ...linux(programs, flatpaks),
        `/opt/${program}*/bin/${program}`,
        `/opt/${program}*/bin/${program}.sh`,
      ],
      win32: windows(
        ...apps.map((app) => `${app}*\\bin\\${program}64.exe`),
        ...apps.map((app) => `JetBrains\\${app}*\\bin\\${program}64.exe`),
      ),
    },
    args: (file, line) => ['--line', line, file],
  };
}

/** Known editors by the value of the setting `editor`. Those with a window come first, since `system` opens the first one found. */
export const EDITORS: Record<string, Editor> = {
  vscode: code('Visual Studio Code', ['code', 'code-insiders'], {
    app: 'Visual Studio Code',
    windowsFolder: 'Microsoft VS Code\\Code.exe',
    flatpak: 'com.visualstudio.code',
  }),
  cursor: code('Cursor', ['cursor'], { app: 'Cursor', windowsFolder: 'cursor\\Cursor.exe' }),
  vscodium: code('VSCodium', ['codium', 'vscodium'], {
    app: 'VSCodium',
    windowsFolder: 'VSCodium\\VSCodium.exe',
    flatpak: 'com.vscodium.codium',
  }),
  windsurf: code('Windsurf', ['windsurf'], {
    app: 'Windsurf',
    windowsFolder: 'Windsurf\\Windsurf.exe',
  }),
  zed: {
    name: 'Zed',
    programs: ['zed', 'zeditor', 'zedit'],
    paths: {
      darwin: mac('Zed.app/Contents/MacOS/cli'),
      linux: ['%HOME%/.local/bin/zed', ...linux([], ['dev.zed.Zed'])],
      win32: windows('Zed\\bin\\zed.exe'),
    },
    args: withLine,
  },
  pycharm: jetbrains('PyCharm', 'pycharm', {
    also: ['pycharm-professional', 'pycharm-community', 'charm'],
    apps: ['PyCharm', 'PyCharm CE', 'PyCharm Professional Edition', 'PyCharm Community Edition'],
    flatpaks: ['com.jetbrains.PyCharm-Professional', 'com.jetbrains.PyCharm-Community'],
  }),
  idea: jetbrains('IntelliJ IDEA', 'idea', {
    also: ['intellij-idea-ultimate', 'intellij-idea-community'],
    apps: ['IntelliJ IDEA', 'IntelliJ IDEA CE', 'IntelliJ IDEA Ultimate'],
    flatpaks: ['com.jetbrains.IntelliJ-IDEA-Ultimate', 'com.jetbrains.IntelliJ-IDEA-Community'],
  }),
  webstorm: jetbrains('WebStorm', 'webstorm', { flatpaks: ['com.jetbrains.WebStorm'] }),
  goland: jetbrains('GoLand', 'goland', { flatpaks: ['com.jetbrains.GoLand'] }),
  rider: jetbrains('Rider', 'rider', {
    apps: ['Rider', 'JetBrains Rider'],
    flatpaks: ['com.jetbrains.Rider'],
  }),
  clion: jetbrains('CLion', 'clion', { flatpaks: ['com.jetbrains.CLion'] }),
  rustrover: jetbrains('RustRover', 'rustrover', { flatpaks: ['com.jetbrains.RustRover'] }),
  phpstorm: jetbrains('PhpStorm', 'phpstorm', { flatpaks: ['com.jetbrains.PhpStorm'] }),
  rubymine: jetbrains('RubyMine', 'rubymine', { flatpaks: ['com.jetbrains.RubyMine'] }),
  sublime: {
    name: 'Sublime Text',
    programs: ['subl', 'sublime_text'],
    paths: {
      darwin: mac('Sublime Text.app/Contents/SharedSupport/bin/subl'),
      linux: [
        ...linux(['subl', 'sublime-text.subl'], ['com.sublimetext.three']),
        '/opt/sublime_text/sublime_text',
      ],
      win32: windows('Sublime Text\\subl.exe', 'Sublime Text 3\\subl.exe'),
    },
    args: withLine,
  },
  emacs: {
    name: 'Emacs',
    programs: ['emacsclient'],
    paths: {
      darwin: mac('Emacs.app/Contents/MacOS/bin/emacsclient'),
      linux: linux(['emacs.emacsclient'], []),
      win32: ['emacsclientw.exe', ...windows('Emacs\\emacs-*\\bin\\emacsclientw.exe')],
    },
    // Starts Emacs if no Emacs server runs.
    args: (file, line) => ['--no-wait', '--alternate-editor=emacs', ...plusLine(file, line)],
  },
  gvim: {
    name: 'GVim',
    programs: ['gvim', 'mvim'],
    paths: {
      darwin: mac('MacVim.app/Contents/bin/mvim'),
      win32: ['gvim.exe', ...windows('Vim\\vim*\\gvim.exe')],
    },
    args: plusLine,
  },
  nvim: {
    name: 'Neovim',
    programs: ['nvim'],
    paths: {
      linux: linux(['nvim'], ['io.neovim.nvim']),
      darwin: ['/opt/homebrew/bin/nvim', '/usr/local/bin/nvim'],
      win32: ['nvim.exe', ...windows('Neovim\\bin\\nvim.exe')],
    },
    terminal: true,
    args: plusLine,
  },
  helix: {
    name: 'Helix',
    programs: ['hx', 'helix'],
    paths: {
      linux: linux(['helix'], ['com.helix_editor.Helix']),
      darwin: ['/opt/homebrew/bin/hx', '/usr/local/bin/hx'],
      win32: ['hx.exe'],
    },
    terminal: true,
    args: withLine,
  },
  vim: {
    name: 'Vim',
    programs: ['vim', 'vi'],
    paths: { darwin: ['/opt/homebrew/bin/vim', '/usr/bin/vim'], win32: ['vim.exe'] },
    terminal: true,
    args: plusLine,
  },
};

/** Other editors in a terminal that `$EDITOR` may name. All of them accept `+line`, as Vim does. */
export const OTHER_TERMINAL_EDITORS = ['nano', 'micro', 'emacs', 'kak', 'joe', 'ne'];

/**
 * Programs that run a command, given as separate words, in a window. Terminals that take a shell command line, such as
 * macOS's Terminal, or that interpret separators in the words, such as Windows Terminal, are not used.
 */
export const TERMINALS: readonly Terminal[] = [
  { program: 'x-terminal-emulator', paths: {}, leadingArgs: ['-e'] },
  { program: 'gnome-terminal', paths: {}, leadingArgs: ['--'] },
  { program: 'ptyxis', paths: {}, leadingArgs: ['--'] },
  { program: 'konsole', paths: {}, leadingArgs: ['-e'] },
  { program: 'xfce4-terminal', paths: {}, leadingArgs: ['-x'] },
  {
    program: 'ghostty',
    paths: { darwin: mac('Ghostty.app/Contents/MacOS/ghostty'), linux: ['/snap/bin/ghostty'] },
    leadingArgs: ['-e'],
  },
  {
    program: 'kitty',
    paths: {
      darwin: mac('kitty.app/Contents/MacOS/kitty'),
      linux: ['%HOME%/.local/kitty.app/bin/kitty'],
    },
    leadingArgs: [],
  },
  {
    program: 'alacritty',
    paths: {
      darwin: mac('Alacritty.app/Contents/MacOS/alacritty'),
      linux: ['/snap/bin/alacritty'],
      win32: windows('Alacritty\\alacritty.exe'),
    },
    leadingArgs: ['-e'],
  },
  {
    program: 'wezterm',
    paths: {
      darwin: mac('WezTerm.app/Contents/MacOS/wezterm'),
      linux: ['/var/lib/flatpak/exports/bin/org.wezfurlong.wezterm'],
      win32: windows('WezTerm\\wezterm.exe'),
    },
    leadingArgs: ['start', '--'],
  },
  { program: 'foot', paths: {}, leadingArgs: [] },
  { program: 'xterm', paths: {}, leadingArgs: ['-e'] },
];
