/**
 * Builds the golden repositories: invented projects whose files, history and issues are under `repositories/`. The same
 * description always gives the same commit ids.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeRepository } from '../../src/services/sample.ts';
import { git } from '../support/repository.ts';

const FOLDER = join(import.meta.dirname, 'repositories');
const DEMO = join(import.meta.dirname, '../../demo');

export interface GoldenIssue {
  name: string;
  /** Addresses of the chunks that a fix edits. */
  edited: string[];
  text: string;
}

export interface GoldenRepository {
  root: string;
  /** Commit ids, oldest first. */
  commits: string[];
  issues: GoldenIssue[];
  /** Issues whose lists are also reranked. They are few, since the reranker takes most of the time. */
  reranked: GoldenIssue[];
}

/** Name of the demo. */
const DEMO_NAME = 'tasklane';
/**
 * Name of the repository with all invented projects. Only a large repository has a confidence, and more chunks than are
 * ranked.
 */
const ALL_NAME = 'all';
/** Number of reranked issues of the large repository. */
const MAX_RERANKED_IN_ALL = 3;

/** Commit in a `history.json`. Paths are those at the time of the commit. */
interface GoldenCommit {
  message: string;
  author: string;
  /** ISO 8601. */
  date: string;
  /** New files, and folders of new files. */
  adds?: string[];
  /** Replaced texts. Each `after` occurs once in the file as the commit leaves it. */
  edits?: { path: string; before: string; after: string }[];
  moves?: { from: string; to: string }[];
  /** Texts of deleted files, by path. */
  deletes?: Record<string, string>;
  /** Target of a new symbolic link, by path. */
  links?: Record<string, string>;
  /** Size in bytes of a new file that is too large to keep here, by path. */
  fills?: Record<string, number>;
}

/** Entries of a tree, by path. */
type Tree = Map<string, { mode: '100644' | '120000'; content: Buffer }>;

/** Returns the names of the golden repositories. */
export function listRepositories(): string[] {
  return [...listProjects(), DEMO_NAME, ALL_NAME];
}

/** Creates a golden repository in a new folder of `parent`, with its last commit checked out. */
export async function createRepository(name: string, parent: string): Promise<GoldenRepository> {
  const root = join(parent, name);
  const stream = await exportRepository(name, parent);
  mkdirSync(root);
  git(root, 'init', '-q');
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: root,
    input: stream,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  git(root, 'reset', '-q', '--hard', 'main');
  const commits = git(root, 'log', '--reverse', '--format=%H', 'main').split('\n');
  const issues = readIssues(name, commits);
  const reranked = name === ALL_NAME ? issues.slice(0, MAX_RERANKED_IN_ALL) : issues;
  return { root, commits, issues, reranked };
}

/** Checks out a commit. */
export function checkOut({ root }: GoldenRepository, commit: string): void {
  git(root, 'checkout', '-q', '--detach', commit);
}

function listProjects(): string[] {
  return readdirSync(FOLDER).sort();
}

async function exportRepository(name: string, parent: string): Promise<Buffer> {
  if (name === DEMO_NAME) return exportDemo(parent);
  return name === ALL_NAME ? exportAll() : exportHistory(join(FOLDER, name));
}

/** Reads the issues of a repository. `{{commit 2}}` in a text stands for the id of the second commit. */
function readIssues(name: string, commits: readonly string[]): GoldenIssue[] {
  if (name === DEMO_NAME) return [readDemoIssue()];
  if (name === ALL_NAME) return listProjects().map((project) => readFirstIssue(project));
  const path = join(FOLDER, name, 'issues.json');
  const issues: GoldenIssue[] = JSON.parse(readFileSync(path, 'utf8'));
  return issues.map((issue) => ({
    ...issue,
    text: issue.text.replace(/\{\{commit (\d+)\}\}/g, (_, n) => commits[Number(n) - 1]),
  }));
}

/** Reads the first issue of a project, with addresses in the repository of all projects. */
function readFirstIssue(project: string): GoldenIssue {
  const [{ name, edited, text }] = readIssues(project, []);
  return { name, edited: edited.map((address) => `${project}/${address}`), text };
}

function readDemoIssue(): GoldenIssue {
  const text = readFileSync(join(DEMO, 'issue.md'), 'utf8');
  return { name: 'max-delay', edited: ['tasklane/retry.py::RetryPolicy.backoff'], text };
}

