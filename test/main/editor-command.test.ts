import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildEditorCommand,
  type EditorMachine,
  findEditors,
} from '../../src/shared/editor-command.ts';
import { EDITORS } from '../../src/shared/editors.ts';

const target = { file: '/home/a b/$(x); "y"/cart.py', line: 12 };

/** Creates a machine on which these programs are installed. */
function machine(
  installed: string[],
  { platform = 'linux', env, hasTerminal }: Partial<EditorMachine> = {},
): EditorMachine {
  const find = (programs: readonly string[]) =>
    programs.map((program) => installed.find((path) => isAt(path, program))).find(Boolean) ?? null;
  return { platform, env: { DISPLAY: ':0', ...env }, find, hasTerminal };
}
const isAt = (path: string, program: string) =>
  path === program ||
  path
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.cmd$/, '') === program;

test('known editors get file and line in their own syntax', () => {
  const of = (editor: string, program: string) =>
    buildEditorCommand(editor, target, machine([`/usr/bin/${program}`])).args;
  assert.deepEqual(of('vscode', 'code'), ['--goto', `${target.file}:12`]);
  assert.deepEqual(of('cursor', 'cursor'), ['--goto', `${target.file}:12`]);
  assert.deepEqual(of('pycharm', 'charm'), ['--line', '12', target.file]);
  assert.deepEqual(of('idea', 'idea'), ['--line', '12', target.file]);
  assert.deepEqual(of('zed', 'zeditor'), [`${target.file}:12`]);
  assert.deepEqual(of('emacs', 'emacsclient'), [
    '--no-wait',
    '--alternate-editor=emacs',
    '+12',
    target.file,
  ]);
});

test('every known editor can be found on Linux, and a missing one is reported', () => {
  for (const [id, { programs, name, terminal }] of Object.entries(EDITORS)) {
    const program = `/usr/bin/${programs[0]}`;
    const command = buildEditorCommand(id, target, machine([program, '/usr/bin/xterm']));
    assert.equal(terminal ? command.args[1] : command.program, program);
    assert.throws(() => buildEditorCommand(id, target, machine([])), {
      code: 'not-found',
      message: `${name} was not found.`,
    });
  }
});

test('editors are found in /Applications on macOS, and beside batch files on Windows', () => {
  const mac = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
  assert.equal(
    buildEditorCommand('vscode', target, machine([mac], { platform: 'darwin' })).program,
    mac,
  );
  const windows = 'C:\\Users\\a\\Programs\\Microsoft VS Code\\Code.exe';
  const on = machine(['C:\\bin\\code.cmd', windows], {
    platform: 'win32',
    env: { LOCALAPPDATA: 'C:\\Users\\a' },
  });
  const { program, args } = buildEditorCommand('vscode', { file: 'C:\\shop\\a&b.py', line: 3 }, on);
  assert.equal(program, windows);
  assert.deepEqual(args, ['--goto', 'C:\\shop\\a&b.py:3']);
});

test('a path is one argument, and placeholders in it are not replaced', () => {
  const file = "/srv/{line} '; rm -rf ~ #/$&.py";
  const template = '"/opt/my editor/run" -l {line} \'--file={file}\' {file}:{line}';
  assert.deepEqual(
    buildEditorCommand(template, { file, line: 7 }, machine(['/opt/my editor/run'])),
    {
      name: 'run',
      program: '/opt/my editor/run',
      args: ['-l', '7', `--file=${file}`, `${file}:7`],
    },
  );
});

test('a custom command must name a program, not a batch file, and the file', () => {
  const use = (template: string, installed: string[]) => () =>
    buildEditorCommand(template, target, machine(installed));
  assert.throws(use('run {line}', ['/bin/run']), { code: 'bad-input' });
  assert.throws(use('run {file}', []), { code: 'not-found' });
  assert.throws(use('  ', []), { code: 'bad-input' });
  assert.throws(use('code {file}', ['C:\\bin\\code.cmd']), /batch file/);
  assert.throws(use('constructor', []), { code: 'bad-input' });
});

