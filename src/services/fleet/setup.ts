/** Which fleet is meant: that of options, of the environment, or the one that the data directory keeps. Nothing is reached for it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Environment, isSet, readVariable } from '../../base/environment.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { DEFAULT_ENGINE, type FleetPlaces, type FleetSetUp } from '../../shared/fleet.ts';
import { MAX_TOKEN } from '../../shared/limits.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import { dataDirectory, prepareDataDirectory } from '../locations.ts';
import { openObjects, settled } from '../objects/open.ts';
import {
  readSecret,
  type SecretSlot,
  type StoredSecret,
  storedSecret,
  whileLocked,
  writeSecret,
} from '../secrets/secrets.ts';
import { engineAddress } from './engine.ts';

export interface FleetOptions {
  /** Where the list is: a folder or `s3://…`, see `openObjects`. */
  objects?: string | undefined;
  /** Milvus' address. */
  engine?: string | undefined;
  dataDir?: string | undefined;
}

/** Where a fleet is, and what its engine is shown. */
export interface FleetAccess extends FleetOptions {
  objects: string;
  engine: string;
  /** `user:password`, or an API key. */
  token?: string | undefined;
}

const VARIABLES = ['LOCUS_FLEET_OBJECTS', 'LOCUS_FLEET_ENGINE', 'LOCUS_FLEET_TOKEN'] as const;

const content = z.object({
  objects: z.string().min(1),
  engine: z.string().min(1),
  token: storedSecret.nullable(),
});
type Stored = z.infer<typeof content>;

const fileIn = (folder: string) => join(folder, 'fleet.json');

/**
 * The fleet of options, else of variables, else the stored one, which counts as a whole and only where nothing else names a list. A
 * stored token is shown to no engine but the one that it was stored with.
 * @throws LocusError `bad-input` where none is set up, or what is stored cannot be understood; `bad-store` for a token that cannot be read.
 */
export async function fleetOptions(given: FleetOptions, env: Environment): Promise<FleetAccess> {
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
    'no fleet is set up',
    'set one up with locus fleet use <objects> --engine <address>, or name it in --objects and --engine, or in LOCUS_FLEET_OBJECTS and LOCUS_FLEET_ENGINE: docs/fleet.md',
  );
}

/** What is set up, for people and for windows: of a token, that there is one. @throws LocusError `bad-input` as `fleetOptions`, but for none. */
export function fleetSetUp(given: FleetOptions, env: Environment): FleetSetUp {
  const access = resolveAccess(given, env);
  const variables = fleetVariables(env);
  if (!access) return { places: null, hasToken: false, variables };
  const { objects, engine, token, slot } = access;
  const { hostname = '' } = URL.parse(engine) ?? {};
  const places = { objects, engine, isLocal: isLoopback(hostname) };
  return { places, hasToken: token !== undefined || !!slot?.read(), variables };
}

/** The variables that say something of a fleet, by their names. */
export const fleetVariables = (env: Environment): string[] =>
  VARIABLES.filter((name) => isSet(name, env));

/** @returns with the token of the environment, and the place of the stored one if it is for this engine. */
function resolveAccess({ dataDir, ...given }: FleetOptions, env: Environment) {
  const named = given.objects || readVariable('LOCUS_FLEET_OBJECTS', env);
  const folder = dataDirectory(dataDir, env);
  const stored = named ? null : storedFleet(folder);
  const objects = named || stored?.objects;
  if (!objects) return null;
  const address = given.engine || readVariable('LOCUS_FLEET_ENGINE', env);
  const engine = address || stored?.engine || DEFAULT_ENGINE;
  const slot = stored && isSame(engine, stored.engine) ? tokenSlot(folder, engine) : undefined;
  return { objects, engine, token: readVariable('LOCUS_FLEET_TOKEN', env), slot };
}

/** Where the fleet is; null for none, and where what is stored cannot be understood, which whoever uses it is told. */
export function fleetPlaces(given: FleetOptions, env: Environment): FleetPlaces | null {
  try {
    return fleetSetUp(given, env).places;
  } catch (error) {
    if (error instanceof LocusError) return null;
    throw error;
  }
}

/** What a person says of a fleet. */
export interface FleetWanted {
  /** As `openObjects` takes it, a folder from where the process is. */
  objects: string;
  engine?: string | undefined;
  /** Null for none; left out, the one that is stored stays, if the engine is the same. */
  token?: string | null | undefined;
}

/** Stores where the fleet is. @throws LocusError `bad-input` for what is no place, no address or no token. */
export async function setUpFleet(folder: string, wanted: FleetWanted): Promise<void> {
  const { objects, engine = DEFAULT_ENGINE, token } = wanted;
  (await openObjects(objects)).close();
  engineAddress(engine);
  const secret = typeof token === 'string' ? checkedToken(token) : null;
  const path = prepareDataDirectory(folder);
  const places = { objects: settled(objects), engine };
  const slot = tokenSlot(path, engine);
  if (token === undefined && slot.read() !== null)
    whileLocked(path, () => store(path, { ...places, token: slot.read() }));
  else {
    // Whichever engine the token before is for, it goes.
    const read = () => readStored(path)?.token ?? null;
    const write = (next: StoredSecret | null) => store(path, { ...places, token: next });
    await writeSecret({ ...slot, read, write }, secret);
  }
}

/** Takes it back. */
export async function forgetFleet(folder: string): Promise<void> {
  const path = fileIn(folder);
  if (!existsSync(path)) return;
  const slot = tokenSlot(folder, readStored(folder)?.engine ?? DEFAULT_ENGINE);
  await writeSecret({ ...slot, write: () => rmSync(path, { force: true }) }, null);
}

/** The place of the stored token; null without a fleet. */
export function fleetSlot(folder: string): SecretSlot | null {
  const stored = readStored(folder);
  return stored && tokenSlot(folder, stored.engine);
}

/** The place of the token for this engine alone. */
function tokenSlot(folder: string, engine: string): SecretSlot {
  const stored = () => {
    const now = readStored(folder);
    return now && isSame(engine, now.engine) ? now : null;
  };
  return {
    folder,
    name: `token for ${URL.parse(engine)?.origin}`,
    remedy: 'give the token again, with locus fleet use or in LOCUS_FLEET_TOKEN',
    read: () => stored()?.token ?? null,
    write: (token) => {
      const now = stored();
      if (now) store(folder, { ...now, token });
    },
  };
}

const store = (folder: string, stored: Stored): void =>
  writePrivateFile(fileIn(folder), `${JSON.stringify(stored, null, 2)}\n`);

function storedFleet(folder: string): Stored | null {
  const path = fileIn(folder);
  if (!existsSync(path)) return null;
  const stored = readStored(folder);
  if (stored) return stored;
  throw badInput(
    `${path} does not say where the fleet is`,
    'set it up again with locus fleet use <objects>, or take it back with locus fleet use --off',
  );
}

/** Null where it is not there or damaged. */
function readStored(folder: string): Stored | null {
  const path = fileIn(folder);
  if (!existsSync(path)) return null;
  return content.safeParse(parseJsonOrNull(readFileSync(path, 'utf8'))).data ?? null;
}

const isSame = (one: string, other: string): boolean =>
  URL.parse(one)?.origin === URL.parse(other)?.origin;

/** @throws LocusError `bad-input`, which does not quote it. */
function checkedToken(token: string): string {
  if (token.length <= MAX_TOKEN && /^\P{Cc}+$/u.test(token)) return token;
  throw badInput(
    `a token is one line of at most ${MAX_TOKEN} characters`,
    'give user:password, or an API key, as Milvus has it',
  );
}
