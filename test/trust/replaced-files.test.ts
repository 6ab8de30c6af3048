/** A file of the data directory that has become a link, pipe, device or folder is replaced, or causes an error that names it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { type FullSession, runFullSession, runLocus } from '../support/full-session.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

/** Files that git and Node open. */
const NOT_OURS = /^(sample\/tasklane|fleet\/clones|compiled)\//;

let parent: string;
let session: FullSession;
/** Another user's database, which a link leads to. */
let victim: string;
let names: string[];
before(async () => {
  parent = temporaryFolder('locus-replaced-');
  session = await runFullSession(parent);
  victim = join(parent, 'victim.db');
  copyFileSync(join(session.dataDir, 'app.db'), victim);
  names = (readdirSync(session.dataDir, { recursive: true }) as string[]).filter(
    (name) => !NOT_OURS.test(name) && lstatSync(join(session.dataDir, name)).isFile(),
  );
});
after(() => {
  removeFolder(session.root);
  removeFolder(parent);
});

const KINDS: Record<string, (path: string) => void> = {
  link: (path) => symlinkSync(victim, path),
  'dangling link': (path) => symlinkSync(join(parent, 'made'), path),
  device: (path) => symlinkSync('/dev/zero', path),
  pipe: (path) => execFileSync('mkfifo', [path]),
  folder: (path) => mkdirSync(path),
};

const search = (dataDir: string) => runLocus(dataDir, ['search', session.root, 'the total']);

/** Searches with a copy of the data directory in which one file is replaced. */
function searchWith(name: string, put: (path: string) => void) {
  const copy = join(parent, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(session.dataDir, copy, { recursive: true });
  rmSync(join(copy, name));
  put(join(copy, name));
  return search(copy);
}

function check(name: string, kind: string): void {
  const before = readFileSync(victim);
  const { status, signal, stderr, stdout } = searchWith(name, KINDS[kind]!);
  const about = `${kind} in place of ${name}, seed ${SEED}: ${stderr}`;
  assert.equal(signal, null, `it hangs: ${about}`);
  assert.doesNotMatch(stderr, /failed unexpectedly|defect/, about);
  assert.ok(readFileSync(victim).equals(before), `the target of the link was changed: ${about}`);
  assert.ok(!readdirSync(parent).includes('made'), `the target of the link was created: ${about}`);
  if (status === 0) assert.match(stdout, /total/, about);
  else assert.ok(stderr.includes(basename(name)), `the error does not name it: ${about}`);
}

test('without a replaced file, a search finds the function', () => {
  const { status, stdout } = search(session.dataDir);
  assert.equal(status, 0);
  assert.match(stdout, /total/);
});

test('a search with one replaced file fails with its name, or replaces it', () => {
  const cases = names.flatMap((name) => Object.keys(KINDS).map((kind) => ({ name, kind })));
  assert.ok(names.length > 15, `${names}`);
  const random = uniform();
  const drawn = cases.map((each) => ({ ...each, order: random() }));
  drawn.sort((a, b) => a.order - b.order);
  for (const { name, kind } of drawn.slice(0, scaleRounds(5))) check(name, kind);
});

test('a search does so with each file that SQLite and Locus open first', () => {
  const [index] = names.filter((name) => name.endsWith('index.db') && !name.includes('tasklane'));
  assert.ok(index);
  for (const kind of ['link', 'pipe']) check(index, kind);
  check('app.db', 'pipe');
  check(index.replace('index.db', 'hashes.columns'), 'pipe');
});
