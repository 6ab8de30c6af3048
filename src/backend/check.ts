import type { CheckableRanking } from '../services/check/candidates.ts';
import { checkRanking, planCheck } from '../services/check/check.ts';
import { MAX_MORE, searchText } from '../services/check/look-again.ts';
import { parseEndpoint } from '../shared/check.ts';
import { badInput } from '../shared/errors.ts';
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
  const { settings, checkFile: file } = session;
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
      checkRanking(await searchAgain(repository, request), {
        settings: settings.get().check,
        file,
        answers: session.checkAnswers,
        signal,
        onProgress: (used) => connection.served.emit('checking', { run, used }),
      }),
    'check.state': ({ address }) => file.state(getOrigin(address)),
    'check.key': async ({ address, key }) => {
      await file.setKey(getOrigin(address), key);
      return file.state(getOrigin(address));
    },
    'check.agree': ({ repository, address }) => {
      file.agree(getOrigin(address), session.getEntry(connection, repository).root);
      return null;
    },
    'check.withdraw': ({ address }) => {
      file.withdraw(getOrigin(address));
      file.withdraw(getInvestigationOrigin(address));
      return file.state(getOrigin(address));
    },
  };
}

const workspaceUnsupported = () =>
  badInput('The check works with a single repository only.', 'Open the repository on its own.');

/** Returns the ranking that the window shows, with as many results as are shown or needed, and the next ones for a second request. */
export async function rankForCheck(
  session: EngineSession,
  connection: Connection,
  id: string,
  request: SearchRequest,
  needed = session.settings.get().check.candidates,
): Promise<CheckableRanking> {
  const entry = session.getEntry(connection, id);
  if ('members' in entry) throw workspaceUnsupported();
  const { live, root } = entry;
  const repository = await live.repository;
  const { limit = DEFAULT_RESULTS } = request;
  const { results, issue } = await repository.search({
    ...request,
    limit: Math.max(limit, needed) + MAX_MORE.next,
  });
  return {
    repository,
    root,
    issue: request.issue,
    results,
    frames: issue.frames,
    search: searchText(repository, request),
  };
}
