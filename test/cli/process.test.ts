import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { gitRepository, syntheticPackage } from '../support/repository.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const LOCUS = inProject('src/cli/locus.ts');
const DEMO = inProject('demo/repository');
const ISSUE = inProject('demo/issue.md');
const ANSWER = 'tasklane/retry.py::RetryPolicy.backoff';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locus-process-'));
});
after(() => rm(folder, { recursive: true }));

/** Runs the real command line, on the real engine. It does not rerank. */
const locus = (...args: string[]) => runLocus(args, { LOCUS_FAST: '1' });

function runLocus(args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [LOCUS, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data'), ...env },
  });
}

describe('the command line as a process', () => {
  it('finds the functions to edit in the demo repository', () => {
    const { status, stdout, stderr } = runLocus(['search', DEMO, '--file', ISSUE, '--json']);
    assert.equal(status, 0, stderr);
    const { partial, repository, results } = JSON.parse(stdout);
    assert.equal(partial, null);
    assert.equal(repository.files, globSync('**/*.py', { cwd: DEMO }).length);
    const rank = results.findIndex(({ address }: { address: string }) => address === ANSWER) + 1;
    assert.ok(rank >= 1 && rank <= 5, `rank ${rank}`);
  });

  it('says which file that the issue names is in an unsupported language', async () => {
    const root = gitRepository({
      'a.py': 'def total(): ...\n',
      'src/cart.adb': 'procedure Cart;\n',
    });
    const { stdout } = locus(
      'search',
      root,
      '--fast',
      'The total of src/cart.adb and obj.mm is wrong',
    );
    assert.match(
      stdout,
      /^ note {3}`src\/cart\.adb` was not read \(unsupported\): Ada is not supported yet\.$/m,
    );
    await rm(root, { recursive: true });
  });

  it('creates the folder to publish to, without a note', async () => {
    const root = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
    const { status, stderr } = locus('publish', root, '--to', join(folder, 'shared'));
    assert.equal(stderr, '');
    assert.equal(status, 0);
    await rm(root, { recursive: true });
  });

  it('publishes only complete indexes, under a name and to a storage', () => {
    for (const [args, why] of [
      [['--to', join(folder, 'part'), '--exclude', 'a.py'], /excluded paths cannot be published/],
      [['--to', join(folder, 'part'), '--name', ''], /must not be empty/],
      [['--to', ''], /The address is empty/],
    ] as const) {
      const { status, stderr } = locus('publish', DEMO, ...args);
      assert.match(stderr, why);
      assert.equal(status, 2);
    }
  });

  it('sets a shared index up by its storage, with all keys', () => {
    for (const args of [
      ['--key', 'ed25519:x'],
      ['--off', '--key', 'ed25519:x'],
      [folder, '--off'],
    ]) {
      const { status, stderr } = locus('shared', ...args);
      assert.match(stderr, /A key is given without a storage|--off/);
      assert.equal(status, 2);
    }
    assert.equal(JSON.parse(locus('shared', '--json').stdout).from, null);
  });

  it('shows the chunk, its callers and the input of the model', () => {
    const shown = JSON.parse(locus('show', DEMO, 'RetryPolicy.backoff', '--json').stdout);
    assert.match(shown.code, /^ {4}def backoff\(self, attempt, rng=random\):/);
    assert.match(
      shown.context.parts.map(({ text }: { text: string }) => text).join(' '),
      /retry\.py/,
    );
    const { nodes } = JSON.parse(
      locus('neighbors', DEMO, 'RetryPolicy.backoff', '--callers', '--json').stdout,
    );
    assert.ok(
      nodes.some(
        ({ qualifiedName }: { qualifiedName: string }) => qualifiedName === 'Worker.handle_failure',
      ),
    );
  });

  it('imports an exported list without changes', () => {
    const list = join(folder, 'list.json');
    assert.equal(
      locus('export', DEMO, '--file', ISSUE, '--limit', '50', '--output', list).status,
      0,
    );
    const { counts } = JSON.parse(locus('import', DEMO, list, '--json').stdout);
    assert.deepEqual(counts, { same: 50, moved: 0, changed: 0, 'moved and changed': 0, gone: 0 });
  });

  it('reports the content of the index, and that it is undamaged', () => {
    assert.equal(JSON.parse(locus('status', DEMO, '--json').stdout).state, 'complete');
    const { checks } = JSON.parse(locus('doctor', DEMO, '--json').stdout);
    const states = new Map(
      checks.map(({ name, state }: { name: string; state: string }) => [name, state]),
    );
    for (const name of [
      'node',
      'sqlite',
      'tree-sitter',
      'vectors',
      'onnxruntime',
      'device cpu',
      'data directory',
      'index',
    ]) {
      assert.equal(states.get(name), 'ok', name);
    }
  });

  it('doctor detects a damaged index', async () => {
    const { databasePath } = JSON.parse(locus('status', DEMO, '--json').stdout);
    await writeFile(databasePath, 'no database');
    const { status, stdout } = locus('doctor', DEMO, '--json');
    assert.equal(status, 1);
    const index = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'index');
    assert.equal(index.state, 'problem');
    assert.match(index.remedy, /Run locus index/);
  });

  it('doctor reports a missing folder like all commands', () => {
    for (const [place, told] of [
      ['', 'The path is empty.'],
      [ISSUE, `${ISSUE} is a file.`],
    ] as const) {
      const { checks } = JSON.parse(locus('doctor', place, '--json').stdout);
      const { state, detail } = checks.find(({ name }: { name: string }) => name === 'index');
      assert.deepEqual([state, detail], ['problem', told]);
    }
  });

  it('a damaged index is rebuilt by the next command, with a note', () => {
    const search = () => locus('search', DEMO, 'a cookie with a comma', '--json');
    const { status, stderr, stdout } = search();
    assert.deepEqual([status, /was damaged .* is being rebuilt/.test(stderr)], [0, true], stderr);
    const { databasePath } = JSON.parse(locus('status', DEMO, '--json').stdout);
    const database = new Sqlite(databasePath);
    database.exec("UPDATE version_data SET texts = x'00'");
    database.close();
    const [best] = JSON.parse(stdout).results;
    const shown = locus('show', DEMO, best.address, '--json');
    assert.deepEqual(
      [shown.status, /was damaged \(file version/.test(shown.stderr)],
      [0, true],
      shown.stderr,
    );
    assert.equal(JSON.parse(shown.stdout).address, best.address);
    const again = search();
    assert.deepEqual([again.status, again.stderr], [0, '']);
    const { checks } = JSON.parse(locus('doctor', '--json').stdout);
    const aside = checks.find(({ name }: { name: string }) => name === 'quarantine');
    assert.match(aside.detail, /index\.db\.damaged-\d+ \(/);
  });

  it('exits quietly when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [LOCUS, 'export', '--schema'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('continues when standard error is closed', async () => {
    const child = spawn(
      process.execPath,
      [LOCUS, 'search', DEMO, '--at', 'no-such', 'x', '--json'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data') },
      },
    );
    child.stderr.destroy();
    let stdout = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 3);
    assert.equal(JSON.parse(stdout).error.code, 'bad-repository');
  });

  it('refuses to watch a commit or a bare repository', async () => {
    const root = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
    for (const place of [[root, '--at', 'HEAD'], [join(root, '.git')]]) {
      const { status, stderr } = locus('watch', ...place);
      const told = 'locus: A commit never changes, so there is nothing to watch.\n';
      assert.deepEqual([status, stderr], [2, `${told}  → Name a working tree and omit --at.\n`]);
    }
    await rm(root, { recursive: true });
  });

  it('continues to watch when the folder is moved away and back, with notes', async () => {
    const root = join(folder, 'watched');
    await mkdir(root);
    await writeFile(join(root, 'a.py'), 'def greet(): pass\n');
    const child = spawn(process.execPath, [LOCUS, 'watch', root, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data') },
    });
    const written = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (text) => {
        written[name] += text;
      });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const says = async (pattern: RegExp) => {
      while (!pattern.test(written.stdout) && child.exitCode === null) await sleep(50);
      assert.match(written.stdout, pattern, written.stderr);
    };
    // Changes are noticed only after the watcher has started.
    for (let i = 0; written.stdout === '' && child.exitCode === null; i++) {
      await writeFile(join(root, 'a.py'), `def greet(): return ${i}\n`);
      await sleep(200);
    }
    await rename(root, `${root}.elsewhere`);
    await says(/"failure":\{"code":"bad-repository","message":"[^"]*is no longer there/);
    await rename(`${root}.elsewhere`, root);
    await says(/"failure":null,"warning":null/);
    await writeFile(join(root, 'b.py'), 'def greet_again(): pass\n');
    await says(/b\.py/);
    child.kill('SIGINT');
    await ended;
    assert.match(written.stderr, /is no longer there\. Put it back.*\n.*followed again/);
  });

  it('reports an unreadable repository with a remedy, and exits with 3', () => {
    const { status, stderr } = locus('search', join(folder, 'nowhere'), 'x');
    assert.equal(status, 3);
    assert.match(stderr, /^locus: .*nowhere.*\n {2}→ /);
  });
});

