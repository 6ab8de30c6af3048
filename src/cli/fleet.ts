/** Implements `locus fleet`. Only that command imports it, because the clients of its servers are large. */

import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { AccessChecker } from '../services/fleet/access.ts';
import type { FleetEntry } from '../services/fleet/catalog.ts';
import {
  openCatalog,
  openFleet,
  removeRepository,
  removeUnlistedClones,
} from '../services/fleet/fleet.ts';
import { findAuthorization } from '../services/fleet/host-token.ts';
import type { Authorization } from '../services/fleet/remote-git.ts';
import { searchFleet } from '../services/fleet/search.ts';
import {
  describeFleetSetup,
  type FleetConnection,
  type FleetOptions,
  removeFleetSetup,
  resolveFleet,
  setUpFleet,
} from '../services/fleet/setup.ts';
import { runWorker, type WorkResult } from '../services/fleet/worker.ts';
import { getDataDirectory } from '../services/locations.ts';
import { detectPermalinkHost } from '../services/remote/permalink.ts';
import { badInput, LocusError, toFailure } from '../shared/errors.ts';
import type { FleetRepository, FleetResponse, FleetResult } from '../shared/fleet.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { CODE_HOST_KINDS, type CodeHostKind } from '../shared/issue-url.ts';
import { MAX_TOKEN } from '../shared/limits.ts';
import { escapeHidden, quoteName, quoteText } from '../shared/quote.ts';
import { formatRemoteName, parseRemote } from '../shared/remote-url.ts';
import type { SearchRequest } from '../shared/search.ts';
import { EXIT, EXIT_BY_ERROR, type ExitCode } from './exit-codes.ts';
import { renderResults } from './results.ts';
import type { CliHost, Session } from './session.ts';
import { formatDuration, padEnd } from './terminal.ts';

export interface FleetSetupOptions {
  engine?: string;
  token?: string;
  off?: boolean;
  dataDir?: string;
}

/** Stores or removes the settings of the fleet, and prints them. */
export async function configureFleet(
  session: Session,
  objects: string | undefined,
  { engine, token, off = false, dataDir }: FleetSetupOptions,
): Promise<ExitCode> {
  const { env } = session.host;
  const folder = getDataDirectory(dataDir, env);
  if (objects === undefined) {
    if (engine !== undefined || token !== undefined) {
      throw badInput(
        'The storage of the fleet’s list is missing.',
        'Run locus fleet use <folder or s3://bucket/prefix> --engine <address> --token -.',
      );
    }
    if (off) await removeFleetSetup(folder);
  } else {
    if (off) throw badInput('Both a storage and --off are given.', 'Give one of them.');
    const newToken = token === undefined ? null : await readToken(token, session.host);
    await setUpFleet(folder, { objects, engine, token: newToken });
  }
  const { location, hasToken, variables } = describeFleetSetup({ dataDir: folder }, env);
  const settings = { objects: location?.objects ?? null, engine: location?.engine ?? null };
  session.printResult({ ...settings, token: hasToken, variables }, () => [
    ...(location
      ? [
          `List of repositories: ${escapeHidden(location.objects)}`,
          `Milvus: ${escapeHidden(location.engine)}, ${hasToken ? 'with a token' : 'without a token'}`,
        ]
      : ['No fleet is set up.']),
    ...(variables.length > 0
      ? [`The environment overrides these settings: ${variables.join(', ')}`]
      : []),
  ]);
  return EXIT.ok;
}

