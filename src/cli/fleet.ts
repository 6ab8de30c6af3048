/** What `locus fleet` does; loaded by nothing else, since the clients of its servers are large. */
import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { Access } from '../services/fleet/access.ts';
import type { Entry } from '../services/fleet/catalog.ts';
import {
  openCatalog,
  openFleet,
  removeRepository,
  removeStrayClones,
} from '../services/fleet/fleet.ts';
import { authorizationOf } from '../services/fleet/host-token.ts';
import type { Authorization } from '../services/fleet/remote-git.ts';
import { searchFleet } from '../services/fleet/search.ts';
import {
  type FleetAccess,
  type FleetOptions,
  fleetOptions,
  fleetSetUp,
  forgetFleet,
  setUpFleet,
} from '../services/fleet/setup.ts';
import { type Done, work } from '../services/fleet/worker.ts';
import { dataDirectory } from '../services/locations.ts';
import { forgeOf } from '../services/remote/permalink.ts';
import { badInput, LocusError, toWire } from '../shared/errors.ts';
import type { FleetRepository, FleetResponse, FleetResult } from '../shared/fleet.ts';
import { FORGE_NAMES, type ForgeName } from '../shared/issue-link.ts';
import { MAX_TOKEN } from '../shared/limits.ts';
import { named, quoted, visible } from '../shared/quoted.ts';
import { parseRemote, remoteName } from '../shared/remote-url.ts';
import type { SearchRequest } from '../shared/search.ts';
import { EXIT, EXIT_BY_ERROR, type ExitCode } from './exit-codes.ts';
import { renderResults } from './results.ts';
import type { Host, Session } from './session.ts';
import { count, counted, duration, padEnd } from './terminal.ts';

export interface UseOptions {
  engine?: string;
  token?: string;
  off?: boolean;
  dataDir?: string;
}

/** Stores where the fleet is, or takes that back, and says what is set up. */
export async function use(
  session: Session,
  objects: string | undefined,
  { engine, token, off = false, dataDir }: UseOptions,
): Promise<ExitCode> {
  const { env } = session.host;
  const folder = dataDirectory(dataDir, env);
  if (objects === undefined) {
    if (engine !== undefined || token !== undefined) {
      throw badInput(
        'it is not said where the list of the fleet is',
        'locus fleet use <folder or s3://bucket/prefix> --engine <address> --token -',
      );
    }
    if (off) await forgetFleet(folder);
  } else {
    if (off) throw badInput('a place and --off are given', 'give one of them');
    const told = token === undefined ? null : await readToken(token, session.host);
    await setUpFleet(folder, { objects, engine, token: told });
  }
  const { places, hasToken, variables } = fleetSetUp({ dataDir: folder }, env);
  const set = { objects: places?.objects ?? null, engine: places?.engine ?? null };
  session.tell({ ...set, token: hasToken, variables }, () => [
    ...(places
      ? [
          `Repositories are listed in ${visible(places.objects)}`,
          `Functions are in Milvus at ${visible(places.engine)}, which is shown ${hasToken ? 'a token' : 'no token'}`,
        ]
      : ['No fleet is set up.']),
    ...(variables.length > 0
      ? [`Set in the environment, which goes before what is stored: ${variables.join(', ')}`]
      : []),
  ]);
  return EXIT.ok;
}

/** From standard input: what stands on a command line is seen by others. @throws LocusError `bad-input`, which does not quote it. */
async function readToken(given: string, { stdin }: Host): Promise<string> {
  if (given !== '-' || stdin.isTTY) {
    throw badInput(
      'a token is read from standard input alone, from a file or a pipe',
      'locus fleet use … --token - < file; or set LOCUS_FLEET_TOKEN and leave --token out',
    );
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of stdin) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > 2 * MAX_TOKEN) break;
  }
  return text.trim();
}

export interface AddOptions extends FleetOptions {
  ref?: string;
  forge?: ForgeName;
}

