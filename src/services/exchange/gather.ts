import type { ChunkAddress } from '../../shared/address.ts';
import { formatLink } from '../../shared/locus-link.ts';
import { remoteName } from '../../shared/remote-url.ts';
import type { Answering } from '../../shared/repository.ts';
import type { RankedChunk, SearchResponse } from '../../shared/search.ts';
import { checkedOutCommit, type GitPlace, prefixOf, readOrigin } from '../remote/origin.ts';
import type { ExportInput } from './export-input.ts';
import { permalinksFor } from './permalinks.ts';

/**
 * Gathers what an export needs besides the search: content hashes, the commit, links and, when asked for, the code.
 * @param options.ceiling a folder that git does not leave in search of the repository
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
  // A file saved between the search and now may have taken a chunk away; it then leaves the list.
  const present = results.filter((_, i) => matches[i]?.inPlace);
  const hashes = new Map(
    matches.flatMap(({ inPlace }) => (inPlace ? [[inPlace.address, inPlace.contentHash]] : [])),
  );
  const place = { root: response.repository.root, ceiling };
  // Several repositories have no commit in common.
  const commit = response.repositories
    ? null
    : (response.repository.revision ?? (await checkedOutCommit(place)));
  return {
    response: { ...response, results: present },
    issue,
    hashes,
    commit,
    ...(commit !== null &&
      (await linksFor(repository, response, present, hashes, { place, commit }))),
    ...(code && { code: await codeOf(repository, present) }),
  };
}

async function codeOf(repository: Answering, results: readonly RankedChunk[]) {
  const codes = new Map<ChunkAddress, string>();
  for (const { address } of results)
    codes.set(address, (await repository.show({ chunk: address })).code);
  return codes;
}

async function linksFor(
  repository: Answering,
  response: SearchResponse,
  results: readonly RankedChunk[],
  hashes: ReadonlyMap<ChunkAddress, string>,
  { place, commit }: { place: GitPlace; commit: string },
): Promise<Pick<ExportInput, 'permalinks' | 'unlinked' | 'links'>> {
  const origin = await readOrigin(place);
  const prefix = await prefixOf(place);
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
      (await permalinksFor(repository, results, { place, commit, prefix, origin, onDisk }))),
  };
}
