import { findModels } from '../services/check/find-models.ts';
import { searchText } from '../services/check/look-again.ts';
import { tryModel } from '../services/check/trial.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import type { EngineSession } from './session.ts';

/** Creates the handlers for setting up checks. */
export function createCheckSetupHandlers(
  session: EngineSession,
): Pick<EngineHandlers<'check'>, 'check.find' | 'check.try'> {
  const { settings, checkFile: file } = session;
  return {
    'check.find': (_, signal) => findModels({ env: process.env, signal }),
    'check.try': ({ address, model, key }, signal) => {
      const tried = { ...settings.get().check, address, model, lookAgain: false };
      return session.withSample(async ({ repository, root, issue }) => {
        const request = { issue, limit: tried.candidates, rerank: { count: 0 } };
        const { results, issue: report } = await repository.search(request, { signal });
        const { frames } = report;
        return tryModel(
          { repository, root, issue, results, frames, search: searchText(repository, request) },
          { settings: tried, file, key, signal },
        );
      }, signal);
    },
  };
}
