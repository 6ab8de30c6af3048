/** Reads changes from git: those of the working tree against HEAD, and those of a commit against its first parent. */
import { decodeSource } from '../../../base/decode-source.ts';
import { git, splitAtNul, streamGit } from '../../../base/git/git.ts';
import { diffCode } from '../../../shared/code-diff.ts';
import { badInput } from '../../../shared/errors.ts';
import { quoteText } from '../../../shared/quote.ts';
import { isIndexedPath } from '../../languages/index.ts';
import type { RepositoryIndex } from '../../snapshot/repository-index.ts';
import { BlobReader } from '../../source/blob-reader.ts';
import { findCommit } from '../../source/open.ts';
import type { SourceTree } from '../../source/types.ts';
import type { Store } from '../../store/store.ts';
import { type DiffedFile, MAX_FILES, type ReadDiff, readDiff } from './read-diff.ts';

/** Maximum bytes of a commit's diff. */
const MAX_DIFF_BYTES = 20_000_000;
const COMMIT_OPTIONS = ['--root', '-r', '-p', '-M', '-U3', '--relative', '--no-commit-id'];
const MODES = ['--diff-merges=first-parent', '--src-prefix=a/', '--dst-prefix=b/'];

/**
 * Reads the changes of a commit, of which files outside the opened folder are left out.
 * @throws LocusError `bad-input` for an unknown commit, `bad-repository` if git fails
 */
export async function readCommitChanges(
  tree: SourceTree,
  commit: string,
  signal?: AbortSignal,
): Promise<ReadDiff> {
  const id =
    (await tree.getHead(signal)) === null ? null : await findCommit(tree.root, commit, signal);
  if (!id)
    throw badInput(
      `${tree.root} has no commit ${quoteText(commit)}.`,
      'Name a commit, a branch or a tag.',
    );
  const call = ['diff-tree', ...COMMIT_OPTIONS, ...MODES, id] as const;
  const diff = await git(tree.root, call, { maxBytes: MAX_DIFF_BYTES, signal });
  return diff.length === 0 ? NO_CHANGES : readDiff(diff.toString('utf8'));
}

const NO_CHANGES: ReadDiff = { files: [], leftOut: 0, binary: 0 };

/**
 * Reads how the indexed files of a working tree differ from HEAD, new files included. Git only gets asked for committed contents: on
 * files on disk, it would run filters of the repository's configuration.
 * @throws LocusError `bad-input` without a working tree or a commit, `bad-repository` if git fails
 */
export async function readWorkingTreeChanges(
  tree: SourceTree,
  index: RepositoryIndex,
  store: Store,
  signal?: AbortSignal,
): Promise<ReadDiff> {
  const head = tree.revision === null ? await tree.getHead(signal) : null;
  if (head === null)
    throw badInput(
      `${tree.root} has no changes to read: it is no working tree with a commit.`,
      'Give a diff or a commit.',
    );
  const committed = await listBlobs(tree.root, head, signal);
  const paths = new Set([...committed.keys(), ...index.getAllPaths()]);
  const changed = [...paths].sort().filter((path) => {
    const hash = index.getFile(path)?.hash;
    return hash !== committed.get(path) && (hash !== undefined || isIndexedPath(path));
  });
  const blobs = new BlobReader(tree.root);
  try {
    const files: DiffedFile[] = [];
    for (const path of changed.slice(0, MAX_FILES)) {
      const file = await compareFile(path, committed.get(path), blobs, index, store);
      if (file) files.push(file);
    }
    return { files, leftOut: Math.max(0, changed.length - MAX_FILES), binary: 0 };
  } finally {
    blobs.close();
  }
}

/** Returns the blob ids of the files below a folder, by the path relative to it. */
async function listBlobs(
  root: string,
  commit: string,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const blobs = new Map<string, string>();
  const output = streamGit(root, ['ls-tree', '-r', '-z', commit], { signal });
  for await (const lines of splitAtNul(output))
    for (const line of lines) {
      const [, id, path] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line.toString('utf8')) ?? [];
      if (id && path) blobs.set(path, id);
    }
  return blobs;
}

async function compareFile(
  path: string,
  blob: string | undefined,
  blobs: BlobReader,
  index: RepositoryIndex,
  store: Store,
): Promise<DiffedFile | null> {
  const bytes = blob === undefined ? null : ((await blobs.read(blob))?.bytes ?? null);
  if (blob !== undefined && bytes === null) return null;
  const decoded = bytes && decodeSource(bytes);
  if (decoded && !('text' in decoded)) return null;
  const file = index.getFile(path);
  const before = decoded?.text ?? '';
  const after = file ? store.versions.getContent(file.versionId) : '';
  const hunks = diffCode({ code: before, startLine: 1 }, { code: after, startLine: 1 });
  if (hunks.length === 0) return null;
  return {
    from: blob === undefined ? null : path,
    to: file ? path : null,
    hunks: hunks.map(({ was, now, lines }) => ({
      ...{ oldStart: was.start, oldLines: was.count },
      ...{ newStart: now.start, newLines: now.count, heading: '' },
      lines: lines.map(({ is, text }) => ({ mark: MARKS[is], text })),
    })),
  };
}

const MARKS = { same: ' ', removed: '-', added: '+' } as const;