/** Reads a token from standard input, since other users can see command lines. @throws LocusError `bad-input`, which does not quote it */
async function readToken(given: string, { stdin }: CliHost): Promise<string> {
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

export interface FleetAddOptions extends FleetOptions {
  ref?: string;
  codeHost?: CodeHostKind;
}

export async function addToFleet(
  session: Session,
  addresses: readonly string[],
  options: FleetAddOptions,
): Promise<ExitCode> {
  const entries = addresses.map((address) => parseEntry(address, options));
  using catalog = await openCatalog(await resolveFleet(options, session.host.env));
  const added = await catalog.add(entries, session.host.signal);
  session.printResult({ added, repositories: entries }, () => [
    `Added ${formatCounted(added, 'repository', 'repositories')} to ${escapeHidden(catalog.name)}`,
  ]);
  return EXIT.ok;
}

/** Returns the catalog entry of a repository, given its URL or its folder. @throws LocusError `bad-input` */
function parseEntry(
  address: string,
  { ref = null, codeHost }: Omit<FleetAddOptions, 'ref'> & { ref?: string | null },
): FleetEntry {
  if (ref !== null && !/^[\w][\w./-]{0,200}$/.test(ref)) {
    throw badInput('This is not the name of a branch or tag.', 'Give a name such as main or v2.1.');
  }
  const remote = parseRemote(address);
  if (remote) {
    const detected = detectPermalinkHost(remote);
    const own = CODE_HOST_KINDS.find((name) => name === detected) ?? null;
    const isSsh = !/^https?:/.test(address);
    const url = isSsh
      ? removePassword(address)
      : `${remote.scheme}://${remote.host}/${remote.path}.git`;
    return { name: formatRemoteName(remote), url, ref, forge: codeHost ?? own };
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

export interface FleetIndexOptions extends FleetOptions {
  leaseSeconds?: number;
}

/** Runs as a worker until each named repository, or every repository, is indexed at its newest commit. */
export async function indexFleet(
  session: Session,
  names: readonly string[],
  options: FleetIndexOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  const access = await resolveFleet(options, env);
  const all = await listEntries(access, signal);
  const entries = names.length > 0 ? selectEntries(all, names) : all;
  await using fleet = await openFleet(access);
  removeUnlistedClones(fleet, all);
  const { leaseSeconds } = options;
  const done = await runWorker(fleet, {
    entries,
    ...(leaseSeconds !== undefined && { leaseSeconds }),
    authorize: (entry): Promise<Authorization> => findAuthorization(entry, env),
    signal,
    onDone: (one) => (session.json ? session.printJsonLine(toJson(one)) : printDone(one, session)),
  });
  const failed = done.find(({ failure }) => failure && failure.code !== 'busy');
  return failed?.failure ? EXIT_BY_ERROR[failed.failure.code] : EXIT.ok;
}

const toJson = ({ failure, ...one }: WorkResult) => ({
  ...one,
  failure: failure && toFailure(failure),
});

function printDone(
  { name, commit, rows, added, removed, seconds, failure }: WorkResult,
  session: Session,
) {
  const { bold, dim, yellow } = session.colors;
  if (failure) {
    session.print(`${bold(quoteName(name))}  ${yellow(escapeHidden(failure.message))}`);
    return;
  }
  const changes = `${formatCount(added)} stored, ${formatCount(removed)} removed`;
  session.print(
    `${bold(quoteName(name))}  ${dim(`${commit?.slice(0, 10)} · ${formatCounted(rows, 'function')} · ${changes} · ${formatDuration(seconds)}`)}`,
  );
}

export async function runFleetSearch(
  session: Session,
  request: SearchRequest,
  options: FleetOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  await using fleet = await openFleet(await resolveFleet(options, env));
  const response = await searchFleet(fleet, new AccessChecker(env), request, { signal });
  session.printResult(response, () => renderFleetResults(response, session));
  return response.results.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

export async function showFleetStatus(session: Session, options: FleetOptions): Promise<ExitCode> {
  const { env, signal } = session.host;
  await using fleet = await openFleet(await resolveFleet(options, env));
  const { catalog, engine, model } = fleet;
  const { repositories } = await catalog.readStatus({ signal });
  const stored = await engine.count(null);
  const { dim } = session.colors;
  const size = formatCounted(repositories.length, 'repository', 'repositories');
  const width = Math.max(0, ...repositories.map(({ name }) => quoteName(name).length));
  session.printResult({ list: catalog.name, model, stored, repositories }, () => [
    ...repositories.map(
      (one) => `${padEnd(quoteName(one.name), width)}  ${dim(describeState(one))}`,
    ),
    dim(
      `${size} in ${escapeHidden(catalog.name)}, ${formatCounted(stored, 'function')} of ${quoteName(model)} in Milvus`,
    ),
  ]);
  return EXIT.ok;
}

function describeState({ indexed, working, failure, removing }: FleetRepository): string {
  return [
    indexed
      ? `${indexed.commit.slice(0, 10)} · ${formatCounted(indexed.rows, 'function')}`
      : 'not indexed',
    ...(working ? ['being indexed'] : []),
    ...(removing ? ['being removed'] : []),
    ...(failure ? [`failed: ${quoteText(failure)}`] : []),
  ].join(' · ');
}

export async function removeFromFleet(
  session: Session,
  names: readonly string[],
  options: FleetOptions,
): Promise<ExitCode> {
  const { env, signal } = session.host;
  const access = await resolveFleet(options, env);
  const entries = selectEntries(await listEntries(access, signal), names);
  await using fleet = await openFleet(access);
  for (const [key, { name }] of entries) {
    await removeRepository(fleet, key, signal);
    if (!session.json) session.print(`Removed ${quoteName(name)} and its index`);
  }
  if (session.json) session.printJson({ removed: names });
  return EXIT.ok;
}

async function listEntries(
  access: FleetConnection,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FleetEntry>> {
  using catalog = await openCatalog(access);
  return await catalog.listEntries(signal);
}

/** Returns the entries with these names or URLs, at all refs. @throws LocusError `not-found` for the first without an entry */
function selectEntries(
  entries: ReadonlyMap<string, FleetEntry>,
  names: readonly string[],
): ReadonlyMap<string, FleetEntry> {
  const found = names.flatMap((given) => {
    const name = toEntryName(given);
    const matches = [...entries].filter(([, entry]) => hasName(entry, name));
    if (matches.length > 0) return matches;
    throw new LocusError(
      'not-found',
      `The fleet has no repository ${quoteText(given)}.`,
      'Run locus fleet status to list its repositories.',
    );
  });
  return new Map(found);
}

/** Returns the name of a repository in results, given its name, URL or folder. */
function toEntryName(given: string): string {
  const remote = parseRemote(given);
  if (remote) return formatRemoteName(remote);
  // A deleted folder can still be removed from the fleet.
  const name = isPath(given) ? (resolveFolder(resolve(given)) ?? resolve(given)) : given;
  return name.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
}

/** Returns true if an entry has this name. Hosts ignore the case of owners and repositories; folder names are case-sensitive. */
function hasName({ name, url }: FleetEntry, wanted: string): boolean {
  return isAbsolute(url) ? name === wanted : name.toLowerCase() === wanted.toLowerCase();
}

export function renderFleetResults(response: FleetResponse, session: Session): string[] {
  const { results, fleet } = response;
  const withRepository = results.map((one) => ({ ...one, path: `${one.repository}/${one.path}` }));
  const hidden = fleet.hidden > 0 ? `, ${formatCount(fleet.hidden)} without read access` : '';
  const { dim } = session.colors;
  return [
    ...renderResults({ ...response, results: withRepository }, session, null),
    dim(` fleet  ${formatCount(fleet.searched)} searched${hidden}`),
    ...describeLinks(results).map(dim),
  ];
}

/** Returns a line for each link to a code host, and for each folder and commit without one, with the ranks of its results. */
function describeLinks(results: readonly FleetResult[]): string[] {
  const byLink = Map.groupBy(results, ({ link, url, commit }) =>
    link ? quoteName(link) : `${quoteName(url)} at ${commit.slice(0, 10)}`,
  );
  return Array.from(byLink, ([link, linked]) => {
    const ranks = linked.map(({ rank }) => rank).join(', ');
    return `${ranks.padStart(7)}  ${link}`;
  });
}
