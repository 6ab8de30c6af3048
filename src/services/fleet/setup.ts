/** Finds out which fleet to use: from options, environment variables or the data directory. Connects to nothing. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Environment, isSet, readVariable } from '../../base/environment.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import {
  DEFAULT_MILVUS_ADDRESS,
  type FleetConfiguration,
  type FleetLocation,
} from '../../shared/fleet.ts';
import { MAX_TOKEN } from '../../shared/limits.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import { getDataDirectory, prepareDataDirectory } from '../locations.ts';
import { makeAbsoluteAddress, openObjects } from '../objects/open.ts';
import {
  readSecret,
  type SecretSlot,
  type StoredSecret,
  storedSecret,
  withSecretsLock,
  writeSecret,
} from '../secrets/secrets.ts';
import { parseEngineAddress } from './engine.ts';

export interface FleetOptions {
  /** Folder or `s3://…` with the catalog. See `openObjects`. */
  objects?: string | undefined;
  /** Address of Milvus. */
  engine?: string | undefined;
  dataDir?: string | undefined;
}

/** Addresses of a fleet, and the token for its engine. */
export interface FleetConnection extends FleetOptions {
  objects: string;
  engine: string;
  /** `user:password`, or an API key. */
  token?: string | undefined;
}

const FLEET_VARIABLES = ['LOCUS_FLEET_OBJECTS', 'LOCUS_FLEET_ENGINE', 'LOCUS_FLEET_TOKEN'] as const;

const content = z.object({
  objects: z.string().min(1),
  engine: z.string().min(1),
  token: storedSecret.nullable(),
});
type StoredFleet = z.infer<typeof content>;

const getPath = (folder: string) => join(folder, 'fleet.json');

/**
 * Resolves the fleet from options, else variables, else the data directory. The stored fleet is only used if neither options nor
 * variables name a catalog. A stored token is only sent to the engine that it was stored for.
 * @throws LocusError `bad-input` if no fleet is set up or the stored setup is damaged, `bad-store` if the token cannot be read
 */
export async function resolveFleet(
  given: FleetOptions,
  env: Environment,
): Promise<FleetConnection> {
  const access = resolveAccess(given, env);
  if (access) {
    const { objects, engine, token, slot } = access;
    return {
      ...given,
      objects,
      engine,
      token: token ?? (slot && ((await readSecret(slot)) ?? undefined)),
    };
  }
  throw badInput(
    'No fleet is set up.',
    'Set one up with locus fleet use <objects> --engine <address>, or give --objects and --engine, or LOCUS_FLEET_OBJECTS and LOCUS_FLEET_ENGINE. See docs/how-to/set-up-a-fleet.md.',
  );
}

/** Describes the fleet that is set up; the token itself is not included. @throws LocusError `bad-input` if the setup is damaged */
export function describeFleetSetup(given: FleetOptions, env: Environment): FleetConfiguration {
  const access = resolveAccess(given, env);
  const variables = listFleetVariables(env);
  if (!access) return { location: null, hasToken: false, variables };
  const { objects, engine, token, slot } = access;
  const { hostname = '' } = URL.parse(engine) ?? {};
  const places = { objects, engine, isLocal: isLoopback(hostname) };
  return { location: places, hasToken: token !== undefined || !!slot?.read(), variables };
}

/** Lists the names of the environment variables that configure a fleet. */
export const listFleetVariables = (env: Environment): string[] =>
  FLEET_VARIABLES.filter((name) => isSet(name, env));

/** Resolves the addresses, with the token of the environment, and the slot of the stored token if it is for this engine. */
function resolveAccess({ dataDir, ...given }: FleetOptions, env: Environment) {
  const named = given.objects || readVariable('LOCUS_FLEET_OBJECTS', env);
  const folder = getDataDirectory(dataDir, env);
  const stored = named ? null : readFleet(folder);
  const objects = named || stored?.objects;
  if (!objects) return null;
  const address = given.engine || readVariable('LOCUS_FLEET_ENGINE', env);
  const engine = address || stored?.engine || DEFAULT_MILVUS_ADDRESS;
  const slot =
    stored && isSameOrigin(engine, stored.engine) ? getTokenSlot(folder, engine) : undefined;
  return { objects, engine, token: readVariable('LOCUS_FLEET_TOKEN', env), slot };
}

