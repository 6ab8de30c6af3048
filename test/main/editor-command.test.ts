import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EDITORS, type EditorMachine, editorCommand } from '../../src/shared/editor-command.ts';

const target = { file: '/home/a b/$(x); "y"/cart.py', line: 12 };

/** A machine on which these programs are installed. */
function machine(
  installed: string[],
  { platform = 'linux', env = {} }: Partial<EditorMachine> = {},
): EditorMachine {
  const find = (programs: readonly string[]) =>
    programs.map((program) => installed.find((path) => isAt(path, program))).find(Boolean) ?? null;
  return { platform, env, find };
}
const isAt = (path: string, program: string) =>
  path === program ||
  path
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.cmd$/, '') === program;

test('known editors are told file and line in their own way', () => {
  const of = (editor: string, program: string) =>
    editorCommand(editor, target, machine([`/usr/bin/${program}`])).args;
  assert.deepEqual(of('vscode', 'code'), ['--goto', `${target.file}:12`]);
  assert.deepEqual(of('cursor', 'cursor'), ['--goto', `${target.file}:12`]);
  assert.deepEqual(of('pycharm', 'charm'), ['--line', '12', target.file]);
  assert.deepEqual(of('idea', 'idea'), ['--line', '12', target.file]);
  assert.deepEqual(of('zed', 'zeditor'), [`${target.file}:12`]);
  assert.deepEqual(of('emacs', 'emacsclient'), ['--no-wait', '+12', target.file]);
});

test('every known editor can be found on Linux, and says so where it cannot', () => {
  for (const [id, { programs, name }] of Object.entries(EDITORS)) {
    const program = `/usr/bin/${programs[0]}`;
    assert.equal(editorCommand(id, target, machine([program])).program, program);
    assert.throws(() => editorCommand(id, target, machine([])), {
      code: 'not-found',
      message: `${name} was not found`,
    });
  }
});

test('macOS has editors in /Applications, Windows has programs beside batch files', () => {
  const mac = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
  assert.equal(
    editorCommand('vscode', target, machine([mac], { platform: 'darwin' })).program,
    mac,
  );
  const windows = 'C:\\Users\\a\\Programs\\Microsoft VS Code\\Code.exe';
  const on = machine(['C:\\bin\\code.cmd', windows], {
    platform: 'win32',
    env: { LOCALAPPDATA: 'C:\\Users\\a' },
  });
  const { program, args } = editorCommand('vscode', { file: 'C:\\shop\\a&b.py', line: 3 }, on);
  assert.equal(program, windows);
  assert.deepEqual(args, ['--goto', 'C:\\shop\\a&b.py:3']);
});

test('a path is one argument, whatever is in it, and is not searched for placeholders', () => {
  const file = "/srv/{line} '; rm -rf ~ #/$&.py";
  const template = '"/opt/my editor/run" -l {line} \'--file={file}\' {file}:{line}';
  assert.deepEqual(editorCommand(template, { file, line: 7 }, machine(['/opt/my editor/run'])), {
    name: 'run',
    program: '/opt/my editor/run',
    args: ['-l', '7', `--file=${file}`, `${file}:7`],
  });
});

test('a command of the user’s own must name a program, not a batch file, and the file', () => {
  const use = (template: string, installed: string[]) => () =>
    editorCommand(template, target, machine(installed));
  assert.throws(use('run {line}', ['/bin/run']), { code: 'bad-input' });
  assert.throws(use('run {file}', []), { code: 'not-found' });
  assert.throws(use('  ', []), { code: 'bad-input' });
  assert.throws(use('code {file}', ['C:\\bin\\code.cmd']), /batch file/);
  assert.throws(use('constructor', []), { code: 'bad-input' });
});

test('system: $VISUAL before $EDITOR before whatever is installed', () => {
  const installed = ['/usr/bin/code', '/usr/bin/subl', '/usr/bin/kate'];
  const of = (env: Record<string, string>) =>
    editorCommand('system', target, machine(installed, { env }));
  assert.equal(of({ VISUAL: 'subl', EDITOR: 'code --wait' }).name, 'Sublime Text');
  assert.deepEqual(of({ EDITOR: 'code --wait' }).args, ['--goto', `${target.file}:12`]);
  assert.deepEqual(of({ EDITOR: 'kate --block' }).args, ['--block', target.file]);
  assert.equal(of({}).name, 'Visual Studio Code');
  assert.throws(() => editorCommand('system', target, machine([])), { code: 'not-found' });
});

test('an editor without a window gets a terminal', () => {
  const installed = ['/usr/bin/vim', '/usr/bin/x-terminal-emulator'];
  const on = machine(installed, { env: { EDITOR: 'vim' } });
  assert.deepEqual(editorCommand('system', target, on), {
    name: 'vim',
    program: '/usr/bin/x-terminal-emulator',
    args: ['-e', '/usr/bin/vim', '+12', target.file],
  });
  const without = machine(['/usr/bin/vim'], { env: { EDITOR: 'vim' } });
  assert.throws(() => editorCommand('system', target, without), /no terminal to run vim in/);
});

test('only absolute paths, which no program takes for an option', () => {
  for (const file of ['--wait', 'cart.py', '']) {
    assert.throws(() => editorCommand('vscode', { file, line: 1 }, machine(['/usr/bin/code'])), {
      code: 'bad-input',
    });
  }
});