export async function add(
  session: Session,
  places: readonly string[],
  options: AddOptions,
): Promise<ExitCode> {
  const entries = places.map((place) => entryOf(place, options));
  using catalog = await openCatalog(await fleetOptions(options, session.host.env));
  const added = await catalog.add(entries, session.host.signal);
  session.tell({ added, repositories: entries }, () => [
    `${counted(added, 'repository', 'repositories')} added to ${visible(catalog.name)}`,
  ]);
  return EXIT.ok;
}

/** A repository by its address or its folder. @throws LocusError `bad-input` */
function entryOf(
  place: string,
  { ref = null, forge }: Omit<AddOptions, 'ref'> & { ref?: string | null },
): Entry {
  if (ref !== null && !/^[\w][\w./-]{0,200}$/.test(ref)) {
    const text = 'this is no name of a branch or tag';
    throw badInput(text, 'give one like main or v2.1');
  }
  const remote = parseRemote(place);
  if (remote) {
    const known = forgeOf(remote);
    const own = FORGE_NAMES.find((name) => name === known) ?? null;
    const isSsh = !/^https?:/.test(place);
    const url = isSsh
      ? withoutPassword(place)
      : `${remote.scheme}://${remote.host}/${remote.path}.git`;
    return { name: remoteName(remote), url, ref, forge: forge ?? own };
  }
  const folder = isPath(place) ? realOf(resolve(place)) : null;
  if (folder === null) {
    throw badInput(
      'this is neither the address of a repository nor the path of a folder',
      'give https://host/owner/name, git@host:owner/name, or a path such as /src/name or ./name',
    );
  }
  return { name: folder.replace(/^\/+/, ''), url: folder, ref, forge: null };
}

/** SSH has no use for one, and everyone who may read the list would have it. */
const withoutPassword = (url: string) => url.replace(/^(\w[\w+]*:\/\/[^/:@]*):[^/@]*@/, '$1@');

const isPath = (place: string) => isAbsolute(place) || /^[./~]/.test(place);

function realOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    // The folder is missing.
    return null;
  }
}

export interface IndexOptions extends FleetOptions {
  leaseSeconds?: number;
}

/** Works as a worker until each of these repositories, or of all, is at its newest commit. */
export async function index(
  session: Session,
  names: readonly string[],
  options: IndexOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  const access = await fleetOptions(options, env);
  const all = await entriesIn(access, signal);
  const entries = names.length > 0 ? entriesNamed(all, names) : all;
  await using fleet = await openFleet(access);
  removeStrayClones(fleet, all);
  const { leaseSeconds } = options;
  const done = await work(fleet, {
    entries,
    ...(leaseSeconds !== undefined && { leaseSeconds }),
    authorize: (entry): Promise<Authorization> => authorizationOf(entry, env),
    signal,
    onDone: (one) => (session.json ? session.printJsonLine(asJson(one)) : tell(one, session)),
  });
  const failed = done.find(({ failure }) => failure && failure.code !== 'busy');
  return failed?.failure ? EXIT_BY_ERROR[failed.failure.code] : EXIT.ok;
}

const asJson = ({ failure, ...one }: Done) => ({
  ...one,
  failure: failure && toWire(failure),
});

function tell({ name, commit, rows, added, removed, seconds, failure }: Done, session: Session) {
  const { bold, dim, yellow } = session.colors;
  if (failure) {
    session.print(`${bold(named(name))}  ${yellow(visible(failure.message))}`);
    return;
  }
  const changes = `${count(added)} stored, ${count(removed)} removed`;
  session.print(
    `${bold(named(name))}  ${dim(`${commit?.slice(0, 10)} · ${counted(rows, 'function')} · ${changes} · ${duration(seconds)}`)}`,
  );
}

