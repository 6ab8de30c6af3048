/** A new language needs only one folder: Locus supports Quill, which exists in this folder only, as it does Python. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const root = join(import.meta.dirname, '../..');
const data = temporaryFolder();
const FILES = {
  'shapes/round.quill': `import { Shape } from "shapes/base";

// A round shape.
// Its area is known.
export class Round extends Shape {
  constructor(radius) {
    this.pen = new Pen();
    this.radius = radius;
  }

  /* Draws the outline of a circle. */
  draw(canvas) {
    this.outline(canvas);
    super.draw(canvas);
    this.pen.lift();
  }

  hiddenArea() {
    return 3 * this.radius * this.radius;
  }
}

class Pen {
  lift() {
    throw new Dry("no ink");
  }
}
`,
  'shapes/base/root.quill': `export class Shape extends Thing {
  draw(canvas) {
    canvas.push(this);
  }

  outline(canvas) {
    return canvas;
  }
}
`,
  'app.quill': `import { Round } from "shapes/round";

function render(canvas) {
  const shape = new Round(3);
  shape.draw(canvas);
}
`,
  'app-trial.quill': 'function renderTrial() {\n  render(null);\n}\n',
  'broken.quill': `function sound() {
  return 1;
}

class Torn {
  method( {
  }

  whole(a) {
    return a;
  }

function rest() {
  return 2;
}
`,
  'notes.txt': 'nothing to read',
  'lib/other.adb': 'procedure Other;\n',
  'more.nim': 'echo 1\n',
  'ignored/more.nim': 'echo 2\n',
  '.gitignore': 'ignored/\n',
};
const repository = gitRepository(FILES);
after(() => {
  removeFolder(repository);
  removeFolder(data);
});

/** Runs a command of Locus with Quill. */
async function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const register = join(root, 'test/languages/quill/register.ts');
  const cli = join(root, 'src/cli/entry.ts');
  return promisify(execFile)(
    process.execPath,
    ['--import', register, cli, ...args, '--data-dir', data],
    { cwd: repository, maxBuffer: 1 << 26 },
  );
}

const locus = async (...args: string[]) => (await run(...args)).stdout;

const json = async (...args: string[]) => JSON.parse(await locus(...args, '--json'));

test('its files are indexed, and no others', async () => {
  const said = await run('index', '.');
  assert.match(
    said.stderr,
    /2 of 7 source files are of kinds that are not supported yet: Ada 1, Nim 1/,
  );
  const status = await json('status', '.');
  assert.equal(status.files, 5);
  assert.deepEqual(status.languages, [{ name: 'quill', title: 'Quill', files: 5 }]);
  assert.deepEqual(status.unread, [
    { kind: 'Ada', files: 1 },
    { kind: 'Nim', files: 1 },
  ]);
  assert.deepEqual(status.chunksByKind, {
    function: 4,
    method: 7,
    class: 4,
    module: 5,
    section: 1,
  });
});

test('a definition has its comment, its lines and its language', async () => {
  const round = await json('show', '.', 'Round');
  assert.deepEqual(
    [round.kind, round.language, round.startLine, round.endLine],
    ['class', 'quill', 3, 21],
  );
  assert.equal(round.docstring, '// A round shape.\n// Its area is known.');
  assert.equal(
    round.context.parts.map(({ text }: { text: string }) => text).join('|'),
    [
      'shapes/round.quill|export class Round extends Shape {|',
      '// A round shape.',
      '// Its area is known.',
      '    constructor(radius) {',
      '      this.pen = new Pen();',
      '      this.radius = radius;',
      '    }',
      '    draw(canvas);',
      '    hiddenArea();',
    ].join('\n'),
  );
  const draw = await json('show', '.', 'Round.draw');
  assert.deepEqual([draw.kind, draw.startLine, draw.endLine], ['method', 11, 16]);
});

test('text with syntax errors keeps its definitions', async () => {
  const lines = async (name: string) => {
    const { kind, startLine, endLine } = await json('show', '.', `broken.quill::${name}`);
    return [kind, startLine, endLine];
  };
  assert.deepEqual(await lines('sound'), ['function', 1, 3]);
  assert.deepEqual(await lines('Torn'), ['class', 5, 11]);
  assert.deepEqual(await lines('Torn.whole'), ['method', 9, 11]);
  assert.deepEqual(await lines('rest'), ['function', 13, 15]);
});

test('calls resolve through imports, receivers, constructors and base classes', async () => {
  const calleesOf = async (name: string) =>
    (await json('show', '.', name)).callees.map(
      ({ callee, kind }: { callee: string; kind: string }) => `${kind} ${callee}`,
    );
  assert.deepEqual(await calleesOf('render'), [
    'construct shapes/round.quill::Round',
    'call shapes/round.quill::Round.draw',
  ]);
  assert.deepEqual(await calleesOf('Round.draw'), [
    'call shapes/base/root.quill::Shape.outline',
    'call shapes/base/root.quill::Shape.draw',
    'call shapes/round.quill::Pen.lift',
  ]);
  assert.deepEqual(await calleesOf('Round'), ['inherit shapes/base/root.quill::Shape']);
});

test('its definitions are ranked, those in tests last', async () => {
  const { results } = await json('search', '.', 'Drawing a round shape fails: no ink in the pen');
  const names = results.map(({ qualifiedName }: { qualifiedName: string }) => qualifiedName);
  assert.ok(names.indexOf('Pen.lift') < 2, names.join(' '));
  const trial = results.find(({ path }: { path: string }) => path === 'app-trial.quill');
  assert.equal(trial.role, 'test');
});

test('a traceback resolves to the function of its frame', async () => {
  const issue = 'Drawing stops\n\nBroken: no ink\n    at Pen.lift <shapes/round.quill @ 25>\n';
  const { results, issue: report } = await json('search', '.', issue);
  assert.equal(report.frames[0].address, 'shapes/round.quill::Pen.lift');
  assert.equal(results[0].qualifiedName, 'Pen.lift');
});

test('exports and the window know its name', async () => {
  const markdown = await locus(
    'export',
    '.',
    'no ink in the pen',
    '--format',
    'markdown',
    '--code',
  );
  assert.match(markdown, /```quill\n/);
});
