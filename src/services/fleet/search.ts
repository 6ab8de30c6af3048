/** Searches all repositories that the caller may read: the engine finds candidates, Locus ranks them by its own signals. */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { createFolder } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import {
  type RankedRow,
  type RowQuery,
  rankRows,
  readRowQuery,
  sampleTerms,
  type TermSample,
} from '../../engine/index.ts';
import { formatAddress } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { Device } from '../../shared/devices.ts';
import type { FleetResponse, FleetResult } from '../../shared/fleet.ts';
import type { FleetRow } from '../../shared/fleet-row.ts';
import { parseRemote } from '../../shared/remote-url.ts';
import { type SearchRequest, searchRequest } from '../../shared/search.ts';
import { findModelFolder as chosenModelFolder } from '../models.ts';
import { detectPermalinkHost, formatPermalink } from '../remote/permalink.ts';
import type { AccessChecker } from './access.ts';
import type { FleetCatalog, FleetEntry, RepositoryState } from './catalog.ts';
import type { Fleet } from './fleet.ts';

/** Number of rows that the engine finds by similarity and words. */
const MAX_FOUND = 1_000;
/** Number of rows that the engine finds by names and files that the issue mentions. */
const MAX_NAMED = 200;
/** Number of rows from which word frequencies are estimated, and milliseconds for which the estimate is cached. */
const SAMPLE_SIZE = 4_000;
const SAMPLE_CACHED_MS = 24 * 3600_000;

/**
 * Searches the fleet. Filters of the request apply to the rows that the engine found.
 * @throws LocusError `bad-input` for an invalid request; also as the engine, the catalog and the model do
 */
export async function searchFleet(
  fleet: Fleet,
  access: AccessChecker,
  request: SearchRequest,
  { device = 'auto', signal }: { device?: Device; signal?: AbortSignal } = {},
): Promise<FleetResponse> {
  const start = performance.now();
  const parsed = searchRequest.parse(request);
  const entries = await fleet.catalog.listEntries(signal);
  const { keys, notes } = await access.findReadable(entries, signal);
  // Always named, even if the caller may read all: rows of repositories that left the catalog are not searched.
  const repositories = [...keys];
  const sample = repositories.length > 0 ? await loadSample(fleet, repositories) : EMPTY_SAMPLE;
  const modelFolder = await chosenModelFolder({ dataDir: fleet.dataDir });
  const query = await readRowQuery(parsed, sample, { modelFolder, device });
  const engineStart = performance.now();
  const rows = keepNewest(await findRows(fleet, query, repositories));
  const engineMs = performance.now() - engineStart;
  const nameOf = (key: string) =>
    assertPresent(entries.get(key), 'a repository that was asked for').name;
  const { issue, considered, results, ranker } = await rankRows(query, rows, nameOf);
  const states = await readStates(fleet.catalog, results, signal);
  return {
    repository: {
      root: '',
      name: `${repositories.length} repositories`,
      revision: null,
      chunks: sample.of,
    },
    issue: { ...issue, notes: [...issue.notes, ...notes] },
    model: { ...query.model, ranker },
    partial: null,
    considered,
    // Confidence is calibrated for lists of one repository with all signals.
    confidence: null,
    reranking: { state: 'off', count: 0, of: 0, milliseconds: 0, models: [], note: null },
    tookMs: performance.now() - start,
    results: results.map((result) => toResult(result, entries, states)),
    fleet: {
      searched: repositories.length,
      hidden: entries.size - repositories.length,
      found: rows.length,
      engineMs,
    },
  };
}

/** Finds rows that resemble the issue or share its words, and rows that it names. */
async function findRows(
  { engine }: Fleet,
  { vector, words, names, files }: RowQuery,
  repositories: readonly string[],
): Promise<FleetRow[]> {
  const query = { vector, words };
  const [best, named] = await Promise.all([
    engine.search(query, { repositories }, MAX_FOUND),
    names.length + files.length > 0
      ? engine.search(query, { repositories, names, files }, MAX_NAMED)
      : [],
  ]);
  return [...new Map([...best, ...named].map((row) => [row.id, row])).values()];
}

/** Keeps the newest row of each chunk: while a repository is updated, a chunk can have two. */
function keepNewest(rows: readonly FleetRow[]): FleetRow[] {
  const alike = Map.groupBy(rows, (row) => `${row.repository} ${formatAddress(row.traits)}`);
  return Array.from(alike.values(), (some) =>
    some.reduce((a, b) => (b.generation > a.generation ? b : a)),
  );
}

const EMPTY_SAMPLE: TermSample = { rows: 0, of: 0, counts: new Map() };

const cachedSample = z.object({
  rows: z.number(),
  of: z.number(),
  counts: z.array(z.tuple([z.string(), z.number()])).transform((counts) => new Map(counts)),
});

/** Loads the word sample of the repositories that the caller may read. It is cached on disk for a day, because drawing one is slow. */
async function loadSample(fleet: Fleet, repositories: readonly string[]): Promise<TermSample> {
  const who = createHash('sha256').update([fleet.model, ...repositories.toSorted()].join(' '));
  const path = join(fleet.folder, `words-${who.digest('hex').slice(0, 16)}.json`);
  const cached = readSample(path);
  if (cached) return cached;
  const { terms, of } = await fleet.engine.sample(repositories, SAMPLE_SIZE);
  const sample = await sampleTerms(terms, of);
  // An empty sample is not cached: the words of the first repositories would be unknown for a day.
  if (of === 0) return sample;
  createFolder(fleet.folder);
  writePrivateFile(path, JSON.stringify({ ...sample, counts: [...sample.counts] }));
  return sample;
}

/** Reads the cached sample; null if it is missing, old or damaged. A file from the future is old too: the clock was set back. */
function readSample(path: string): TermSample | null {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(Date.now() - written) > SAMPLE_CACHED_MS) return null;
  return cachedSample.safeParse(parseJsonOrNull(readFileSync(path, 'utf8'))).data ?? null;
}

async function readStates(
  catalog: FleetCatalog,
  results: readonly RankedRow[],
  signal: AbortSignal | undefined,
): Promise<Map<string, RepositoryState>> {
  const keys = new Set(results.map(({ row }) => row.repository));
  const states = await Promise.all(
    Array.from(keys, async (key) => [key, (await catalog.readState(key, signal)).value] as const),
  );
  return new Map(states);
}

function toResult(
  { row, ...result }: RankedRow,
  entries: ReadonlyMap<string, FleetEntry>,
  states: ReadonlyMap<string, RepositoryState>,
): FleetResult {
  const { name, url, ref, forge } = assertPresent(entries.get(row.repository), 'a repository');
  const indexed = states.get(row.repository)?.indexed;
  // A row that a later run did not change has the same content at that run's commit.
  const commit = indexed && indexed.generation >= row.generation ? indexed.commit : row.commit;
  const { path, package: ofPackage } = row.traits;
  const remote = parseRemote(url);
  const host = remote && (forge ?? detectPermalinkHost(remote));
  return {
    ...result,
    path,
    address: formatAddress(row.traits),
    ...(ofPackage !== null && { package: ofPackage }),
    repository: name,
    ref,
    commit,
    url,
    link: remote && host ? formatPermalink(host, remote, commit, path, row.traits) : null,
  };
}
