/** `locus://` links to chunks, and what they mean in a repository here. */
import { type ChunkAddress, MODULE_NAME } from '../../shared/address.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { formatLink, type LocusLink, type PlacedLink } from '../../shared/locus-link.ts';
import { present } from '../../shared/present.ts';
import { remoteKey, remoteName } from '../../shared/remote-url.ts';
import type { Repository } from '../../shared/repository.ts';
import {
  checkedOutCommit,
  type GitPlace,
  hasCommit,
  prefixOf,
  readOrigin,
} from '../remote/origin.ts';
import { anchorEntries } from './import.ts';

/**
 * The link to a chunk.
 * @throws LocusError `bad-input` in a folder without a commit, which nobody else could find.
 */
export async function linkTo(
  repository: Repository,
  chunk: ChunkAddress,
  place: GitPlace,
): Promise<string> {
  const { revision } = await repository.status();
  const commit = revision ?? (await checkedOutCommit(place));
  if (commit === null) {
    throw badInput(
      'this folder is in no git repository with a commit, so that a link would lead nobody here',
      'copy path and line instead',
    );
  }
  const { path, qualifiedName, ordinal, startLine } = await repository.show({ chunk });
  const [matches] = await repository.resolveAnchors({
    anchors: [{ path, qualifiedName, ordinal, contentHash: null }],
  });
  const origin = await readOrigin(place);
  return formatLink({
    repository: origin && remoteName(origin.remote),
    commit,
    path: (await prefixOf(place)) + path,
    name: qualifiedName,
    ordinal,
    line: startLine,
    content: matches?.inPlace?.contentHash ?? null,
  });
}

/** Whether a link is about the repository in a folder: it has the same remote or, for a link without one, the commit. */
export async function isAbout(link: LocusLink, place: GitPlace): Promise<boolean> {
  if (!link.path.startsWith(await prefixOf(place))) return false;
  if (link.repository === null) return hasCommit(place, link.commit ?? '');
  const origin = await readOrigin(place);
  return origin !== null && remoteKey(origin.remote) === link.repository.toLowerCase();
}

/** Where the chunk of a link is in a repository now: at its place, or where its code or its name went. */
export async function placeLink(
  link: LocusLink,
  repository: Repository,
  place: GitPlace,
): Promise<PlacedLink> {
  const about = await isAbout(link, place);
  const prefix = await prefixOf(place);
  const path = link.path.startsWith(prefix) ? link.path.slice(prefix.length) : link.path;
  if (link.name === null)
    return { address: await atLine(repository, path, link.line), state: 'same', about };
  const { name: qualifiedName, ordinal, content } = link;
  const matches = await repository.resolveAnchors({
    anchors: [{ path, qualifiedName, ordinal, contentHash: content }],
  });
  const kind = qualifiedName === MODULE_NAME ? 'module' : 'function';
  const entry = { path, qualifiedName, ordinal, kind, contentHash: content ?? '' } as const;
  const placed = present(anchorEntries([entry], matches)[0], 'the place of a link');
  // Without a hash nobody knows whether it changed.
  const state = content === null && placed.state === 'changed' ? 'same' : placed.state;
  return { address: placed.now?.address ?? null, state, about };
}

async function atLine(
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
