/**
 * Checks for updates. Only `checkForUpdate` contacts another machine, and its callers must have the user's consent. Nothing calls it by
 * itself.
 */
import { z } from 'zod';
import type { Environment } from '../../base/environment.ts';
import { type JsonAnswer, JsonClient, type RequestLimits } from '../../base/json-client.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import type { UpdateAnswer, UpdateOffer } from '../../shared/updates.ts';
import { PACKAGE, VERSION } from '../../shared/version.ts';
import { getRegistry } from '../registry.ts';
import { findUpdateCommand } from './installation.ts';
import { compareVersions, isVersion } from './version.ts';

/** Headers of the request. They are the same for everybody: even this version of Locus is not sent. */
const HEADERS = { accept: 'application/vnd.npm.install-v1+json', 'user-agent': 'locus' };

const CHECK_REGISTRY = 'Check the network, and npm_config_registry if it is set';

/** Part of a registry's answer that Locus reads. */
const packageDocument = z.object({
  name: z.literal(PACKAGE),
  'dist-tags': z.object({ latest: z.string().refine(isVersion) }),
});

/** Returns what a check would ask. @throws LocusError `bad-input` for a registry that cannot be asked */
export function makeUpdateOffer(env: Environment): UpdateOffer {
  return { version: VERSION, host: getEncryptedRegistry(env).host };
}

/**
 * Asks the registry of npm once for the newest version, as npm does when it installs Locus.
 * @throws LocusError `not-fetched` without a valid answer, `bad-input` for a registry that cannot be asked, `cancelled`
 */
export async function checkForUpdate(
  env: Environment,
  limits: RequestLimits = {},
): Promise<UpdateAnswer> {
  const registry = getEncryptedRegistry(env);
  const client = new JsonClient({ ...limits, work: 'The check for updates', createError });
  const answer = await client.get(new URL(PACKAGE, registry).href, HEADERS);
  const latest = readLatest(answer, registry);
  const isNewer = compareVersions(latest, VERSION) > 0;
  return { version: VERSION, latest, isNewer, ...findUpdateCommand() };
}

function getEncryptedRegistry(env: Environment): URL {
  const registry = getRegistry(env);
  if (registry.protocol === 'https:' || isLoopback(registry.hostname)) return registry;
  throw badInput(
    `The registry at ${registry.host} is not asked for updates: the connection is not encrypted.`,
    'Set npm_config_registry to an https:// address, or unset it.',
  );
}

/** Returns the newest version. Nothing else of an answer is used or shown. */
function readLatest({ status, json }: JsonAnswer, { host }: URL): string {
  const read = status === 200 ? packageDocument.safeParse(json).data : undefined;
  if (read) return read['dist-tags'].latest;
  if (status === 404) throw createError(`${host} has no package ${PACKAGE}.`, CHECK_REGISTRY);
  if (status === 401 || status === 403)
    throw createError(
      `${host} requires a sign-in, and Locus sends none.`,
      `Run npm view ${PACKAGE} version`,
    );
  if (status === 200)
    throw createError(`${host} did not answer with a version of ${PACKAGE}.`, CHECK_REGISTRY);
  throw createError(`${host} is not available now (status ${status}).`);
}

function createError(message: string, remedy = 'Try again later'): LocusError {
  return new LocusError('not-fetched', message, `${remedy}.`);
}
