import { isAbsolute } from 'node:path';
import { makeAbsoluteAddress } from '../services/objects/open.ts';
import { findOwnKey } from '../services/shared-index/keys.ts';
import {
  readLastPull,
  readSharedSource,
  setUpSharedIndex,
  writeSharedSource,
} from '../services/shared-index/setup.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import type { SharedIndexState } from '../shared/shared-index.ts';
import { checkAbsolute, checkAllowed } from './folders.ts';
import type { Connection, EngineSession } from './session.ts';

/** Creates the handlers for the settings of the shared index, as `locus shared` has them. They contact no server. */
export function createSharedIndexHandlers(
  { dataDirectory }: EngineSession,
  { allowedRoot }: Connection,
): EngineHandlers<'sharedIndex'> {
  const getState = (): SharedIndexState => {
    const source = readSharedSource(dataDirectory);
    return {
      from: source?.from ?? null,
      keys: source?.keys ?? [],
      ownKey: findOwnKey(dataDirectory, process.env),
      lastPull: readLastPull(dataDirectory),
    };
  };
  return {
    'sharedIndex.get': getState,
    'sharedIndex.set': async ({ from, keys }) => {
      if (from === null) writeSharedSource(dataDirectory, null);
      else {
        // Anything but a URL is a folder, which windows must name by an absolute path.
        if (isAbsolute(makeAbsoluteAddress(from))) {
          checkAbsolute(from);
          await checkAllowed(from, allowedRoot);
        }
        await setUpSharedIndex(dataDirectory, from, keys);
      }
      return getState();
    },
  };
}
