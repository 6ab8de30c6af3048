import {
  planVerification,
  type Ranking,
  resultsNeeded,
  verify,
} from '../services/verify/verify.ts';
import { badInput } from '../shared/errors.ts';
import { DEFAULT_RESULTS } from '../shared/limits.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import type { SearchRequest } from '../shared/search.ts';
import { endpointOf } from '../shared/verifier.ts';
import type { Connection, EngineSession } from './session.ts';

type VerifierMethod = Extract<keyof typeof params, `verifier.${string}`>;

/** What a window can ask about the verifier. The requests to it are made here, not by the page. */
export function verifierHandlers(
  session: EngineSession,
  connection: Connection,
): Pick<Handlers<typeof params, EngineMethods>, VerifierMethod> {
  const { settings, verifierFile: file } = session;
  const ranking = (id: string, request: SearchRequest) => rank(session, connection, id, request);
  const originOf = (address: string) => endpointOf(address).origin;

  return {
    'verifier.plan': async ({ repository, request }) =>
      planVerification(await ranking(repository, request), {
        settings: settings.get().verifier,
        file,
      }),
    'verifier.run': async ({ repository, run, request }, signal) =>
      verify(await ranking(repository, request), {
        settings: settings.get().verifier,
        file,
        signal,
        onProgress: (used) => connection.served.emit('verifying', { run, used }),
      }),
    'verifier.state': ({ address }) => file.state(originOf(address)),
    'verifier.key': async ({ address, key }) => {
      await file.setKey(originOf(address), key);
      return file.state(originOf(address));
    },
    'verifier.agree': ({ repository, address }) => {
      file.agree(originOf(address), session.entry(connection, repository).root);
      return null;
    },
    'verifier.withdraw': ({ address }) => {
      file.withdraw(originOf(address));
      return file.state(originOf(address));
    },
  };
}

const ofSeveral = () =>
  badInput(
    'a language model verifies the list of one repository, not of several',
    'open the repository by itself',
  );

/** The ranking that the window shows, long enough for a verification, but no longer than the window shows it. */
async function rank(
  session: EngineSession,
  connection: Connection,
  id: string,
  request: SearchRequest,
): Promise<Ranking> {
  const entry = session.entry(connection, id);
  if ('members' in entry) throw ofSeveral();
  const { live, root } = entry;
  const repository = await live.repository;
  const { limit = DEFAULT_RESULTS } = request;
  const needed = resultsNeeded(session.settings.get().verifier);
  const { results } = await repository.search({ ...request, limit: Math.min(limit, needed) });
  return { repository, root, issue: request.issue, results };
}
