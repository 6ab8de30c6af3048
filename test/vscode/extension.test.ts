/*
 * The extension for VS Code as it is packaged: its bundle is loaded with a double of the module `vscode`, and its command
 * runs the real `locus`.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LocusFailure, runLocusCommand } from '../../extensions/vscode/src/locus.ts';
import { listChildren, parseNeighbors, parseResults } from '../../extensions/vscode/src/results.ts';
import { exportResults } from '../../src/services/exchange/export.ts';
import { COOKIES, exportInput } from '../exchange/sample.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { vscodeDouble } from './vscode-double.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOCUS = join(ROOT, 'src/cli/locus.ts');

describe('what locus answers', () => {
  it('is read with the schema of lists, and shown with its reasons', () => {
    const { title, results } = parseResults(exportResults('json', exportInput(COOKIES)));
    assert.equal(title, 'Quoted cookies are cut');
    assert.deepEqual(
      results.map(({ rank, label, path, startLine }) => [rank, label, path, startLine]),
      [
        [1, 'parse_cookie', 'shop/http/cookies.py', 42],
        [2, 'Request.cookies', 'shop/http/request.py', 10],
      ],
    );
    const [first] = results;
    assert.ok(first);
    const children = listChildren(first);
    assert.deepEqual(children.at(-1), { type: 'calls', label: 'Callees', of: first.address });
    assert.equal(children.filter(({ type }) => type === 'reason').length, first.reasons.length);
  });

  it('of another version is refused with a remedy', () => {
    for (const text of ['', '{}', '[1', '{"format": "locus-export", "version": 9}']) {
      assert.throws(() => parseResults(text), LocusFailure);
      assert.throws(() => parseNeighbors(text), /does not understand/);
    }
  });
});

describe('the command as a process', () => {
  const ask = (script: string, signal?: AbortSignal) =>
    runLocusCommand({
      program: process.execPath,
      args: ['-e', script],
      cwd: ROOT,
      input: 'issue',
      signal,
    });

  it('gets the issue, and its failures are told in its own words', async () => {
    assert.equal(await ask('process.stdin.pipe(process.stdout)'), 'issue');
    const failure = '{"error": {"message": "no repository", "remedy": "open one"}}';
    await assert.rejects(ask(`console.log('${failure}'); process.exitCode = 3`), {
      message: 'no repository',
      remedy: 'open one',
    });
    await assert.rejects(ask('console.error("it broke"); process.exitCode = 70'), /it broke/);
  });

  it('is ended when the search is cancelled', { timeout: 60_000 }, async () => {
    const controller = new AbortController();
    const asked = ask('setInterval(() => {}, 1000)', controller.signal);
    controller.abort();
    await assert.rejects(asked, { name: 'AbortError' });
  });

  it('that is missing says how to install it', async () => {
    const asked = runLocusCommand({ program: 'no-such-locus', args: [], cwd: ROOT });
    await assert.rejects(asked, { missing: true, remedy: /Install Locus.*locus\.path/ });
  });
});

describe('the packaged extension', () => {
  let folder: string;
  let unpacked: string;
  const { LOCUS_DATA_DIR, PATH } = process.env;

  before(() => {
    folder = realpathSync(temporaryFolder());
    process.env.LOCUS_DATA_DIR = join(folder, 'data');
    // `node` is this one.
    mkdirSync(join(folder, 'bin'));
    writeFiles(join(folder, 'bin'), { node: `#!/bin/sh\nexec '${process.execPath}' "$@"\n` });
    chmodSync(join(folder, 'bin/node'), 0o755);
    process.env.PATH = `${join(folder, 'bin')}${delimiter}${PATH}`;
    writeFiles(join(folder, 'shop'), {
      'cart.py':
        'from tax import add_tax\n\n\ndef total(items):\n    """The sum of the cart, with tax."""\n    return add_tax(sum(items))\n',
      'tax.py': 'def add_tax(price):\n    return price * 1.2\n',
    });
    git(join(folder, 'shop'), 'init', '-q');
    const script = join(ROOT, 'scripts/vscode.ts');
    execFileSync(process.execPath, [script, join(folder, 'dist')], { stdio: 'pipe' });
    const [name] = readdirSync(join(folder, 'dist'));
    assert.ok(name?.endsWith('.vsix'));
    unpacked = join(folder, 'unpacked');
    execFileSync('unzip', ['-q', join(folder, 'dist', name), '-d', unpacked]);
  });
  after(() => {
    if (LOCUS_DATA_DIR === undefined) delete process.env.LOCUS_DATA_DIR;
    else process.env.LOCUS_DATA_DIR = LOCUS_DATA_DIR;
    process.env.PATH = PATH;
    removeFolder(folder);
  });

  const manifest = () =>
    JSON.parse(readFileSync(join(unpacked, 'extension/package.json'), 'utf8')) as {
      main: string;
      contributes: { commands: { command: string }[]; viewsContainers: unknown };
    };

  it('has its bundle, its picture and its license, and no sources', () => {
    for (const name of ['out/extension.cjs', 'media/locus.svg', 'LICENSE.txt', 'readme.md']) {
      assert.ok(existsSync(join(unpacked, 'extension', name)), name);
    }
    assert.ok(!existsSync(join(unpacked, 'extension/src')));
  });

  it('has a notice for each package in its bundle', () => {
    const notices = readFileSync(join(unpacked, 'extension/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const titles = notices.match(/^=+\n(\S+) \S+ \(.+\)$/gm) ?? [];
    assert.deepEqual(
      titles.map((title) => title.split(/[\n ]/)[1]),
      ['zod'],
    );
    assert.match(notices, /MIT License/);
  });

  it('registers its commands, searches with the real locus, and opens at the line', {
    timeout: 600_000,
  }, async () => {
    const double = vscodeDouble({
      folder: join(folder, 'shop'),
      settings: { path: LOCUS, results: 5 },
      selection: 'The total of the cart forgets the tax, see `total`',
    });
    const require = createRequire(import.meta.url);
    double.load(require, join(unpacked, 'extension', manifest().main));
    assert.deepEqual(
      [...double.commands.keys()].sort(),
      manifest()
        .contributes.commands.map(({ command }) => command)
        .sort(),
    );
    await double.commands.get('locus.locate')?.();
    assert.deepEqual(double.errors, []);

    const { provider } = double;
    const results = await provider.getChildren();
    const items = results.map((node) => provider.getTreeItem(node));
    const total = items.findIndex(({ label }) => /\btotal$/.test(label));
    assert.ok(total >= 0, JSON.stringify(items));
    assert.equal(items[total]?.description, 'cart.py:4');
    const { command } = items[total] ?? {};
    assert.equal(command?.command, 'vscode.open');
    assert.deepEqual(command?.arguments[0], { fsPath: join(folder, 'shop/cart.py') });
    assert.equal(command?.arguments[1]?.selection.start.line, 3);
    assert.equal(double.view.description, 'The total of the cart forgets the tax, see `total`');

    const below = await provider.getChildren(results[total]);
    const callees = below.find((node) => provider.getTreeItem(node).label === 'Callees');
    const called = await provider.getChildren(callees);
    assert.deepEqual(
      called.map((node) => provider.getTreeItem(node).description),
      ['tax.py:1'],
    );
  });

  it('asks for an issue where none is selected and the clipboard is empty', async () => {
    const double = vscodeDouble({ folder: join(folder, 'shop'), settings: {}, selection: ' ' });
    const require = createRequire(import.meta.url);
    double.load(require, join(unpacked, 'extension', manifest().main));
    await double.commands.get('locus.locateSelection')?.();
    await double.commands.get('locus.locateClipboard')?.();
    assert.deepEqual(double.errors, [
      'Locus: No text is selected. Select the text of the issue.',
      'Locus: The clipboard is empty. Copy the text of the issue.',
    ]);
  });

  it('says how to install locus if it is missing', async () => {
    const double = vscodeDouble({
      folder: join(folder, 'shop'),
      settings: { path: 'no-such-locus' },
      selection: 'an issue',
    });
    const require = createRequire(import.meta.url);
    double.load(require, join(unpacked, 'extension', manifest().main));
    await double.commands.get('locus.locate')?.();
    assert.match(double.errors.join(), /no-such-locus was not found.*Install Locus/);
  });
});
