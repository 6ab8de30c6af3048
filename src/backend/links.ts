/** Opens and creates deep links for windows. */
import { isAbout, linkTo, placeLink } from '../services/exchange/links.ts';
import { badInput } from '../shared/errors.ts';
import { type FoundLink, type LocusLink, parseLink } from '../shared/locus-link.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import { ceilingOf, gitPlaceOf } from './folders.ts';
import type { Connection, EngineSession, OpenedEntry } from './session.ts';

export function linkHandlers(
  session: EngineSession,
  connection: Connection,
): EngineHandlers<'link'> {
  const entry = (id: string): OpenedEntry => {
    const opened = session.entry(connection, id);
    if (!('members' in opened)) return opened;
    throw badInput(
      'Deep links work with a single repository only.',
      'Open the repository on its own.',
    );
  };
  return {
    'link.find': ({ link }) => findLink(session, connection, parseLink(link)),
    'link.place': async ({ repository, link }) => {
      const opened = entry(repository);
      return placeLink(parseLink(link), await opened.live.repository, gitPlaceOf(opened));
    },
    'link.make': async ({ repository, chunk }) => {
      const opened = entry(repository);
      return linkTo(await opened.live.repository, chunk, gitPlaceOf(opened));
    },
  };
}

/** Finds the repository of a link among the recent ones, the latest first. A link cannot open any other folder. */
async function findLink(
  { recent }: EngineSession,
  { allowedRoot }: Connection,
  link: LocusLink,
): Promise<FoundLink> {
  const repository = link.repository ?? `the repository with commit ${link.commit?.slice(0, 12)}`;
  const target = link.name ?? link.path;
  const ceiling = ceilingOf(allowedRoot);
  for (const { root, folder } of await recent.list(allowedRoot)) {
    if (folder === 'there' && (await isAbout(link, { root, ceiling }))) {
      return { repository, target, root };
    }
  }
  return { repository, target, root: null };
}
