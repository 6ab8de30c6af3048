import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import type { GrepResponse } from '../../src/shared/grep.ts';
import type { QueryRequest } from '../../src/shared/queries.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const CART = `RATE = 1.2  # the rate


def total(items):
    """The total."""
    return round(sum(items) * RATE)


def total_of(cart):
    return total(cart.items) + total([])


class Cart:
    label = 'the total'

    def pay(self):
        return total_of(self)
`;
const NEWLINE = 'shop/a\nb.py';
const FILES: Record<string, string | Buffer> = {
  'shop/cart.py': CART,
  'shop/bill.py':
    'from shop.cart import total, total_of\n\n\ndef bill():\n    return total([]), total_of(None)\n\n\ndef again():\n    return total([])',
  'tests/test_cart.py':
    'from shop.cart import total\n\n\ndef test_total():\n    assert total([]) == 0\n',
  'shop/wide.py': `def wide():\r\n    return '😀é', "${'x'.repeat(300)} needle ${'y'.repeat(300)}"\r\n`,
  'shop/latin.py': Buffer.from(
    '# coding: latin-1\ndef cafe():\n    return "caf\xe9 olé"\n',
    'latin1',
  ),
  [NEWLINE]: 'def strange():\n    return "hostile"\n',
  '--pre=sh.py': 'def dashed():\n    return "hostile"\n',
  'blob.py': 'hostile\0total',
};

const names = ({ functions }: GrepResponse) => functions.map((found) => found.qualifiedName);

describe('grep', () => {
  let root: string;
  let outside: string;
  let dataDir: string;
  let repository: Repository;
  const grep = (request: QueryRequest<'grep'>) => repository.grep(request);

  before(async () => {
    root = gitRepository(FILES);
    outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.py'), 'def secret():\n    return "hostile"\n');
    symlinkSync(join(outside, 'secret.py'), join(root, 'link.py'));
    symlinkSync(outside, join(root, 'folder'));
    dataDir = temporaryFolder();
    repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
  });
  after(async () => {
    await repository.close();
    for (const folder of [root, outside, dataDir]) removeFolder(folder);
  });

  it('groups lines by their innermost function, and the others by file', async () => {
    const found = await grep({ pattern: 'total' });
    const { functions, files, total } = found;
    // Source first, then by name, callers and path.
    assert.deepEqual(names(found), [
      'total',
      'total_of',
      'bill',
      'again',
      'Cart',
      'Cart.pay',
      'test_total',
    ]);
    const { path, named, callers, lines, hidden } = functions[0]!;
    assert.deepEqual(
      { path, named, callers, hidden },
      { path: 'shop/cart.py', named: 'whole', callers: 4, hidden: 0 },
    );
    assert.deepEqual(lines, [
      { line: 4, column: 4, text: 'def total(items):', spans: [[4, 9]] },
      { line: 5, column: 11, text: '"""The total."""', spans: [[7, 12]] },
    ]);
    const other = functions.find(({ qualifiedName }) => qualifiedName === 'total_of')!;
    assert.equal(other.named, 'part');
    assert.deepEqual(other.lines[1], {
      line: 10,
      column: 11,
      text: 'return total(cart.items) + total([])',
      spans: [
        [7, 12],
        [27, 32],
      ],
    });
    assert.deepEqual(
      files.map((file) => [file.path, file.role, file.lines.map(({ line }) => line)]),
      [
        ['shop/bill.py', 'source', [1]],
        ['tests/test_cart.py', 'test', [1]],
      ],
    );
    assert.deepEqual(total, {
      matches: 15,
      lines: 12,
      functions: 7,
      outside: 2,
      files: 3,
      searched: 7,
    });
  });

  it('orders source files by matching name, callers, path and line', async () => {
    const found = await grep({ pattern: 'return total(' });
    assert.deepEqual(names(found), ['total_of', 'bill', 'again']);
    assert.deepEqual(
      found.functions.map(({ callers }) => callers),
      [2, 0, 0],
    );
  });

  it('takes exact text, or a regular expression, and can ignore case', async () => {
    assert.deepEqual(names(await grep({ pattern: 'total([])' })), [
      'total_of',
      'bill',
      'again',
      'test_total',
    ]);
    assert.equal((await grep({ pattern: 'total(.+)' })).total.matches, 0);
    assert.deepEqual(names(await grep({ pattern: '^def tot\\w+\\(c', isRegex: true })), [
      'total_of',
    ]);
    assert.equal((await grep({ pattern: 'the TOTAL' })).total.matches, 0);
    assert.deepEqual(names(await grep({ pattern: 'the TOTAL', ignoreCase: true })), [
      'total',
      'Cart',
    ]);
    assert.equal((await grep({ pattern: '$', isRegex: true })).total.matches, 0);
    await assert.rejects(grep({ pattern: '(', isRegex: true }), {
      code: 'bad-input',
      message: /unclosed/,
    });
    for (const pattern of ['', 'a\nb', 'a\0b', 'x'.repeat(2001)])
      await assert.rejects(grep({ pattern }), { code: 'bad-input', message: /pattern/ });
  });

  it('limits functions, files and lines, and says what is hidden', async () => {
    const found = await grep({ pattern: 'total', limit: 1, lines: 1 });
    assert.deepEqual(names(found), ['total']);
    assert.equal(found.functions[0]?.lines.length, 1);
    assert.equal(found.functions[0]?.hidden, 1);
    assert.equal(found.files.length, 1);
    assert.equal(found.total.functions, 7);
    assert.equal(found.total.outside, 2);
  });

  it('searches only some paths', async () => {
    const found = await grep({ pattern: 'total', paths: ['tests/'] });
    assert.deepEqual(names(found), ['test_total']);
    assert.equal(found.total.searched, 1);
    assert.equal(found.note, null, 'a skipped file elsewhere does not matter');
    const source = await grep({ pattern: 'total', paths: ['!tests/'] });
    assert.ok(source.total.matches > 0);
    assert.ok(source.functions.every(({ path }) => !path.startsWith('tests/')));
    const python = await grep({ pattern: 'total', paths: ['*.py', '!tests/'] });
    assert.equal(python.total.matches, source.total.matches);
    assert.equal((await grep({ pattern: 'total', paths: ['none/**'] })).total.searched, 0);
  });

  it('cuts long lines around the match, and counts in UTF-16 units', async () => {
    const [needle] = (await grep({ pattern: 'needle' })).functions;
    const { line, column, text, spans } = needle!.lines[0]!;
    assert.equal(line, 2);
    assert.equal(text.length, 200);
    assert.equal(text.slice(...spans[0]!), 'needle');
    assert.equal(column, `    return '😀é', "${'x'.repeat(300)} `.length);
    const [accent] = (await grep({ pattern: 'é' })).functions;
    assert.deepEqual(
      accent!.lines.map((found) => found.spans.map((span) => found.text.slice(...span))),
      accent!.lines.map((found) => found.spans.map(() => 'é')),
    );
    const latin = await grep({ pattern: 'café' });
    assert.deepEqual(names(latin), ['cafe']);
  });

  it('reads hostile names as data, follows no link, and names what it did not read', async () => {
    const found = await grep({ pattern: 'hostile' });
    assert.deepEqual(found.functions.map(({ path }) => path).sort(), ['--pre=sh.py', NEWLINE]);
    assert.equal(found.total.matches, 2);
    assert.match(found.note ?? '', /^Not searched: .*`blob\.py` \(binary\)/);
    assert.match(found.note ?? '', /`link\.py` \(outside the root\)/);
  });

  it('runs no program of the repository', async () => {
    const bin = join(root, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    const mark = join(outside, 'was-run');
    for (const name of [join(root, 'rg'), join(bin, 'rg')])
      writeFileSync(name, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const path = process.env.PATH;
    const folder = process.cwd();
    process.env.PATH = `${root}:${bin}:.:${path}`;
    process.chdir(root);
    try {
      assert.equal((await grep({ pattern: 'needle' })).total.matches, 1);
    } finally {
      process.env.PATH = path;
      process.chdir(folder);
    }
    const { existsSync } = await import('node:fs');
    assert.equal(existsSync(mark), false);
    rmSync(join(root, 'node_modules'), { recursive: true });
    rmSync(join(root, 'rg'));
  });

  it('counts a limited number of matches, and says so', async () => {
    const many = gitRepository({
      'a.py': `def all():\n${`    # ${'e'.repeat(100)}\n`.repeat(2100)}    return 1\n`,
      'tests/b.py': '# e\n',
    });
    const opened = await openRepository(many, { dataDir, device: 'cpu' });
    try {
      await opened.index();
      const { total, functions, note } = await opened.grep({ pattern: 'e' });
      assert.deepEqual([total.matches, total.searched], [200_000, 1]);
      assert.equal(functions[0]?.lines[1]?.spans.length, 50);
      assert.equal(note, 'Stopped at 200,000 matches, after 1 of 2 files.');
    } finally {
      await opened.close();
      removeFolder(many);
    }
  });

  it('is cancelled by its signal', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(repository.grep({ pattern: 'total' }, { signal }), { code: 'cancelled' });
  });

  it('gives the same answer for a commit, after files have changed', async () => {
    const now = await grep({ pattern: 'total' });
    git(root, 'rm', '-q', '--cached', '-r', '.');
    git(root, 'add', 'shop', 'tests', 'blob.py', '--', '--pre=sh.py');
    const revision = git(root, 'rev-parse', 'HEAD').trim();
    writeFileSync(join(root, 'shop/cart.py'), CART.replaceAll('total', 'amount'));
    const commit = await openRepository(root, { dataDir, device: 'cpu', revision });
    try {
      await commit.index();
      assert.deepEqual(
        { ...(await commit.grep({ pattern: 'total' })), note: null },
        { ...now, note: null },
      );
      // As it was indexed, until the index is updated.
      assert.deepEqual(await grep({ pattern: 'total' }), now);
      await repository.index();
      assert.deepEqual(names(await grep({ pattern: 'amount_of' })), ['amount_of', 'Cart.pay']);
    } finally {
      await commit.close();
    }
  });
});
