import {
  countResultsNeeded,
  planVerification,
  type VerifiableRanking,
  verifyRanking,
} from '../services/verify/verify.ts';
import { badInput } from '../shared/errors.ts';
import { DEFAULT_RESULTS } from '../shared/limits.ts';
import type { EngineMethods, params } from '../shared/rpc/methods.ts';
import type { Handlers } from '../shared/rpc/server.ts';
import type { SearchRequest } from '../shared/search.ts';
import { parseEndpoint } from '../shared/verifier.ts';
import type { Connection, EngineSession } from './session.ts';

type VerifierMethod = Extract<keyof typeof params, `verifier.${string}`>;

/** Creates the handlers for the verifier. The engine sends the requests to it, not the page. */
export function createVerifierHandlers(
  session: EngineSession,
  connection: Connection,
): Pick<Handlers<typeof params, EngineMethods>, VerifierMethod> {
  const { settings, verifierFile: file } = session;
  const searchAgain = (id: string, request: SearchRequest) =>
    rankForVerifier(session, connection, id, request);
  const getOrigin = (address: string) => parseEndpoint(address).origin;

  return {
    'verifier.plan': async ({ repository, request }) =>
      planVerification(await searchAgain(repository, request), {
        settings: settings.get().verifier,
        file,
      }),
    'verifier.run': async ({ repository, run, request }, signal) =>
      verifyRanking(await searchAgain(repository, request), {
        settings: settings.get().verifier,
        file,
        signal,
        onProgress: (used) => connection.served.emit('verifying', { run, used }),
      }),
    'verifier.state': ({ address }) => file.state(getOrigin(address)),
    'verifier.key': async ({ address, key }) => {
      await file.setKey(getOrigin(address), key);
      return file.state(getOrigin(address));
    },
    'verifier.agree': ({ repository, address }) => {
      file.agree(getOrigin(address), session.getEntry(connection, repository).root);
      return null;
    },
    'verifier.withdraw': ({ address }) => {
      file.withdraw(getOrigin(address));
      return file.state(getOrigin(address));
    },
  };
}

const workspaceUnsupported = () =>
  badInput('The verifier works with a single repository only.', 'Open the repository on its own.');

/** Returns the ranking that the window shows, with as many results as the verifier needs but not more than are shown. */
async function rankForVerifier(
  session: EngineSession,
  connection: Connection,
  id: string,
  request: SearchRequest,
): Promise<VerifiableRanking> {
  const entry = session.getEntry(connection, id);
  if ('members' in entry) throw workspaceUnsupported();
  const { live, root } = entry;
  const repository = await live.repository;
  const { limit = DEFAULT_RESULTS } = request;
  const needed = countResultsNeeded(session.settings.get().verifier);
  const { results } = await repository.search({ ...request, limit: Math.min(limit, needed) });
  return { repository, root, issue: request.issue, results };
}
