import { isAbsolute } from 'node:path';
import { settled } from '../services/objects/open.ts';
import { ownKey } from '../services/shared-index/keys.ts';
import {
  lastPull,
  setSharedSource,
  setUpShared,
  sharedSource,
} from '../services/shared-index/setup.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import type { SharedIndexState } from '../shared/shared-index.ts';
import { checkAllowed, checkWhole } from './folders.ts';
import type { Connection, EngineSession } from './session.ts';

/** Creates the handlers for the settings of the shared index, as `locus shared` has them. They contact no server. */
export function sharedIndexHandlers(
  { dataDirectory }: EngineSession,
  { allowedRoot }: Connection,
): EngineHandlers<'sharedIndex'> {
  const getState = (): SharedIndexState => {
    const source = sharedSource(dataDirectory);
    return {
      from: source?.from ?? null,
      keys: source?.keys ?? [],
      own: ownKey(dataDirectory, process.env),
      last: lastPull(dataDirectory),
    };
  };
  return {
    'sharedIndex.get': getState,
    'sharedIndex.set': async ({ from, keys }) => {
      if (from === null) setSharedSource(dataDirectory, null);
      else {
        // Anything but a URL is a folder, which windows must name by an absolute path.
        if (isAbsolute(settled(from))) {
          checkWhole(from);
          await checkAllowed(from, allowedRoot);
        }
        await setUpShared(dataDirectory, from, keys);
      }
      return getState();
    },
  };
}
