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

/** What a window can ask about the shared index: what `locus shared` says and sets. Nothing is reached for it. */
export function sharedIndexHandlers(
  { dataDirectory }: EngineSession,
  { allowedRoot }: Connection,
): EngineHandlers<'sharedIndex'> {
  const state = (): SharedIndexState => {
    const source = sharedSource(dataDirectory);
    return {
      from: source?.from ?? null,
      keys: source?.keys ?? [],
      own: ownKey(dataDirectory, process.env),
      last: lastPull(dataDirectory),
    };
  };
  return {
    'sharedIndex.get': state,
    'sharedIndex.set': async ({ from, keys }) => {
      if (from === null) setSharedSource(dataDirectory, null);
      else {
        // What is no address is a folder, which a window names in full.
        if (isAbsolute(settled(from))) {
          checkWhole(from);
          await checkAllowed(from, allowedRoot);
        }
        await setUpShared(dataDirectory, from, keys);
      }
      return state();
    },
  };
}
