/** A search of all repositories that the caller may read: the engine's best, ranked by Locus' own signals. */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { makeFolder } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import {
  type RankedRow,
  type RowQuery,
  rankRows,
  readRowQuery,
  sampleTerms,
  type TermSample,
} from '../../engine/index.ts';
import { addressOf } from '../../shared/address.ts';
import type { Device } from '../../shared/devices.ts';
import type { FleetResponse, FleetResult } from '../../shared/fleet.ts';
import type { Row } from '../../shared/fleet-row.ts';
import { present } from '../../shared/present.ts';
import { parseRemote } from '../../shared/remote-url.ts';
import { type SearchRequest, searchRequest } from '../../shared/search.ts';
import { modelFolder as chosenModelFolder } from '../models.ts';
import { forgeOf, permalink } from '../remote/permalink.ts';
import type { Access } from './access.ts';
import type { Catalog, Entry, State } from './catalog.ts';
import type { Fleet } from './fleet.ts';

/** The engine's best, which are ranked. */
const FOUND = 1_000;
/** Of these, what the issue names. */
const NAMED = 200;
/** Rows that the frequency of words is estimated from, and for how long, in milliseconds. */
const SAMPLED = 4_000;
const SAMPLE_KEPT = 24 * 3600_000;

/**
 * Searches. What a request filters is filtered among what the engine found.
 * @throws LocusError `bad-input` for a request that is none, and as the engine, the list and the model do
 */
export async function searchFleet(
  fleet: Fleet,
  access: Access,
  request: SearchRequest,
  { device = 'auto', signal }: { device?: Device; signal?: AbortSignal } = {},
): Promise<FleetResponse> {
  const start = performance.now();
  const parsed = searchRequest.parse(request);
  const entries = await fleet.catalog.entries(signal);
  const { keys, notes } = await access.readable(entries, signal);
  // Named even if all may be read: rows of repositories that left the list are not searched.
  const repositories = [...keys];
  const sample = repositories.length > 0 ? await sampleIn(fleet, repositories) : NOTHING;
  const modelFolder = await chosenModelFolder({ dataDir: fleet.dataDir });
  const query = await readRowQuery(parsed, sample, { modelFolder, device });
  const engineStart = performance.now();
  const rows = newest(await findRows(fleet, query, repositories));
  const engineMs = performance.now() - engineStart;
  const nameOf = (key: string) => present(entries.get(key), 'a repository that was asked for').name;
  const { issue, considered, results, ranker } = await rankRows(query, rows, nameOf);
  const states = await statesOf(fleet.catalog, results, signal);
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
    // What was calibrated are lists of one repository, with all signals.
    confidence: null,
    refined: { state: 'off', read: 0, of: 0, milliseconds: 0, models: [], note: null },
    tookMs: performance.now() - start,
    results: results.map((result) => placed(result, entries, states)),
    fleet: {
      searched: repositories.length,
      hidden: entries.size - repositories.length,
      found: rows.length,
      engineMs,
    },
  };
}

/** Finds the rows that resemble the issue or have its words, and those that it names. */
async function findRows(
  { engine }: Fleet,
  { vector, words, names, files }: RowQuery,
  repositories: readonly string[],
): Promise<Row[]> {
  const query = { vector, words };
  const [best, named] = await Promise.all([
    engine.search(query, { repositories }, FOUND),
    names.length + files.length > 0
      ? engine.search(query, { repositories, names, files }, NAMED)
      : [],
  ]);
  return [...new Map([...best, ...named].map((row) => [row.id, row])).values()];
}

/** Of two rows for one chunk, which there are while its repository is brought up to date, the one of the later run. */
function newest(rows: readonly Row[]): Row[] {
  const alike = Map.groupBy(rows, (row) => `${row.repository} ${addressOf(row.traits)}`);
  return Array.from(alike.values(), (some) =>
    some.reduce((a, b) => (b.generation > a.generation ? b : a)),
  );
}

const NOTHING: TermSample = { rows: 0, of: 0, counts: new Map() };

const keptSample = z.object({
  rows: z.number(),
  of: z.number(),
  counts: z.array(z.tuple([z.string(), z.number()])).transform((counts) => new Map(counts)),
});

/** The sample of what the caller may read, on this machine's disk for a day: to draw one asks much of an engine. */
async function sampleIn(fleet: Fleet, repositories: readonly string[]): Promise<TermSample> {
  const who = createHash('sha256').update([fleet.model, ...repositories.toSorted()].join(' '));
  const path = join(fleet.folder, `words-${who.digest('hex').slice(0, 16)}.json`);
  const kept = readSample(path);
  if (kept) return kept;
  const { terms, of } = await fleet.engine.sample(repositories, SAMPLED);
  const sample = await sampleTerms(terms, of);
  // Of what is about to be stored for the first time it would know no word for a day.
  if (of === 0) return sample;
  makeFolder(fleet.folder);
  writePrivateFile(path, JSON.stringify({ ...sample, counts: [...sample.counts] }));
  return sample;
}

/** Null for a sample that is missing, old or damaged. One from the future is as old: the clock was set back since. */
function readSample(path: string): TermSample | null {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(Date.now() - written) > SAMPLE_KEPT) return null;
  return keptSample.safeParse(parseJsonOrNull(readFileSync(path, 'utf8'))).data ?? null;
}

async function statesOf(
  catalog: Catalog,
  results: readonly RankedRow[],
  signal: AbortSignal | undefined,
): Promise<Map<string, State>> {
  const keys = new Set(results.map(({ row }) => row.repository));
  const states = await Promise.all(
    Array.from(keys, async (key) => [key, (await catalog.state(key, signal)).value] as const),
  );
  return new Map(states);
}

function placed(
  { row, ...result }: RankedRow,
  entries: ReadonlyMap<string, Entry>,
  states: ReadonlyMap<string, State>,
): FleetResult {
  const { name, url, ref, forge } = present(entries.get(row.repository), 'a repository');
  const indexed = states.get(row.repository)?.indexed;
  // What an earlier run stored and the last one left is the same at its commit.
  const commit = indexed && indexed.generation >= row.generation ? indexed.commit : row.commit;
  const { path, package: ofPackage } = row.traits;
  const remote = parseRemote(url);
  const host = remote && (forge ?? forgeOf(remote));
  return {
    ...result,
    path,
    address: addressOf(row.traits),
    ...(ofPackage !== null && { package: ofPackage }),
    repository: name,
    ref,
    commit,
    url,
    link: remote && host ? permalink(host, remote, commit, path, row.traits) : null,
  };
}
