import { readVariable } from '../base/environment.ts';
import {
  fetchIssue,
  findFetchObstacle,
  isFetchAllowed,
  makeFetchOffer,
  resolveIssueUrl,
} from '../services/issue-urls/issue-urls.ts';
import { badInput } from '../shared/errors.ts';
import { formatHost, type IssueUrl } from '../shared/issue-url.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import { toGitFolder } from './folders.ts';
import type { Connection, EngineSession } from './session.ts';

/** Creates the handlers for issue URLs. The engine fetches issues, not the page. */
export function createIssueUrlHandlers(
  session: EngineSession,
  connection: Connection,
): EngineHandlers<'issueLink'> {
  const { env } = process;
  const hosts = () => [
    ...session.settings.get().fetchHosts,
    ...readVariable('LOCUS_FETCH_HOSTS', env),
  ];
  const resolve = (id: string, text: string) => {
    const entry = session.getEntry(connection, id);
    if ('members' in entry) return resolveIssueUrl(text, { root: null });
    return resolveIssueUrl(text, toGitFolder(entry));
  };

  return {
    'issueLink.offer': async ({ repository, text }) => {
      const link = await resolve(repository, text);
      return link && makeFetchOffer(link, hosts(), env);
    },
    'issueLink.fetch': async ({ repository, text, host, comments }, signal) => {
      const link = await resolve(repository, text);
      if (!link) throw badInput('This is not an issue URL.', 'Paste the URL of an issue.');
      if (!isFetchAllowed(link, hosts())) checkAgreed(link, host);
      return fetchIssue(link, { env, comments, signal });
    },
  };
}

/** Checks the user's consent. @throws LocusError `bad-input` unless the user agreed to this host */
function checkAgreed(link: IssueUrl, host: string | null): void {
  const bar = findFetchObstacle(link);
  if (bar) throw bar;
  if (host === formatHost(link)) return;
  throw badInput(
    `You have not agreed to fetch from ${formatHost(link)}.`,
    'Agree to it, or paste the text of the issue.',
  );
}