test('the system editor is $VISUAL, then $EDITOR, then an installed one', () => {
  const installed = ['/usr/bin/code', '/usr/bin/subl', '/usr/bin/kate'];
  const of = (env: Record<string, string>) =>
    buildEditorCommand('system', target, machine(installed, { env }));
  assert.equal(of({ VISUAL: 'subl', EDITOR: 'code --wait' }).name, 'Sublime Text');
  assert.deepEqual(of({ EDITOR: 'code --wait' }).args, ['--goto', `${target.file}:12`]);
  assert.deepEqual(of({ EDITOR: 'kate --block' }).args, ['--block', target.file]);
  assert.equal(of({}).name, 'Visual Studio Code');
  assert.throws(() => buildEditorCommand('system', target, machine([])), { code: 'not-found' });
});

test('an editor without a window gets a terminal', () => {
  const installed = ['/usr/bin/vim', '/usr/bin/x-terminal-emulator'];
  const on = machine(installed, { env: { EDITOR: 'vim' } });
  assert.deepEqual(buildEditorCommand('system', target, on), {
    name: 'vim',
    program: '/usr/bin/x-terminal-emulator',
    args: ['-e', '/usr/bin/vim', '+12', target.file],
  });
  const without = machine(['/usr/bin/vim'], { env: { EDITOR: 'vim' } });
  assert.throws(
    () => buildEditorCommand('system', target, without),
    /No terminal was found to run vim in/,
  );
});

test('an editor without a window runs in the terminal of the command line, if there is one', () => {
  const on = machine(['/usr/bin/nvim'], {
    env: { DISPLAY: '', EDITOR: 'nvim' },
    hasTerminal: true,
  });
  assert.deepEqual(buildEditorCommand('system', target, on), {
    name: 'nvim',
    program: '/usr/bin/nvim',
    args: ['+12', target.file],
    inTerminal: true,
  });
});

test('without a terminal for $EDITOR, the first editor with a window is taken', () => {
  const on = machine(['/usr/bin/vi', '/usr/bin/codium'], { env: { EDITOR: 'vi' } });
  assert.equal(buildEditorCommand('system', target, on).name, 'VSCodium');
  assert.deepEqual(findEditors(on), {
    found: [{ id: 'vscodium', name: 'VSCodium' }],
    system: 'VSCodium',
  });
  const bare = machine(['/usr/bin/vi'], { env: { EDITOR: 'vi' } });
  assert.deepEqual(findEditors(bare), { found: [], system: null });
});

test('found editors are offered in the order of the table, terminal editors only with a terminal', () => {
  const installed = ['/usr/bin/nvim', '/usr/bin/kitty', '/usr/bin/zed', '/usr/bin/hx'];
  const ids = (on: EditorMachine) => findEditors(on).found.map(({ id }) => id);
  assert.deepEqual(ids(machine(installed)), ['zed', 'nvim', 'helix']);
  const command = buildEditorCommand('helix', target, machine(installed));
  assert.deepEqual(command, {
    name: 'Helix',
    program: '/usr/bin/kitty',
    args: ['/usr/bin/hx', `${target.file}:12`],
  });
  // For example over SSH, where windows cannot open.
  assert.deepEqual(ids(machine(installed, { env: { DISPLAY: '' } })), []);
});

test('editors of Toolbox, snap and flatpak are found outside the PATH', () => {
  const found = (path: string, platform: string, env: Record<string, string>) =>
    findEditors(machine([path], { platform, env })).found.map(({ id }) => id);
  const home = { HOME: '/home/a' };
  const scripts = '/home/a/.local/share/JetBrains/Toolbox/scripts';
  assert.deepEqual(found(`${scripts}/webstorm`, 'linux', home), ['webstorm']);
  assert.deepEqual(found('/snap/bin/goland', 'linux', home), ['goland']);
  assert.deepEqual(found('/var/lib/flatpak/exports/bin/dev.zed.Zed', 'linux', home), ['zed']);
  const toolbox = '/Users/a/Library/Application Support/JetBrains/Toolbox/scripts/rubymine';
  assert.deepEqual(found(toolbox, 'darwin', { HOME: '/Users/a' }), ['rubymine']);
  const rider = 'C:\\Program Files\\JetBrains\\JetBrains Rider*\\bin\\rider64.exe';
  assert.deepEqual(found(rider, 'win32', { ProgramFiles: 'C:\\Program Files' }), ['rider']);
});

test('only absolute paths are accepted, since programs cannot mistake them for options', () => {
  for (const file of ['--wait', 'cart.py', '']) {
    assert.throws(
      () => buildEditorCommand('vscode', { file, line: 1 }, machine(['/usr/bin/code'])),
      {
        code: 'bad-input',
      },
    );
  }
});
