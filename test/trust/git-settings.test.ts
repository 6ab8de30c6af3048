/**
 * No setting of a repository runs a program. For each setting that could, `control` is a call of plain git that does run
 * it, which proves that the test would notice.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULTS } from '../../lab/mining/defaults.ts';
import { mine } from '../../lab/mining/mine.ts';
import { readRepositoryName } from '../../lab/mining/name.ts';
import { ensureProgram } from '../../scripts/debian.ts';
import { blameLine } from '../../src/engine/history/blame.ts';
import { judgeCommit } from '../../src/engine/history/fix-candidates.ts';
import { readFixPatches } from '../../src/engine/history/fix-patches.ts';
import { readCommits } from '../../src/engine/history/read-commits.ts';
import { describeCommits, listCommits } from '../../src/engine/history/read-history.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { watchTree } from '../../src/engine/source/watch.ts';
import { diagnose } from '../../src/services/doctor.ts';
import { evaluate } from '../../src/services/evaluation/evaluate.ts';
import { gatherExport } from '../../src/services/exchange/gather.ts';
import { DEFAULT_MODEL } from '../../src/services/models.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

/** Setting that can make git run a program. */
interface Hostile {
  /** Git settings by name. `RUN` stands for a program that leaves a trace. */
  settings?: Record<string, string>;
  /** Environment variables, with `RUN` as above. */
  env?: Record<string, string>;
  /** Further preparation of the repository. */
  prepare?: (root: string) => void;
  /** Call of plain git that runs the program; null if git itself refuses to. With `tty`, it runs on a terminal. */
  control: string[] | null;
  input?: string;
  tty?: true;
  /** True if a blob and a tree are missing, as in a partial clone, so that reading tries to fetch. */
  partial?: true;
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const SIGNATURES = {
  openpgp: '-----BEGIN PGP SIGNATURE-----\n\n x\n -----END PGP SIGNATURE-----',
  x509: '-----BEGIN SIGNED MESSAGE-----\n x\n -----END SIGNED MESSAGE-----',
  ssh: '-----BEGIN SSH SIGNATURE-----\n x\n -----END SSH SIGNATURE-----',
};

const SETTINGS: Record<string, Hostile> = {
  'core.pager': { settings: { 'core.pager': 'RUN' }, control: ['-p', 'log'], tty: true },
  'pager.<command>': { settings: { 'pager.log': 'RUN' }, control: ['log'], tty: true },
  'pager.<command> of plumbing': {
    settings: { 'pager.rev-list': 'RUN', 'pager.ls-tree': 'RUN', 'pager.ls-files': 'RUN' },
    control: ['ls-files'],
    tty: true,
  },
  'diff.external': { settings: { 'diff.external': 'RUN' }, control: ['diff', 'HEAD~1'] },
  'diff.<driver>.command': {
    settings: { 'diff.evil.command': 'RUN' },
    control: ['diff', 'HEAD~1'],
  },
  'diff.<driver>.textconv': {
    settings: { 'diff.evil.textconv': 'RUN', 'diff.evil.cachetextconv': 'true' },
    control: ['diff', 'HEAD~1'],
  },
  'diff.<driver>.textconv of blame': {
    settings: { 'diff.evil.textconv': 'RUN' },
    control: ['blame', 'HEAD', '--', 'a.py'],
  },
  'filter.<name>.clean of blame': {
    settings: { 'filter.evil.clean': 'RUN' },
    control: ['blame', '--', 'a.py'],
  },
  'pager.<command> of blame': {
    settings: { 'pager.blame': 'RUN' },
    control: ['blame', 'HEAD', '--', 'a.py'],
    tty: true,
  },
  'attributes of the repository': {
    settings: { 'diff.info.textconv': 'RUN' },
    prepare: (root) => writeFileSync(join(root, '.git/info/attributes'), '* diff=info\n'),
    control: ['diff', 'HEAD~1'],
  },
  'core.attributesFile': {
    settings: { 'diff.third.textconv': 'RUN', 'core.attributesFile': '.git/third' },
    prepare: (root) => {
      rmSync(join(root, '.gitattributes'));
      writeFileSync(join(root, '.git/third'), '* diff=third\n');
    },
    control: ['diff', 'HEAD~1', 'HEAD'],
  },
  'filter.<name>.clean': { settings: { 'filter.evil.clean': 'RUN' }, control: ['add', '.'] },
  'filter.<name>.smudge': {
    settings: { 'filter.evil.smudge': 'RUN' },
    control: ['checkout', '--', '.'],
  },
  'filter.<name>.process': { settings: { 'filter.evil.process': 'RUN' }, control: ['add', '.'] },
  'core.hooksPath': {
    settings: { 'core.hooksPath': '.git/mine' },
    prepare: (root) => hooks(root, 'mine'),
    control: ['commit', '--allow-empty', '-m', 'x'],
  },
  hooks: { prepare: (root) => hooks(root, 'hooks'), control: ['update-index', '--refresh', '-q'] },
  'core.fsmonitor': { settings: { 'core.fsmonitor': 'RUN' }, control: ['status'] },
  'core.fsmonitor, version 1': {
    settings: { 'core.fsmonitor': 'RUN', 'core.fsmonitorHookVersion': '1' },
    control: ['ls-files', '--others'],
  },
  'gpg.program': {
    settings: { 'log.showSignature': 'true', 'gpg.program': 'RUN' },
    prepare: (root) => sign(root, SIGNATURES.openpgp),
    control: ['log'],
  },
  'gpg.openpgp.program': {
    settings: { 'log.showSignature': 'true', 'gpg.openpgp.program': 'RUN' },
    prepare: (root) => sign(root, SIGNATURES.openpgp),
    control: ['log'],
  },
  'gpg.x509.program': {
    settings: { 'log.showSignature': 'true', 'gpg.x509.program': 'RUN' },
    prepare: (root) => sign(root, SIGNATURES.x509),
    control: ['log'],
  },
  'gpg.ssh.program': {
    settings: {
      'log.showSignature': 'true',
      'gpg.ssh.program': 'RUN',
      'gpg.ssh.allowedSignersFile': '/dev/null',
    },
    prepare: (root) => sign(root, SIGNATURES.ssh),
    control: ['log'],
  },
  'include.path': {
    settings: { 'include.path': 'more' },
    prepare: (root) => {
      sign(root, SIGNATURES.openpgp);
      include(root);
    },
    control: ['log'],
  },
  'includeIf.<condition>.path': {
    settings: { 'includeIf.gitdir:**.path': 'more' },
    prepare: (root) => {
      sign(root, SIGNATURES.openpgp);
      include(root);
    },
    control: ['log'],
  },
  'alias.*': {
    settings: {
      'alias.evil': '!RUN',
      ...Object.fromEntries(
        [
          'rev-parse',
          'rev-list',
          'ls-files',
          'ls-tree',
          'diff-tree',
          'cat-file',
          'for-each-ref',
          'version',
        ].map((name) => [`alias.${name}`, '!RUN']),
      ),
    },
    control: ['evil'],
  },
  'core.editor': { settings: { 'core.editor': 'RUN' }, control: ['commit', '--amend'] },
  'sequence.editor': {
    settings: { 'sequence.editor': 'RUN' },
    control: ['rebase', '-i', '--autostash', 'HEAD~1'],
  },
  'credential.helper': {
    settings: { 'credential.helper': 'RUN' },
    control: ['credential', 'fill'],
    input: 'protocol=https\nhost=example.org\n\n',
  },
  'core.askPass': {
    settings: { 'core.askPass': 'RUN' },
    control: ['credential', 'fill'],
    input: 'protocol=https\nhost=example.org\n\n',
  },
  'core.sshCommand': {
    settings: { 'core.sshCommand': 'RUN', 'remote.origin.url': 'ssh://127.0.0.1:1/x' },
    control: ['fetch'],
    partial: true,
  },
  'core.gitProxy': {
    settings: { 'core.gitProxy': 'RUN', 'remote.origin.url': 'git://127.0.0.1:1/x' },
    control: ['fetch'],
    partial: true,
  },
  'remote.<name>.uploadpack': {
    settings: { 'remote.origin.uploadpack': 'RUN', 'remote.origin.url': 'file:///' },
    control: ['fetch'],
    partial: true,
  },
  'protocol.ext.allow': {
    settings: { 'protocol.ext.allow': 'always', 'remote.origin.url': 'ext::RUN' },
    control: ['fetch'],
    partial: true,
  },
  'url.<base>.insteadOf': {
    settings: {
      'protocol.ext.allow': 'always',
      'url.ext::RUN.insteadOf': 'https://example.org/',
      'remote.origin.url': 'https://example.org/',
    },
    control: ['fetch'],
    partial: true,
  },
  'uploadpack.packObjectsHook': {
    settings: { 'uploadpack.packObjectsHook': 'RUN' },
    control: null,
  },
  'core.alternateRefsCommand': {
    settings: { 'core.alternateRefsCommand': 'RUN' },
    prepare: (root) => {
      const objects = join(templates.plain, '.git/objects\n');
      writeFileSync(join(root, '.git/objects/info/alternates'), objects);
    },
    control: ['rev-list', '--alternate-refs', 'HEAD'],
    partial: true,
  },
  'interactive.diffFilter': {
    settings: {
      'interactive.diffFilter': 'RUN',
      'color.ui': 'always',
      'add.interactive.useBuiltin': 'false',
    },
    control: ['add', '-p'],
    input: 'q\n',
  },
  'merge.<driver>.driver': {
    settings: { 'merge.evil.driver': 'RUN' },
    prepare: (root) => appendFileSync(join(root, '.gitattributes'), '* merge=evil\n'),
    control: ['merge-tree', '--write-tree', 'main', 'other'],
  },
  'mergetool and difftool': {
    settings: { 'difftool.evil.cmd': 'RUN', 'diff.tool': 'evil', 'difftool.prompt': 'false' },
    control: ['difftool', 'HEAD~1'],
  },
  'trailer.<token>.command': {
    settings: { 'trailer.evil.command': 'RUN', 'trailer.evil.key': 'Evil' },
    control: ['interpret-trailers'],
    input: 'subject\n\nEvil: x\n',
  },
  'submodule.<name>.update': {
    settings: {
      'submodule.sub.update': '!RUN',
      'submodule.sub.url': '.',
      'submodule.sub.active': 'true',
    },
    prepare: (root) => {
      const head = git(root, 'rev-parse', 'HEAD');
      const other = head.startsWith('f') ? head.replace('f', 'e') : head.replace(/^./, 'f');
      cpSync(templates.plain, join(root, 'sub'), { recursive: true });
      writeFileSync(join(root, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = .\n');
      git(root, 'update-index', '--add', '--cacheinfo', `160000,${other},sub`);
    },
    control: ['submodule', 'update', '--no-fetch'],
  },
  'gc and maintenance': {
    settings: { 'gc.auto': '1', 'gc.recentObjectsHook': 'RUN' },
    control: null,
  },
  'extensions.partialClone': {
    settings: {
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.url': 'ext::RUN',
      'protocol.ext.allow': 'always',
    },
    control: ['cat-file', '-p', 'HEAD~2:lost.py'],
    partial: true,
  },
  GIT_EXTERNAL_DIFF: { env: { GIT_EXTERNAL_DIFF: 'RUN' }, control: ['diff', 'HEAD~1'] },
  GIT_PAGER: { env: { GIT_PAGER: 'RUN' }, control: ['log'], tty: true },
  GIT_SSH_COMMAND: {
    env: { GIT_SSH_COMMAND: 'RUN' },
    settings: { 'remote.origin.url': 'ssh://127.0.0.1:1/x' },
    control: ['fetch'],
    partial: true,
  },
  GIT_PROXY_COMMAND: {
    env: { GIT_PROXY_COMMAND: 'RUN' },
    settings: { 'remote.origin.url': 'git://127.0.0.1:1/x' },
    control: ['fetch'],
    partial: true,
  },
  GIT_ASKPASS: {
    env: { GIT_ASKPASS: 'RUN' },
    control: ['credential', 'fill'],
    input: 'protocol=https\nhost=example.org\n\n',
  },
  GIT_EDITOR: { env: { GIT_EDITOR: 'RUN' }, control: ['commit', '--amend'] },
  GIT_CONFIG_COUNT: {
    env: {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'log.showSignature',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'gpg.program',
      GIT_CONFIG_VALUE_1: 'RUN',
    },
    prepare: (root) => sign(root, SIGNATURES.openpgp),
    control: ['log'],
  },
  GIT_CONFIG_PARAMETERS: {
    env: { GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='RUN'" },
    control: ['status'],
  },
};

const templates = { plain: '', partial: '' };
let folder: string;
let run: string;
let trace: string;

before(() => {
  ensureProgram('script', 'bsdutils');
  folder = temporaryFolder('locus-settings-');
  run = join(folder, 'run');
  trace = join(folder, 'trace');
  writeFileSync(run, `#!/bin/sh\necho "$0 $*" >> ${trace}\n`);
  chmodSync(run, 0o755);
  templates.plain = join(folder, 'plain');
  templates.partial = join(folder, 'partial');
  makeTemplate(templates.plain);
  cpSync(templates.plain, templates.partial, { recursive: true });
  makePartial(templates.partial);
});
after(() => removeFolder(folder));

for (const [name, hostile] of Object.entries(SETTINGS)) {
  test(`${name} runs no program`, async () => {
    const root = repositoryWith(name, hostile);
    const restore = setEnvironment(hostile.env);
    try {
      await readEverything(root);
      assert.equal(traces(), null);
      if (hostile.control === null) return;
      plainGit(root, hostile);
      assert.match(traces() ?? 'the program was not run', /\/run/, 'the control');
    } finally {
      restore();
    }
  });
}

test('all settings together run no program, whatever Locus does', async () => {
  const root = join(folder, 'everything');
  cpSync(templates.plain, root, { recursive: true });
  const instance = {
    instance_id: 'a__b-1',
    repo: 'a/b',
    base_commit: git(root, 'rev-parse', 'HEAD~1'),
    problem_statement: 'price',
    patch: git(root, 'diff', 'HEAD~1', 'HEAD', '--', 'a.py'),
  };
  const together = Object.values(SETTINGS).filter(({ partial }) => !partial);
  for (const hostile of together) configure(root, hostile);
  rmSync(trace, { force: true });
  const restores = together.map(({ env }) => setEnvironment(env));
  try {
    const options = { dataDir: join(folder, 'data'), model: DEFAULT_MODEL };
    const places = [[root], [join(root, 'pkg')], [root, 'HEAD~1'], [join(root, '.git')]] as const;
    for (const [place, revision] of places) {
      const repository = await openRepository(place, { ...options, revision });
      const { notes } = await repository.index();
      assert.deepEqual(notes, []);
      const response = await repository.search({ issue: 'price', rerank: { count: 0 } });
      assert.ok(response.results.length > 0);
      await repository.blame({ path: place === join(root, 'pkg') ? 'b.py' : 'a.py', line: 1 });
      await gatherExport(repository, response, 'price');
      if (place === root && !revision) await watchOnce(repository, root);
      await repository.close();
    }
    await mine(root, join(folder, 'mined.zst'), {
      ...DEFAULTS,
      ...{
        name: await readRepositoryName(root),
        limit: null,
        topK: null,
        negatives: 0,
        minMessage: 1,
      },
    });
    const repos = join(folder, 'clones');
    cpSync(root, join(repos, 'a__b'), { recursive: true });
    const { outcomes, leftOut } = await evaluate([instance], {
      repos,
      open: openRepository,
      openOptions: options,
    });
    assert.deepEqual([outcomes.length, leftOut], [1, []]);
    await diagnose({ root, dataDir: options.dataDir });
    assert.equal(traces(), null);
  } finally {
    for (const restore of restores) restore();
  }
});

test('git is started in one file only', () => {
  // These make their own repositories, copy others, list commits to draw from or measure `git grep`. The fleet's fetches from hosts.
  const others = [
    'lab/fleet/compare.ts',
    'lab/fleet/grow.ts',
    'lab/speed/folders.ts',
    'lab/speed/small-repository.ts',
    'src/services/fleet/remote-git.ts',
    'src/services/sample.ts',
    'lab/agent-trial/limited-clone.ts',
    'lab/agent-trial/word-search.ts',
    'lab/bench/support/by-words.ts',
    'lab/bench/support/check-out.ts',
    'lab/grep/tools.ts',
    'lab/sections/draw.ts',
  ];
  const starters = globSync('{src,lab,demo}/**/*.{ts,py}', { cwd: PROJECT }).filter((path) => {
    const text = readFileSync(join(PROJECT, path), 'utf8');
    return /child_process|subprocess/.test(text) && /(['"`])git\1/.test(text);
  });
  assert.deepEqual(starters.sort(), [...others, 'src/base/git/git.ts'].sort());
});

/** Reads a repository in every way that Locus does. Ignores errors, which such a repository causes. */
async function readEverything(root: string): Promise<void> {
  const isPython = (path: string) => path.endsWith('.py');
  for (const revision of [undefined, 'HEAD~2']) {
    await ignoreFailures(async () => {
      const tree = await openTree(root, { revision });
      try {
        const { entries } = await tree.list(isPython);
        for await (const _ of tree.read(entries));
        await tree.getHead();
        const shown = { path: 'a.py', line: 2, text: 'x\n    return 1\n', hash: '' };
        for (const text of [shown.text, 'def price(item):\n    return 2\n'])
          await blameLine(tree, { ...shown, text });
      } finally {
        await tree.close();
      }
    });
  }
  await ignoreFailures(async () => {
    const history = await listCommits(root, 'HEAD', 100);
    for await (const _ of readCommits(root, history));
  });
  await ignoreFailures(async () => {
    const judged: ReturnType<typeof judgeCommit>[] = [];
    for await (const commit of describeCommits(root, 'HEAD')) {
      judged.push(judgeCommit(commit, { ...DEFAULTS, minMessage: 1 }));
    }
    await readFixPatches(
      root,
      judged.filter((candidate) => typeof candidate !== 'string'),
    );
  });
  const ending = new AbortController();
  await watchTree(root, {
    accepts: isPython,
    signal: ending.signal,
    onReady: () => ending.abort(),
    onChange: () => {},
    onHealth: () => {},
  });
}

async function ignoreFailures(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error) => assert.equal(error.code, 'bad-repository', error.stack));
}

async function watchOnce(repository: Awaited<ReturnType<typeof openRepository>>, root: string) {
  const ending = new AbortController();
  const timer = setInterval(() => appendFileSync(join(root, 'a.py'), '\nx = 1\n'), 300);
  await repository.watch({ signal: ending.signal, onUpdate: () => ending.abort() });
  clearInterval(timer);
}

/** Makes a repository with two branches, an uncommitted edit, and attributes that name drivers of all kinds. */
function makeTemplate(root: string): void {
  writeFiles(root, {
    'a.py': 'def price(item):\n    return item.price\n',
    'pkg/b.py': 'b = 1\n',
    'lost.py': 'lost = 1\n',
    '.gitattributes': '* diff=evil filter=evil merge=evil\n',
  });
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'First');
  git(root, 'checkout', '-q', '-b', 'other');
  writeFiles(root, { 'a.py': 'def price(item):\n    return 1\n' });
  git(root, 'commit', '-q', '-a', '-m', 'The price is one');
  git(root, 'checkout', '-q', 'main');
  git(root, 'rm', '-q', 'lost.py');
  git(root, 'commit', '-q', '-m', 'Less');
  writeFiles(root, { 'a.py': 'def price(item):\n    return item.price + 1\n' });
  git(root, 'commit', '-q', '-a', '-m', 'The price of an item is one more');
}

/** Makes a repository partial, like a clone without the blobs that were never checked out. */
function makePartial(root: string): void {
  const lost = git(root, 'rev-parse', 'HEAD~2:lost.py');
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  for (const [name, value] of [
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialclonefilter', 'blob:none'],
    ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
  ]) {
    git(root, 'config', name!, value!);
  }
}

function repositoryWith(name: string, hostile: Hostile): string {
  rmSync(trace, { force: true });
  const root = join(folder, name.replace(/\W+/g, '-'));
  cpSync(hostile.partial ? templates.partial : templates.plain, root, { recursive: true });
  // The changed time makes git look at the file.
  appendFileSync(join(root, 'a.py'), '\n');
  configure(root, hostile);
  return root;
}

function configure(root: string, { prepare, settings = {} }: Hostile): void {
  prepare?.(root);
  for (const [name, value] of Object.entries(settings)) {
    git(root, 'config', name.replace('RUN', run), value.replace('RUN', run));
  }
}

function setEnvironment(env: Record<string, string> = {}): () => void {
  const before = { ...process.env };
  for (const [name, value] of Object.entries(env)) process.env[name] = value.replace('RUN', run);
  return () => {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  };
}

/** Runs the control with plain git, on a terminal if needed. Its exit code does not matter. */
function plainGit(root: string, { control, input = '', tty }: Hostile): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const [program, ...args] = tty
    ? ['script', '-qec', `git ${control!.join(' ')}`, '/dev/null']
    : ['git', ...identity, ...control!];
  spawnSync(program!, args, {
    cwd: root,
    input,
    timeout: 10_000,
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      TERM: 'xterm',
      GIT_TERMINAL_PROMPT: '0',
    },
  });
}

function traces(): string | null {
  return existsSync(trace) ? execFileSync('cat', [trace], { encoding: 'utf8' }) : null;
}

function hooks(root: string, place: string): void {
  for (const hook of [
    'post-index-change',
    'pre-commit',
    'post-checkout',
    'reference-transaction',
  ]) {
    writeFiles(join(root, '.git', place), {
      [hook]: `#!/bin/sh\nexec ${run} ${hook} < /dev/null\n`,
    });
    chmodSync(join(root, '.git', place, hook), 0o755);
  }
}

function include(root: string): void {
  const lines = ['[log]', '\tshowSignature = true', '[gpg]', `\tprogram = ${run}`, ''];
  writeFileSync(join(root, '.git/more'), lines.join('\n'));
}

/** Signs the newest commit with an invalid signature. */
function sign(root: string, signature: string): void {
  const commit = execFileSync('git', ['cat-file', 'commit', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  const signed = commit.replace(/\n\n/, `\ngpgsig ${signature}\n\n`);
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: root,
    input: signed,
    encoding: 'utf8',
  }).trim();
  writeFileSync(join(root, '.git/refs/heads/main'), `${id}\n`);
}
