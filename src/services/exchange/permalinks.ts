/** Creates permalinks for results, if the code host has exactly the lines that were searched. */
import { createHash } from 'node:crypto';
import { decodeSource } from '../../base/decode-source.ts';
import { git } from '../../base/git/git.ts';
import type { ChunkAddress } from '../../shared/address.ts';
import { formatRemoteName } from '../../shared/remote-url.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { type GitFolder, isPublished, type RemoteOrigin, readBlobIds } from '../remote/origin.ts';
import { formatPermalink } from '../remote/permalink.ts';
import type { ExportInput } from './export-input.ts';

interface PublishedCommit {
  gitFolder: GitFolder;
  commit: string;
  /** Path of the folder in its repository, with a trailing slash. */
  prefix: string;
  origin: RemoteOrigin;
  /** True if the files on disk were searched, which may differ from the commit. */
  onDisk: boolean;
}

export async function createPermalinks(
  repository: QueryTarget,
  results: readonly RankedChunk[],
  { gitFolder, commit, prefix, origin, onDisk }: PublishedCommit,
): Promise<Pick<ExportInput, 'permalinks' | 'unlinked'>> {
  const { codeHost, remote } = origin;
  const short = commit.slice(0, 12);
  if (codeHost === null) return { unlinked: `${remote.host} is not a known code host` };
  if (!(await isPublished(gitFolder, commit)))
    return {
      unlinked: `commit ${short} has not been pushed to ${formatRemoteName(remote)}, as far as Git knows`,
    };
  const changed = onDisk
    ? await findChangedFiles(repository, gitFolder, commit, results)
    : new Set();
  const permalinks = new Map<ChunkAddress, string>();
  for (const result of results) {
    if (changed.has(result.path)) continue;
    // Code hosts end lines where Locus does, also at a lone carriage return (linguist's `BlobHelper#lines`, and GitLab's).
    permalinks.set(
      result.address,
      formatPermalink(codeHost, remote, commit, prefix + result.path, result),
    );
  }
  const files = changed.size;
  const unlinked =
    files === 0
      ? null
      : `${files === 1 ? 'one file differs' : `${files} files differ`} from commit ${short}, so ${files === 1 ? 'its lines have' : 'their lines have'} no permalink`;
  return { permalinks, unlinked };
}

/** Returns the files of results whose indexed text differs from the commit's. */
async function findChangedFiles(
  repository: QueryTarget,
  gitFolder: GitFolder,
  commit: string,
  results: readonly RankedChunk[],
): Promise<Set<string>> {
  const paths = [...new Set(results.map(({ path }) => path))];
  const blobs = await readBlobIds(gitFolder, commit, paths);
  const changed = new Set<string>();
  for (const path of paths) {
    const blob = blobs.get(path);
    const { text } = await repository.file({ path });
    if (!blob || !(await hasText(gitFolder, blob, text))) changed.add(path);
  }
  return changed;
}

/** Returns true if a blob has this text. Most files are UTF-8, and comparing ids is enough; others are decoded as for the index. */
async function hasText(gitFolder: GitFolder, blob: string, text: string): Promise<boolean> {
  if (computeBlobId(text, blob.length) === blob) return true;
  const bytes = await git(gitFolder.root, ['cat-file', 'blob', blob], {
    ceiling: gitFolder.ceiling,
  });
  const decoded = decodeSource(bytes);
  return 'text' in decoded && decoded.text === text;
}

/** Computes git's id of a text as a blob, by SHA-1 or SHA-256 depending on the repository. */
function computeBlobId(text: string, digits: number): string {
  const bytes = Buffer.from(text);
  const hash = createHash(digits === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
