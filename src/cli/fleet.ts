/** Implements `locus fleet`. Only that command imports it, because the clients of its servers are large. */
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

/** Stores or removes the settings of the fleet, and prints them. */
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
        'The storage of the fleet’s list is missing.',
        'Run locus fleet use <folder or s3://bucket/prefix> --engine <address> --token -.',
      );
    }
    if (off) await forgetFleet(folder);
  } else {
    if (off) throw badInput('Both a storage and --off are given.', 'Give one of them.');
    const newToken = token === undefined ? null : await readToken(token, session.host);
    await setUpFleet(folder, { objects, engine, token: newToken });
  }
  const { places, hasToken, variables } = fleetSetUp({ dataDir: folder }, env);
  const settings = { objects: places?.objects ?? null, engine: places?.engine ?? null };
  session.tell({ ...settings, token: hasToken, variables }, () => [
    ...(places
      ? [
          `List of repositories: ${visible(places.objects)}`,
          `Milvus: ${visible(places.engine)}, ${hasToken ? 'with a token' : 'without a token'}`,
        ]
      : ['No fleet is set up.']),
    ...(variables.length > 0
      ? [`The environment overrides these settings: ${variables.join(', ')}`]
      : []),
  ]);
  return EXIT.ok;
}

/** Reads a token from standard input, since other users can see command lines. @throws LocusError `bad-input`, which does not quote it */
async function readToken(given: string, { stdin }: Host): Promise<string> {
  if (given !== '-' || stdin.isTTY) {
    throw badInput(
      'The token must come from a file or a pipe on standard input.',
      'Run locus fleet use … --token - < file, or set LOCUS_FLEET_TOKEN and omit --token.',
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
  codeHost?: ForgeName;
}

export async function add(
  session: Session,
  addresses: readonly string[],
  options: AddOptions,
): Promise<ExitCode> {
  const entries = addresses.map((address) => parseEntry(address, options));
  using catalog = await openCatalog(await fleetOptions(options, session.host.env));
  const added = await catalog.add(entries, session.host.signal);
  session.tell({ added, repositories: entries }, () => [
    `Added ${counted(added, 'repository', 'repositories')} to ${visible(catalog.name)}`,
  ]);
  return EXIT.ok;
}

/** Returns the catalog entry of a repository, given its URL or its folder. @throws LocusError `bad-input` */
function parseEntry(
  address: string,
  { ref = null, codeHost }: Omit<AddOptions, 'ref'> & { ref?: string | null },
): Entry {
  if (ref !== null && !/^[\w][\w./-]{0,200}$/.test(ref)) {
    throw badInput('This is not the name of a branch or tag.', 'Give a name such as main or v2.1.');
  }
  const remote = parseRemote(address);
  if (remote) {
    const detected = forgeOf(remote);
    const own = FORGE_NAMES.find((name) => name === detected) ?? null;
    const isSsh = !/^https?:/.test(address);
    const url = isSsh
      ? removePassword(address)
      : `${remote.scheme}://${remote.host}/${remote.path}.git`;
    return { name: remoteName(remote), url, ref, forge: codeHost ?? own };
  }
  const folder = isPath(address) ? resolveFolder(resolve(address)) : null;
  if (folder === null) {
    throw badInput(
      'This is neither the URL of a repository nor the path of a folder.',
      'Give https://host/owner/name, git@host:owner/name, or a path such as /src/name or ./name.',
    );
  }
  return { name: folder.replace(/^\/+/, ''), url: folder, ref, forge: null };
}

/** Removes the password of an SSH URL. SSH does not use it, and everyone who reads the list would see it. */
const removePassword = (url: string) => url.replace(/^(\w[\w+]*:\/\/[^/:@]*):[^/@]*@/, '$1@');

const isPath = (text: string) => isAbsolute(text) || /^[./~]/.test(text);

function resolveFolder(folder: string): string | null {
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

/** Runs as a worker until each named repository, or every repository, is indexed at its newest commit. */
export async function index(
  session: Session,
  names: readonly string[],
  options: IndexOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  const access = await fleetOptions(options, env);
  const all = await listEntries(access, signal);
  const entries = names.length > 0 ? selectEntries(all, names) : all;
  await using fleet = await openFleet(access);
  removeStrayClones(fleet, all);
  const { leaseSeconds } = options;
  const done = await work(fleet, {
    entries,
    ...(leaseSeconds !== undefined && { leaseSeconds }),
    authorize: (entry): Promise<Authorization> => authorizationOf(entry, env),
    signal,
    onDone: (one) => (session.json ? session.printJsonLine(toJson(one)) : printDone(one, session)),
  });
  const failed = done.find(({ failure }) => failure && failure.code !== 'busy');
  return failed?.failure ? EXIT_BY_ERROR[failed.failure.code] : EXIT.ok;
}

const toJson = ({ failure, ...one }: Done) => ({
  ...one,
  failure: failure && toWire(failure),
});

function printDone(
  { name, commit, rows, added, removed, seconds, failure }: Done,
  session: Session,
) {
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
      `${size} in ${visible(catalog.name)}, ${counted(stored, 'function')} of ${named(model)} in Milvus`,
    ),
  ]);
  return EXIT.ok;
}

