import { readVariable } from '../base/environment.ts';
import {
  barred,
  fetchIssue,
  isAgreed,
  offerOf,
  resolveLink,
} from '../services/issue-links/issue-links.ts';
import { badInput } from '../shared/errors.ts';
import { hostOf, type IssueLink } from '../shared/issue-link.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import { gitPlaceOf } from './folders.ts';
import type { Connection, EngineSession } from './session.ts';

/** Creates the handlers for issue URLs. The engine fetches issues, not the page. */
export function issueLinkHandlers(
  session: EngineSession,
  connection: Connection,
): EngineHandlers<'issueLink'> {
  const { env } = process;
  const hosts = () => [
    ...session.settings.get().fetchHosts,
    ...readVariable('LOCUS_FETCH_HOSTS', env),
  ];
  const resolve = (id: string, text: string) => {
    const entry = session.entry(connection, id);
    if ('members' in entry) return resolveLink(text, { root: null });
    return resolveLink(text, gitPlaceOf(entry));
  };

  return {
    'issueLink.offer': async ({ repository, text }) => {
      const link = await resolve(repository, text);
      return link && offerOf(link, hosts(), env);
    },
    'issueLink.fetch': async ({ repository, text, host, comments }, signal) => {
      const link = await resolve(repository, text);
      if (!link) throw badInput('This is not an issue URL.', 'Paste the URL of an issue.');
      if (!isAgreed(link, hosts())) checkAgreed(link, host);
      return fetchIssue(link, { env, comments, signal });
    },
  };
}

/** Checks the user's consent. @throws LocusError `bad-input` unless the user agreed to this host */
function checkAgreed(link: IssueLink, host: string | null): void {
  const bar = barred(link);
  if (bar) throw bar;
  if (host === hostOf(link)) return;
  throw badInput(
    `You have not agreed to fetch from ${hostOf(link)}.`,
    'Agree to it, or paste the text of the issue.',
  );
}