/** Returns the location of the fleet; null if none is set up or the setup is damaged. */
export function findFleetLocation(given: FleetOptions, env: Environment): FleetLocation | null {
  try {
    return describeFleetSetup(given, env).location;
  } catch (error) {
    if (error instanceof LocusError) return null;
    throw error;
  }
}

/** A fleet as a person sets it up. */
export interface FleetSetupRequest {
  /** Address for `openObjects`. A relative folder is resolved from the current folder. */
  objects: string;
  engine?: string | undefined;
  /** Null removes the stored token; undefined keeps it if the engine is the same. */
  token?: string | null | undefined;
}

/** Stores the location of a fleet. @throws LocusError `bad-input` for an invalid location, address or token */
export async function setUpFleet(folder: string, wanted: FleetSetupRequest): Promise<void> {
  const { objects, engine = DEFAULT_MILVUS_ADDRESS, token } = wanted;
  (await openObjects(objects)).close();
  parseEngineAddress(engine);
  const secret = typeof token === 'string' ? checkToken(token) : null;
  const path = prepareDataDirectory(folder);
  const places = { objects: makeAbsoluteAddress(objects), engine };
  const slot = getTokenSlot(path, engine);
  if (token === undefined && slot.read() !== null)
    withSecretsLock(path, () => writeStored(path, { ...places, token: slot.read() }));
  else {
    // Replaces the stored token, whichever engine it is for.
    const read = () => readStored(path)?.token ?? null;
    const write = (next: StoredSecret | null) => writeStored(path, { ...places, token: next });
    await writeSecret({ ...slot, read, write }, secret);
  }
}

/** Removes the stored setup and its token. */
export async function removeFleetSetup(folder: string): Promise<void> {
  const path = getPath(folder);
  if (!existsSync(path)) return;
  const slot = getTokenSlot(folder, readStored(folder)?.engine ?? DEFAULT_MILVUS_ADDRESS);
  await writeSecret({ ...slot, write: () => rmSync(path, { force: true }) }, null);
}

/** Returns the slot of the stored token; null without a fleet. */
export function getFleetTokenSlot(folder: string): SecretSlot | null {
  const stored = readStored(folder);
  return stored && getTokenSlot(folder, stored.engine);
}

/** Returns the token slot for one engine. */
function getTokenSlot(folder: string, engine: string): SecretSlot {
  const stored = () => {
    const now = readStored(folder);
    return now && isSameOrigin(engine, now.engine) ? now : null;
  };
  return {
    folder,
    name: `token for ${URL.parse(engine)?.origin}`,
    remedy: 'give the token again, with locus fleet use or in LOCUS_FLEET_TOKEN',
    read: () => stored()?.token ?? null,
    write: (token) => {
      const now = stored();
      if (now) writeStored(folder, { ...now, token });
    },
  };
}

const writeStored = (folder: string, stored: StoredFleet): void =>
  writePrivateFile(getPath(folder), `${JSON.stringify(stored, null, 2)}\n`);

function readFleet(folder: string): StoredFleet | null {
  const path = getPath(folder);
  if (!existsSync(path)) return null;
  const stored = readStored(folder);
  if (stored) return stored;
  throw badInput(
    `${path} is damaged: it does not name a fleet.`,
    'Set the fleet up again with locus fleet use <objects>, or remove it with locus fleet use --off.',
  );
}

/** Reads the stored setup; null if it is missing or damaged. */
function readStored(folder: string): StoredFleet | null {
  const path = getPath(folder);
  if (!existsSync(path)) return null;
  return content.safeParse(parseJsonOrNull(readFileSync(path, 'utf8'))).data ?? null;
}

const isSameOrigin = (one: string, other: string): boolean =>
  URL.parse(one)?.origin === URL.parse(other)?.origin;

/** Checks a token. @throws LocusError `bad-input`, which does not quote it */
function checkToken(token: string): string {
  if (token.length <= MAX_TOKEN && /^\P{Cc}+$/u.test(token)) return token;
  throw badInput(
    `The token is invalid: it must be one line of at most ${MAX_TOKEN} characters.`,
    'Give user:password or an API key of Milvus.',
  );
}
