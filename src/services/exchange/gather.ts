import { git } from '../../engine/source/git.ts';
import type { Answering } from '../../shared/repository.ts';
import type { SearchResponse } from '../../shared/search.ts';
import type { ExportInput } from './export-input.ts';

/** What an export needs beyond the search itself: content hashes, the commit and, when asked for, the code. */
export async function gatherExport(
  repository: Answering,
  response: SearchResponse,
  issue: string,
  options: { code?: boolean } = {},
): Promise<ExportInput> {
  const { results } = response;
  const matches = await repository.resolveAnchors(
    results.map(({ path, qualifiedName, ordinal }) => ({
      path,
      qualifiedName,
      ordinal,
      contentHash: null,
    })),
  );
  // A file saved between the search and now may have taken a chunk away; it then leaves the list.
  const present = results.filter((_, i) => matches[i]?.inPlace);
  const input: ExportInput = {
    response: { ...response, results: present },
    issue,
    hashes: new Map(
      matches.flatMap(({ inPlace }) => (inPlace ? [[inPlace.address, inPlace.contentHash]] : [])),
    ),
    commit: response.repositories
      ? null
      : (response.repository.revision ?? (await checkedOutCommit(response.repository.root))),
  };
  if (options.code) {
    const codes = new Map<string, string>();
    for (const { address } of present) codes.set(address, (await repository.show(address)).code);
    input.code = codes;
  }
  return input;
}

/** The commit checked out in a folder; null when it is in no git repository or git is not installed. */
async function checkedOutCommit(root: string): Promise<string | null> {
  try {
    return (await git(root, ['rev-parse', '--verify', 'HEAD'])).toString().trim();
  } catch {
    return null;
  }
}
