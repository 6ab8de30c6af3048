import type { ChunkAddress } from '../../shared/address.ts';
import { formatLink } from '../../shared/locus-link.ts';
import { remoteName } from '../../shared/remote-url.ts';
import type { Answering } from '../../shared/repository.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { checkedOutCommit, type GitPlace, prefixOf, readOrigin } from '../remote/origin.ts';
import type { ExportInput } from './export-input.ts';
import { permalinksFor } from './permalinks.ts';

/**
 * Collects what an export needs besides the search: content hashes, the commit, links and, if requested, the code.
 * @param options.ceiling folder above which git does not look for the repository
 */
export async function gatherExport(
  repository: Answering,
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
  const present = results.filter((_, i) => matches[i]?.inPlace);
  const hashes = new Map(
    matches.flatMap(({ inPlace }) => (inPlace ? [[inPlace.address, inPlace.contentHash]] : [])),
  );
  const gitFolder = { root: response.repository.root, ceiling };
  // A workspace has no common commit.
  const commit = response.repositories
    ? null
    : (response.repository.revision ?? (await checkedOutCommit(gitFolder)));
  return {
    response: { ...response, results: present },
    issue,
    hashes,
    commit,
    ...(commit !== null &&
      (await createLinks(repository, response, present, hashes, { gitFolder, commit }))),
    ...(code && { code: await readCode(repository, present) }),
  };
}

async function readCode(repository: Answering, results: readonly RankedChunk[]) {
  const codes = new Map<ChunkAddress, string>();
  for (const { address } of results)
    codes.set(address, (await repository.show({ chunk: address })).code);
  return codes;
}

async function createLinks(
  repository: Answering,
  response: SearchResponse,
  results: readonly RankedChunk[],
  hashes: ReadonlyMap<ChunkAddress, string>,
  { gitFolder, commit }: { gitFolder: GitPlace; commit: string },
): Promise<Pick<ExportInput, 'permalinks' | 'unlinked' | 'links'>> {
  const origin = await readOrigin(gitFolder);
  const prefix = await prefixOf(gitFolder);
  const links = results.map(({ address, path, qualifiedName, ordinal, startLine }) => {
    const link = formatLink({
      repository: origin && remoteName(origin.remote),
      commit,
      path: prefix + path,
      name: qualifiedName,
      ordinal,
      line: startLine,
      content: hashes.get(address) ?? null,
    });
    return [address, link] as const;
  });
  const onDisk = response.repository.revision === null;
  return {
    links: new Map(links),
    ...(origin &&
      (await permalinksFor(repository, results, { gitFolder, commit, prefix, origin, onDisk }))),
  };
}
