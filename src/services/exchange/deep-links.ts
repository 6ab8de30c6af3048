/** Creates deep links to chunks, and resolves them in a repository on this machine. */
import { type ChunkAddress, MODULE_NAME } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { type DeepLink, formatDeepLink, type ResolvedDeepLink } from '../../shared/deep-link.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { formatRemoteName, getRemoteKey } from '../../shared/remote-url.ts';
import type { Repository } from '../../shared/repository.ts';
import {
  type GitFolder,
  hasCommit,
  readHeadCommit,
  readOrigin,
  readPrefix,
} from '../remote/origin.ts';
import { anchorEntries } from './import.ts';

/**
 * Creates a deep link to a chunk.
 * @throws LocusError `bad-input` for a folder without a commit, which nobody else can have
 */
export async function createDeepLink(
  repository: Repository,
  chunk: ChunkAddress,
  gitFolder: GitFolder,
): Promise<string> {
  const { revision } = await repository.status();
  const commit = revision ?? (await readHeadCommit(gitFolder));
  if (commit === null) {
    throw badInput(
      'This folder is not in a Git repository with a commit, so a link would not work for anyone else.',
      'Copy path and line instead.',
    );
  }
  const { path, qualifiedName, ordinal, startLine } = await repository.show({ chunk });
  const [matches] = await repository.resolveAnchors({
    anchors: [{ path, qualifiedName, ordinal, contentHash: null }],
  });
  const origin = await readOrigin(gitFolder);
  return formatDeepLink({
    repository: origin && formatRemoteName(origin.remote),
    commit,
    path: (await readPrefix(gitFolder)) + path,
    name: qualifiedName,
    ordinal,
    line: startLine,
    content: matches?.sameAddress?.contentHash ?? null,
  });
}

/** Returns true if a link refers to the repository in a folder: they have the same remote or, for a link without one, the commit. */
export async function isLinkToRepository(link: DeepLink, gitFolder: GitFolder): Promise<boolean> {
  if (!link.path.startsWith(await readPrefix(gitFolder))) return false;
  if (link.repository === null) return hasCommit(gitFolder, link.commit ?? '');
  const origin = await readOrigin(gitFolder);
  return origin !== null && getRemoteKey(origin.remote) === link.repository.toLowerCase();
}

/** Finds the chunk of a deep link in a repository: at its address, or where its code or name moved. */
export async function resolveDeepLink(
  link: DeepLink,
  repository: Repository,
  gitFolder: GitFolder,
): Promise<ResolvedDeepLink> {
  const about = await isLinkToRepository(link, gitFolder);
  const prefix = await readPrefix(gitFolder);
  const path = link.path.startsWith(prefix) ? link.path.slice(prefix.length) : link.path;
  if (link.name === null)
    return {
      address: await findAtLine(repository, path, link.line),
      state: 'same',
      isThisRepository: about,
    };
  const { name: qualifiedName, ordinal, content } = link;
  const matches = await repository.resolveAnchors({
    anchors: [{ path, qualifiedName, ordinal, contentHash: content }],
  });
  const kind = qualifiedName === MODULE_NAME ? 'module' : 'function';
  const entry = { path, qualifiedName, ordinal, kind, contentHash: content ?? '' } as const;
  const placed = assertPresent(anchorEntries([entry], matches)[0], 'the match of a link');
  // Without a hash, it is unknown whether the code changed.
  const state = content === null && placed.state === 'changed' ? 'same' : placed.state;
  return { address: placed.now?.address ?? null, state, isThisRepository: about };
}

async function findAtLine(
  repository: Repository,
  path: string,
  line: number | null,
): Promise<ChunkAddress | null> {
  try {
    return (await repository.show({ chunk: `${path}:${line ?? 1}` })).address;
  } catch (error) {
    if (error instanceof LocusError && error.code === 'not-found') return null;
    throw error;
  }
}