function describeState({ indexed, working, failure, removing }: FleetRepository): string {
  return [
    indexed
      ? `${indexed.commit.slice(0, 10)} · ${counted(indexed.rows, 'function')}`
      : 'not indexed',
    ...(working ? ['being indexed'] : []),
    ...(removing ? ['being removed'] : []),
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
  const entries = selectEntries(await listEntries(access, signal), names);
  await using fleet = await openFleet(access);
  for (const [key, { name }] of entries) {
    await removeRepository(fleet, key, signal);
    if (!session.json) session.print(`Removed ${named(name)} and its index`);
  }
  if (session.json) session.printJson({ removed: names });
  return EXIT.ok;
}

async function listEntries(
  access: FleetAccess,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Entry>> {
  using catalog = await openCatalog(access);
  return await catalog.entries(signal);
}

/** Returns the entries with these names or URLs, at all refs. @throws LocusError `not-found` for the first without an entry */
function selectEntries(
  entries: ReadonlyMap<string, Entry>,
  names: readonly string[],
): ReadonlyMap<string, Entry> {
  const found = names.flatMap((given) => {
    const name = toEntryName(given);
    const matches = [...entries].filter(([, entry]) => hasName(entry, name));
    if (matches.length > 0) return matches;
    throw new LocusError(
      'not-found',
      `The fleet has no repository ${quoted(given)}.`,
      'Run locus fleet status to list its repositories.',
    );
  });
  return new Map(found);
}

/** Returns the name of a repository in results, given its name, URL or folder. */
function toEntryName(given: string): string {
  const remote = parseRemote(given);
  if (remote) return remoteName(remote);
  // A deleted folder can still be removed from the fleet.
  const name = isPath(given) ? (resolveFolder(resolve(given)) ?? resolve(given)) : given;
  return name.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
}

/** Returns true if an entry has this name. Hosts ignore the case of owners and repositories; folder names are case-sensitive. */
function hasName({ name, url }: Entry, wanted: string): boolean {
  return isAbsolute(url) ? name === wanted : name.toLowerCase() === wanted.toLowerCase();
}

export function renderFleet(response: FleetResponse, session: Session): string[] {
  const { results, fleet } = response;
  const withRepository = results.map((one) => ({ ...one, path: `${one.repository}/${one.path}` }));
  const hidden = fleet.hidden > 0 ? `, ${count(fleet.hidden)} without read access` : '';
  const { dim } = session.colors;
  return [
    ...renderResults({ ...response, results: withRepository }, session, null),
    dim(` fleet  ${count(fleet.searched)} searched${hidden}`),
    ...describeLinks(results).map(dim),
  ];
}

/** Returns a line for each link to a code host, and for each folder and commit without one, with the ranks of its results. */
function describeLinks(results: readonly FleetResult[]): string[] {
  const byLink = Map.groupBy(results, ({ link, url, commit }) =>
    link ? named(link) : `${named(url)} at ${commit.slice(0, 10)}`,
  );
  return Array.from(byLink, ([link, linked]) => {
    const ranks = linked.map(({ rank }) => rank).join(', ');
    return `${ranks.padStart(7)}  ${link}`;
  });
}
