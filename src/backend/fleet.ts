/** Handles the fleet requests of windows. Servers are contacted only on a person's request. */
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { AccessChecker } from '../services/fleet/access.ts';
import { cloneRepository } from '../services/fleet/clone-repository.ts';
import { openCatalog, openFleet } from '../services/fleet/fleet.ts';
import { findAuthorization } from '../services/fleet/host-token.ts';
import { searchFleet } from '../services/fleet/search.ts';
import {
  describeFleetSetup,
  listFleetVariables,
  removeFleetSetup,
  resolveFleet,
  setUpFleet,
} from '../services/fleet/setup.ts';
import { makeAbsoluteAddress } from '../services/objects/open.ts';
import { readOrigin } from '../services/remote/origin.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import type { FleetResult } from '../shared/fleet.ts';
import { MAX_FLEET_SHOWN } from '../shared/limits.ts';
import { getRemoteKey, parseRemote } from '../shared/remote-url.ts';
import type { EngineHandlers } from '../shared/rpc/methods.ts';
import { checkAbsolute, checkAllowed, getGitCeiling } from './folders.ts';
import type { Connection, EngineSession } from './session.ts';

export function createFleetHandlers(
  session: EngineSession,
  connection: Connection,
): EngineHandlers<'fleet'> {
  const { env } = process;
  const here = { dataDir: session.dataDirectory };
  const options = () => resolveFleet(here, env);
  const access = new AccessChecker(env);

  return {
    'fleet.get': () => describeFleetSetup(here, env),
    'fleet.set': async ({ fleet }) => {
      checkUnset(env);
      if (fleet === null) await removeFleetSetup(here.dataDir);
      else {
        // Anything but a URL is a folder, which windows must name by an absolute path.
        if (isAbsolute(makeAbsoluteAddress(fleet.objects))) {
          checkAbsolute(fleet.objects);
          await checkAllowed(fleet.objects, connection.allowedRoot);
        }
        await setUpFleet(here.dataDir, fleet);
      }
      session.emitFleet();
      return describeFleetSetup(here, env);
    },
    'fleet.status': async (_, signal) => {
      using catalog = await openCatalog(await options());
      return await catalog.readStatus({ most: MAX_FLEET_SHOWN, signal });
    },
    'fleet.search': async ({ request }, signal) => {
      await using fleet = await openFleet(await options());
      const { device } = session;
      const answer = await searchFleet(fleet, access, request, { device, signal });
      return { ...answer, localFolders: await findFolders(answer.results, session, connection) };
    },
    'fleet.clone': async ({ run, name, ref, into }, signal) => {
      checkAbsolute(into);
      await checkAllowed(resolve(into), connection.allowedRoot);
      const catalog = await openCatalog(await options());
      const entries = await catalog.listEntries(signal).finally(() => catalog[Symbol.dispose]());
      // The entry is found by name, so that a page can only clone repositories of the fleet.
      const entry = [...entries.values()].find((one) => one.name === name && one.ref === ref);
      if (!entry) {
        throw new LocusError('not-found', `${name} was removed from the fleet.`, 'Search again.');
      }
      const root = await cloneRepository(entry, resolve(into), {
        authorization: await findAuthorization(entry, env),
        signal,
        onProgress: (progress) => connection.served.emit('cloning', { run, progress }),
      });
      return { root };
    },
  };
}

/**
 * Checks that the environment does not set the fleet. Its values take precedence over those of a window, and its token must
 * not be sent to a server that a window names.
 * @throws LocusError `bad-input` if a variable is set
 */
function checkUnset(env: NodeJS.ProcessEnv): void {
  const [variable] = listFleetVariables(env);
  if (variable === undefined) return;
  throw badInput(
    `The environment variable ${variable} overrides this setting.`,
    'Change the variable, or start Locus without it.',
  );
}

/**
 * Finds the local folders of the repositories of these results: among recent repositories, by their remote, and fleet
 * entries that are local folders.
 */
async function findFolders(
  results: readonly FleetResult[],
  { recent }: EngineSession,
  { allowedRoot }: Connection,
): Promise<Record<string, string>> {
  const here: Record<string, string> = {};
  const wanted = new Map<string, string>();
  for (const { repository, url } of results) {
    const remote = parseRemote(url);
    if (remote) wanted.set(getRemoteKey(remote), repository);
    else if (isAbsolute(url) && (await canOpen(url, allowedRoot))) here[repository] = url;
  }
  const ceiling = getGitCeiling(allowedRoot);
  // Recent repositories come latest first; the first match is used.
  for (const { root, folder } of await recent.list(allowedRoot)) {
    if (folder !== 'there' || !isAbsolute(root)) continue;
    const origin = await readOrigin({ root, ceiling });
    const name = origin && wanted.get(getRemoteKey(origin.remote));
    if (name) here[name] ??= root;
  }
  return here;
}

async function canOpen(folder: string, allowedRoot: string | null): Promise<boolean> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return checkAllowed(folder, allowedRoot).then(
    () => true,
    () => false,
  );
}