describe('the command line on a workspace that is not indexed', () => {
  const roots: string[] = [];
  const args = () => roots.flatMap((root) => ['--repo', root]);
  before(() => {
    // Large enough that resolving their calls takes several steps.
    for (const name of ['api', 'web'])
      roots.push(gitRepository(syntheticPackage(30), join(folder, 'several', name)));
  });

  it('searches them, and again after edits', async () => {
    const search = () => locus('search', ...args(), '--json', 'the cookie is lost');
    const edited = join(assertPresent(roots[0], 'a root'), 'edited.py');
    for (const text of [null, 'def lose_cookie():\n    return None\n']) {
      if (text) await writeFile(edited, text);
      const { status, stdout, stderr } = search();
      assert.equal(status, 0, stderr);
      const { repositories, partial } = JSON.parse(stdout);
      assert.deepEqual([repositories.length, partial], [2, null]);
    }
  });

  it('exports them', () => {
    const { status, stdout, stderr } = locus(
      'export',
      join(folder, 'several'),
      '--workspace',
      '--data-dir',
      join(folder, 'fresh'),
      'the cookie is lost',
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /\[`(?:api|web)\//);
  });
});

test('a command that waits forever reports a defect', () => {
  const neverOpens = `
    import { registerHooks } from 'node:module';
    const source = 'export const openRepository = () => new Promise(() => {});';
    registerHooks({
      load: (url, context, next) =>
        url.endsWith('/services/open-repository.ts')
          ? { format: 'module', shortCircuit: true, source }
          : next(url, context),
    });`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(neverOpens)}`],
      ...[inProject('src/cli/entry.ts'), 'search', '.', 'x', '--json'],
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 70, stderr);
  assert.equal(JSON.parse(stdout).error.code, 'unexpected');
  assert.match(
    stderr,
    /waiting for an event that cannot occur\.?`\.\n {2}→ This is a defect in Locus/,
  );
});

describe('npm run demo', () => {
  const demo = (...args: string[]) =>
    spawnSync(process.execPath, [inProject('demo/run.ts'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data') },
    });

  it('prints the rank of the known answer', () => {
    const { status, stdout } = demo();
    assert.equal(status, 0);
    assert.match(stdout, /The fix belongs in tasklane\/retry\.py::RetryPolicy\.backoff: rank \d\./);
  });

  it('takes the issue of another folder from its newest commit, and searches the tree before it', async () => {
    const repository = join(folder, 'greeter');
    const git = (...args: string[]) => {
      const identity = [
        '-c',
        'user.name=Ann',
        '-c',
        'user.email=ann@localhost',
        '-c',
        'commit.gpgsign=false',
      ];
      const { status, stderr } = spawnSync('git', [...identity, ...args], {
        cwd: repository,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    };
    await mkdir(repository);
    git('init', '--quiet');
    await writeFile(
      join(repository, 'greeting.py'),
      'def greet(name):\n    return "Hello " + name\n',
    );
    git('add', '.');
    git('commit', '--quiet', '--message', 'Greet people');
    await writeFile(
      join(repository, 'greeting.py'),
      'def greet(name):\n    return f"Hello {name or \'you\'}"\n',
    );
    git('commit', '--quiet', '--all', '--message', 'greet fails without a name');

    const { status, stdout, stderr } = demo(repository);
    assert.equal(status, 0, stderr);
    assert.match(stdout, / {2}greet fails without a name\n/);
    assert.match(stdout, /1 █+ +greet +function +greeting\.py:1\n/);
    assert.match(stdout, /That commit changed:\n {2}greeting\.py\n/);
  });
});
