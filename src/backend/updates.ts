import { checkForUpdate, makeUpdateOffer } from '../services/updates/check.ts';
import { badInput } from '../shared/errors.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';

/** Creates the handlers for the check for updates. Only `update.check` sends a request, to the host that the user was shown. */
export function createUpdateHandlers(): EngineHandlers<'update'> {
  return {
    'update.offer': () => makeUpdateOffer(process.env),
    'update.check': ({ host }, signal) => {
      if (host !== makeUpdateOffer(process.env).host)
        throw badInput(
          'The registry that you agreed to is no longer set.',
          'Start the check again, and agree to the registry that it names.',
        );
      return checkForUpdate(process.env, { signal });
    },
  };
}
