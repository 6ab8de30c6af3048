import { planCheck } from '../services/check/check.ts';
import { checkAndStore } from '../services/check/check-and-store.ts';
import { MAX_MORE, searchText } from '../services/check/look-again.ts';
import { parseEndpoint } from '../shared/check-endpoint.ts';
import { getInvestigationOrigin } from '../shared/investigate.ts';
import { DEFAULT_RESULTS } from '../shared/limits.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import type { SearchRequest } from '../shared/search.ts';
import { createCheckSetupHandlers } from './check-setup.ts';
import type { Connection, EngineSession } from './session.ts';

type CheckMethod = Extract<keyof typeof params, `check.${string}`>;

/** Creates the handlers for the model. The engine sends the requests to it, not the page. */
export function createCheckHandlers(
  session: EngineSession,
  connection: Connection,
): Pick<Handlers<typeof params, EngineMethods>, CheckMethod> {
  const { settings, checkFile: file, checks } = session;
  const searchAgain = (id: string, request: SearchRequest) =>
    rankForCheck(session, connection, id, request);
  const getOrigin = (address: string) => parseEndpoint(address).origin;

  return {
    ...createCheckSetupHandlers(session),
    'check.plan': async ({ repository, request }) =>
      planCheck(await searchAgain(repository, request), {
        settings: settings.get().check,
        file,
      }),
    'check.run': async ({ repository, run, request }, signal) =>
      checkAndStore(
        await searchAgain(repository, request),
        {
          settings: settings.get().check,
          file,
          answers: session.checkAnswers,
          signal,
          onProgress: (used) => connection.served.emit('checking', { run, used }),
        },
        { checks, root: session.getEntry(connection, repository).root },
      ),
    'check.stored': async ({ repository, issue }) => {
      const { root, live } = session.getEntry(connection, repository);
      return checks.find({ root, issue }, await live.repository);
    },
    'check.forget': ({ repository, issue }) => {
      checks.remove({ root: session.getEntry(connection, repository).root, issue });
      return null;
    },
    'check.state': ({ address }) => file.state(getOrigin(address)),
    'check.key': async ({ address, key }) => {
      await file.setKey(getOrigin(address), key);
      return file.state(getOrigin(address));
    },
    'check.agree': ({ repository, address, roots }) => {
      const entry = session.getEntry(connection, repository);
      const agreed =
        'members' in entry ? entry.members.filter(({ root }) => roots?.includes(root)) : [entry];
      for (const { root } of agreed) file.agree(getOrigin(address), root);
      return null;
    },
    'check.withdraw': ({ address }) => {
      file.withdraw(getOrigin(address));
      file.withdraw(getInvestigationOrigin(address));
      return file.state(getOrigin(address));
    },
  };
}

/** Returns the ranking that the window shows, with as many results as are shown or needed, and the next ones for a second request. */
export async function rankForCheck(
  session: EngineSession,
  connection: Connection,
  id: string,
  request: SearchRequest,
  needed = session.settings.get().check.candidates,
) {
  const { live, root } = session.getEntry(connection, id);
  const repository = await live.repository;
  const { limit = DEFAULT_RESULTS } = request;
  const { results, issue, repositories } = await repository.search({
    ...request,
    limit: Math.max(limit, needed) + MAX_MORE.next,
  });
  return {
    ...{ repository, root, repositories, issue: request.issue, results },
    frames: issue.frames,
    search: searchText(repository, request),
  };
}