/** Exports the demo's history with fixed dates, since its commits are made at the time of the call. */
async function exportDemo(parent: string): Promise<Buffer> {
  const made = join(parent, 'demo');
  await makeRepository(made);
  const stream = git(made, 'fast-export', '--reencode=no', 'HEAD');
  let commit = 0;
  const dated = stream
    .replace(/^(?:commit|reset) refs\/heads\/\S+$/gm, (line) =>
      line.replace(/\S+$/, 'refs/heads/main'),
    )
    .replace(/^(author|committer) (.*>) \d+ [+-]\d{4}$/gm, (_, role, person) => {
      if (role === 'author') commit++;
      return `${role} ${person} ${1_700_000_000 + commit * 1_000_000} +0000`;
    });
  return Buffer.from(`${dated}\n`);
}

/** Writes a history as a stream for `git fast-import`: the invented projects, a commit for each. */
function exportAll(): Buffer {
  const tree: Tree = new Map();
  const parts = listProjects().map((project, i) => {
    for (const [path, entry] of readTree(join(FOLDER, project, 'files'), []))
      tree.set(`${project}/${path}`, entry);
    const date = new Date(Date.UTC(2023, i)).toISOString();
    return exportCommit({ message: `Add ${project}`, author: 'Test', date }, tree);
  });
  return Buffer.concat(parts);
}

/** Writes a project's history as a stream for `git fast-import`. */
function exportHistory(folder: string): Buffer {
  const commits: GoldenCommit[] = JSON.parse(readFileSync(join(folder, 'history.json'), 'utf8'));
  const tree = readTree(join(folder, 'files'), commits);
  const parts: Buffer[] = [];
  for (const commit of commits.toReversed()) {
    parts.unshift(exportCommit(commit, tree));
    undo(commit, tree);
  }
  if (tree.size > 0) throw new Error(`No commit of ${folder} adds ${[...tree.keys()].join(', ')}.`);
  return Buffer.concat(parts);
}

/** Reads the files of a repository as its last commit leaves them. */
function readTree(folder: string, commits: readonly GoldenCommit[]): Tree {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const tree: Tree = new Map();
  for (const file of files) {
    tree.set(relative(folder, file), { mode: '100644', content: readFileSync(file) });
  }
  for (const { links = {}, fills = {} } of commits) {
    for (const [path, target] of Object.entries(links)) {
      tree.set(path, { mode: '120000', content: Buffer.from(target) });
    }
    for (const [path, size] of Object.entries(fills)) {
      tree.set(path, { mode: '100644', content: Buffer.alloc(size, '0123456789abcde\n') });
    }
  }
  return tree;
}

/** Reverts a commit in a tree. @throws if the commit does not fit the tree */
function undo(commit: GoldenCommit, tree: Tree): void {
  const { adds = [], edits = [], moves = [], deletes = {}, links = {}, fills = {} } = commit;
  for (const { path, before, after } of edits.toReversed()) {
    const text = tree.get(path)?.content.toString() ?? '';
    if (text.split(after).length !== 2)
      throw new Error(`"${commit.message}" leaves ${path} without, or with several: ${after}`);
    const content = Buffer.from(text.replace(after, () => before));
    tree.set(path, { mode: '100644', content });
  }
  for (const { from, to } of moves) {
    tree.set(from, tree.get(to)!);
    tree.delete(to);
  }
  for (const [path, text] of Object.entries(deletes)) {
    tree.set(path, { mode: '100644', content: Buffer.from(text) });
  }
  for (const added of [...adds, ...Object.keys(links), ...Object.keys(fills)]) {
    const paths = [...tree.keys()].filter((path) => path === added || path.startsWith(`${added}/`));
    if (paths.length === 0) throw new Error(`"${commit.message}" adds ${added}, which is missing.`);
    for (const path of paths) tree.delete(path);
  }
}

function exportCommit({ message, author, date }: GoldenCommit, tree: Tree): Buffer {
  const email = `${author.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const person = `${author} <${email}> ${Date.parse(date) / 1000} +0000`;
  const entries = [...tree].flatMap(([path, { mode, content }]) => [
    Buffer.from(`M ${mode} inline ${path}\n`),
    ...exportData(content),
  ]);
  return Buffer.concat([
    Buffer.from(`commit refs/heads/main\nauthor ${person}\ncommitter ${person}\n`),
    ...exportData(Buffer.from(message)),
    Buffer.from('deleteall\n'),
    ...entries,
  ]);
}

function exportData(content: Buffer): Buffer[] {
  return [Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')];
}
