import type { ChunkAddress } from '../../shared/address.ts';
import { formatDeepLink } from '../../shared/deep-link.ts';
import { formatRemoteName } from '../../shared/remote-url.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { type GitFolder, readHeadCommit, readOrigin, readPrefix } from '../remote/origin.ts';
import { dropMarkReasons, type ExportInput } from './export-input.ts';
import { createPermalinks } from './permalinks.ts';

/**
 * Collects what an export needs besides the search: content hashes, the commit, links and, if requested, the code.
 * @param options.ceiling folder above which git does not look for the repository
 */
export async function gatherExport(
  repository: QueryTarget,
  response: SearchResponse,
  issue: string,
  { code = false, ceiling }: { code?: boolean; ceiling?: string } = {},
): Promise<ExportInput> {
  const { results } = response;
  const matches = await repository.resolveAnchors({
    anchors: results.map(({ path, qualifiedName, ordinal }) => ({
      path,
      qualifiedName,
      ordinal,
      contentHash: null,
    })),
  });
  // A file saved since the search may no longer have a chunk, which then leaves the list.
  const present = results.filter((_, i) => matches[i]?.sameAddress);
  const contentHashes = new Map(
    matches.flatMap(({ sameAddress }) =>
      sameAddress ? [[sameAddress.address, sameAddress.contentHash]] : [],
    ),
  );
  const gitFolder = { root: response.repository.root, ceiling };
  // A workspace has no common commit.
  const commit = response.repositories
    ? null
    : (response.repository.revision ?? (await readHeadCommit(gitFolder)));
  return {
    response: { ...response, results: present.map(dropMarkReasons) },
    issue,
    contentHashes,
    commit,
    ...(commit !== null &&
      (await createLinks(repository, response, present, contentHashes, { gitFolder, commit }))),
    ...(code && { code: await readCode(repository, present) }),
  };
}

async function readCode(repository: QueryTarget, results: readonly RankedChunk[]) {
  const codes = new Map<ChunkAddress, string>();
  for (const { address } of results)
    codes.set(address, (await repository.show({ chunk: address })).code);
  return codes;
}

async function createLinks(
  repository: QueryTarget,
  response: SearchResponse,
  results: readonly RankedChunk[],
  contentHashes: ReadonlyMap<ChunkAddress, string>,
  { gitFolder, commit }: { gitFolder: GitFolder; commit: string },
): Promise<Pick<ExportInput, 'permalinks' | 'unlinked' | 'deepLinks'>> {
  const origin = await readOrigin(gitFolder);
  const prefix = await readPrefix(gitFolder);
  const deepLinks = results.map(({ address, path, qualifiedName, ordinal, startLine }) => {
    const link = formatDeepLink({
      repository: origin && formatRemoteName(origin.remote),
      commit,
      path: prefix + path,
      name: qualifiedName,
      ordinal,
      line: startLine,
      content: contentHashes.get(address) ?? null,
    });
    return [address, link] as const;
  });
  const onDisk = response.repository.revision === null;
  return {
    deepLinks: new Map(deepLinks),
    ...(origin &&
      (await createPermalinks(repository, results, { gitFolder, commit, prefix, origin, onDisk }))),
  };
}
