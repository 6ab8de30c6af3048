/** Finds out what a check may send: code leaves this machine only from repositories that the user agreed to. */
import type { Endpoint } from '../../shared/check-endpoint.ts';
import type { RankedChunk } from '../../shared/search.ts';
import type { Candidate, CheckableRanking } from './candidates.ts';
import type { CheckFile } from './check-file.ts';

/** Returns the folders of the repositories whose code would leave the machine without the user's consent. */
export function listLackingConsent(
  ranking: CheckableRanking,
  candidates: readonly Candidate[],
  endpoint: Endpoint,
  file: Pick<CheckFile, 'state'>,
): string[] {
  const hasConsent = findConsent(endpoint, file);
  const getRoot = findRoots(ranking);
  const sent = new Set(candidates.map(({ chunk }) => getRoot(chunk)));
  return [...sent].filter((root) => !hasConsent(root));
}

/** Returns a ranking whose further results, for a second request, are only those that may be sent. */
export function withConsent(
  ranking: CheckableRanking,
  endpoint: Endpoint,
  file: Pick<CheckFile, 'state'>,
): CheckableRanking {
  const hasConsent = findConsent(endpoint, file);
  const getRoot = findRoots(ranking);
  const maySend = (chunk: RankedChunk) => hasConsent(getRoot(chunk));
  return {
    ...ranking,
    results: ranking.results.filter(maySend),
    search: async (text, limit) => (await ranking.search(text, limit)).filter(maySend),
  };
}

function findConsent(
  endpoint: Endpoint,
  file: Pick<CheckFile, 'state'>,
): (root: string) => boolean {
  if (!leavesMachine(endpoint)) return () => true;
  const agreed = new Set(file.state(endpoint.origin).agreed);
  return (root) => agreed.has(root);
}

/** Returns a function from a chunk to the folder of its repository, also in a workspace. */
function findRoots({ root, repositories = [] }: CheckableRanking) {
  const roots = new Map(repositories.map((member) => [member.name, member.root]));
  return ({ repository }: Pick<RankedChunk, 'repository'>) => roots.get(repository ?? '') ?? root;
}

/** Returns true if code would leave the machine. Even a local address may be reached through a remote proxy, if Node is set to use one. */
export function leavesMachine({ localModel, isLocal, isEncrypted }: Endpoint): boolean {
  if (localModel !== undefined) return false;
  const { env } = process;
  const usesProxy = env.NODE_USE_ENV_PROXY === '1' || process.execArgv.includes('--use-env-proxy');
  const proxy = isEncrypted
    ? (env.HTTPS_PROXY ?? env.https_proxy)
    : (env.HTTP_PROXY ?? env.http_proxy);
  return !isLocal || (usesProxy && Boolean(proxy));
}
