/** Addresses at the repository's host for results, where it has exactly the lines that were searched. */
import { createHash } from 'node:crypto';
import { decodeSource } from '../../base/decode-source.ts';
import { git } from '../../base/git/git.ts';
import type { ChunkAddress } from '../../shared/address.ts';
import { remoteName } from '../../shared/remote-url.ts';
import type { Answering } from '../../shared/repository.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { blobsAt, type GitPlace, isPublished, type Origin } from '../remote/origin.ts';
import { permalink } from '../remote/permalink.ts';
import type { ExportInput } from './export-input.ts';

interface Hosted {
  place: GitPlace;
  commit: string;
  /** Of the folder in its repository. */
  prefix: string;
  origin: Origin;
  /** The files on disk were searched, which may differ from the commit. */
  onDisk: boolean;
}

export async function permalinksFor(
  repository: Answering,
  results: readonly RankedChunk[],
  { place, commit, prefix, origin, onDisk }: Hosted,
): Promise<Pick<ExportInput, 'permalinks' | 'unlinked'>> {
  const { forge, remote } = origin;
  const short = commit.slice(0, 12);
  if (forge === null) return { unlinked: `how ${remote.host} shows lines of a file is not known` };
  if (!(await isPublished(place, commit)))
    return {
      unlinked: `commit ${short} is not on ${remoteName(remote)}, as far as git knows here`,
    };
  const changed = onDisk ? await changedFiles(repository, place, commit, results) : new Set();
  const permalinks = new Map<ChunkAddress, string>();
  for (const result of results) {
    if (changed.has(result.path)) continue;
    // Hosts end lines where Locus does, at a carriage return alone too (linguist's `BlobHelper#lines`, and GitLab's).
    permalinks.set(result.address, permalink(forge, remote, commit, prefix + result.path, result));
  }
  const files = changed.size;
  const unlinked =
    files === 0
      ? null
      : `${files === 1 ? 'one file differs' : `${files} files differ`} from commit ${short}; ${files === 1 ? 'its lines have' : 'their lines have'} no permalink`;
  return { permalinks, unlinked };
}

/** Files of results whose text, as it was indexed, is not that of the commit. */
async function changedFiles(
  repository: Answering,
  place: GitPlace,
  commit: string,
  results: readonly RankedChunk[],
): Promise<Set<string>> {
  const paths = [...new Set(results.map(({ path }) => path))];
  const blobs = await blobsAt(place, commit, paths);
  const changed = new Set<string>();
  for (const path of paths) {
    const blob = blobs.get(path);
    const { text } = await repository.file({ path });
    if (!blob || !(await isText(place, blob, text))) changed.add(path);
  }
  return changed;
}

/** Most files are UTF-8 and need no reading; others are decoded as they were for the index. */
async function isText(place: GitPlace, blob: string, text: string): Promise<boolean> {
  if (blobId(text, blob.length) === blob) return true;
  const bytes = await git(place.root, ['cat-file', 'blob', blob], { ceiling: place.ceiling });
  const decoded = decodeSource(bytes);
  return 'text' in decoded && decoded.text === text;
}

/** Git's id of a text as a blob; repositories name objects by SHA-1 or by SHA-256. */
function blobId(text: string, digits: number): string {
  const bytes = Buffer.from(text);
  const hash = createHash(digits === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
