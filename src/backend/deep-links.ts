/** Opens and creates deep links for windows. */
import {
  createDeepLink,
  isLinkToRepository,
  resolveDeepLink,
} from '../services/exchange/deep-links.ts';
import { type DeepLink, type DeepLinkTarget, parseDeepLink } from '../shared/deep-link.ts';
import { badInput } from '../shared/errors.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import { getGitCeiling, toGitFolder } from './folders.ts';
import type { Connection, EngineSession, OpenedEntry } from './session.ts';

export function createLinkHandlers(
  session: EngineSession,
  connection: Connection,
): EngineHandlers<'link'> {
  const entry = (id: string): OpenedEntry => {
    const opened = session.getEntry(connection, id);
    if (!('members' in opened)) return opened;
    throw badInput(
      'Deep links work with a single repository only.',
      'Open the repository on its own.',
    );
  };
  return {
    'link.find': ({ link }) => findLink(session, connection, parseDeepLink(link)),
    'link.place': async ({ repository, link }) => {
      const opened = entry(repository);
      return resolveDeepLink(
        parseDeepLink(link),
        await opened.live.repository,
        toGitFolder(opened),
      );
    },
    'link.make': async ({ repository, chunk }) => {
      const opened = entry(repository);
      return createDeepLink(await opened.live.repository, chunk, toGitFolder(opened));
    },
  };
}

/** Finds the repository of a link among the recent ones, the latest first. A link cannot open any other folder. */
async function findLink(
  { recent }: EngineSession,
  { allowedRoot }: Connection,
  link: DeepLink,
): Promise<DeepLinkTarget> {
  const repository = link.repository ?? `the repository with commit ${link.commit?.slice(0, 12)}`;
  const target = link.name ?? link.path;
  const ceiling = getGitCeiling(allowedRoot);
  for (const { root, folder } of await recent.list(allowedRoot)) {
    if (folder === 'there' && (await isLinkToRepository(link, { root, ceiling }))) {
      return { repository, target, root };
    }
  }
  return { repository, target, root: null };
}