export async function search(
  session: Session,
  request: SearchRequest,
  options: FleetOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  await using fleet = await openFleet(await fleetOptions(options, env));
  const response = await searchFleet(fleet, new Access(env), request, { signal });
  session.tell(response, () => renderFleet(response, session));
  return response.results.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

export async function status(session: Session, options: FleetOptions): Promise<ExitCode> {
  const { env, signal } = session.host;
  await using fleet = await openFleet(await fleetOptions(options, env));
  const { catalog, engine, model } = fleet;
  const { repositories } = await catalog.status({ signal });
  const stored = await engine.count(null);
  const { dim } = session.colors;
  const size = counted(repositories.length, 'repository', 'repositories');
  const width = Math.max(0, ...repositories.map(({ name }) => named(name).length));
  session.tell({ list: catalog.name, model, stored, repositories }, () => [
    ...repositories.map((one) => `${padEnd(named(one.name), width)}  ${dim(describeState(one))}`),
    dim(
      `${size} in ${visible(catalog.name)}, ${counted(stored, 'function')} of ${named(model)} in the engine`,
    ),
  ]);
  return EXIT.ok;
}

function describeState({ indexed, working, failure, removing }: FleetRepository): string {
  return [
    indexed
      ? `${indexed.commit.slice(0, 10)} · ${counted(indexed.rows, 'function')}`
      : 'not indexed',
    ...(working ? ['being worked on'] : []),
    ...(removing ? ['being taken out'] : []),
    ...(failure ? [`failed: ${quoted(failure)}`] : []),
  ].join(' · ');
}

export async function remove(
  session: Session,
  names: readonly string[],
  options: FleetOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  const access = await fleetOptions(options, env);
  const entries = entriesNamed(await entriesIn(access, signal), names);
  await using fleet = await openFleet(access);
  for (const [key, { name }] of entries) {
    await removeRepository(fleet, key, signal);
    if (!session.json) session.print(`${named(name)}: taken out, with all that was stored of it`);
  }
  if (session.json) session.printJson({ removed: names });
  return EXIT.ok;
}

async function entriesIn(
  access: FleetAccess,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Entry>> {
  using catalog = await openCatalog(access);
  return await catalog.entries(signal);
}

/** The repositories of these names or addresses, at all refs. @throws LocusError `not-found` for the first that there is none of. */
function entriesNamed(
  entries: ReadonlyMap<string, Entry>,
  names: readonly string[],
): ReadonlyMap<string, Entry> {
  const found = names.flatMap((given) => {
    const name = nameOf(given);
    const those = [...entries].filter(([, entry]) => isCalled(entry, name));
    if (those.length > 0) return those;
    throw new LocusError(
      'not-found',
      `the fleet has no ${quoted(given)}`,
      'locus fleet status lists what it has',
    );
  });
  return new Map(found);
}

/** What results call a repository that is given by this, by its address, or by its folder. */
function nameOf(given: string): string {
  const remote = parseRemote(given);
  if (remote) return remoteName(remote);
  // A folder that is gone can still be taken out.
  const place = isPath(given) ? (realOf(resolve(given)) ?? resolve(given)) : given;
  return place.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
}

/** Hosts take the names of owners and repositories in any case; folders may differ by it alone. */
function isCalled({ name, url }: Entry, wanted: string): boolean {
  return isAbsolute(url) ? name === wanted : name.toLowerCase() === wanted.toLowerCase();
}

export function renderFleet(response: FleetResponse, session: Session): string[] {
  const { results, fleet } = response;
  const placed = results.map((one) => ({ ...one, path: `${one.repository}/${one.path}` }));
  const hidden = fleet.hidden > 0 ? `, ${count(fleet.hidden)} that you may not read` : '';
  const { dim } = session.colors;
  return [
    ...renderResults({ ...response, results: placed }, session, null),
    dim(` fleet  ${count(fleet.searched)} searched${hidden}`),
    ...describePlaces(results).map(dim),
  ];
}

/** Where results are: the lines on the host of each, and once the folder and commit of those that are on none. */
function describePlaces(results: readonly FleetResult[]): string[] {
  const byPlace = Map.groupBy(results, ({ link, url, commit }) =>
    link ? named(link) : `${named(url)} at ${commit.slice(0, 10)}`,
  );
  return Array.from(byPlace, ([place, those]) => {
    const ranks = those.map(({ rank }) => rank).join(', ');
    return `${ranks.padStart(7)}  ${place}`;
  });
}
