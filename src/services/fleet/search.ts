/** A search of all repositories that the caller may read: the engine's best, ranked by Locus' own signals. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../base/private.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { loadManifest } from '../../engine/encode/manifest.ts';
import { sharedEncoder } from '../../engine/encode/shared-encoder.ts';
import { type Issue, readIssue } from '../../engine/issue/issue.ts';
import { searchedText } from '../../engine/issue/sections.ts';
import { explain } from '../../engine/search/explain/explain.ts';
import { encodeIssue, type QueryVectors } from '../../engine/search/gather/query.ts';
import { find } from '../../engine/search/search.ts';
import { addressOf } from '../../shared/address.ts';
import type { Device } from '../../shared/devices.ts';
import type { FleetResponse, FleetResult } from '../../shared/fleet.ts';
import { present } from '../../shared/present.ts';
import { parseRemote } from '../../shared/remote-url.ts';
import { type RankedChunk, type SearchRequest, searchRequest } from '../../shared/search.ts';
import { modelFolder } from '../models.ts';
import { forgeOf, permalink } from '../remote/permalink.ts';
import type { Access } from './access.ts';
import type { Catalog, Entry, State } from './catalog.ts';
import type { Fleet } from './fleet.ts';
import { FoundIndex } from './found-index.ts';
import { estimated, type Sample, sampleOf, wordsToAsk } from './frequencies.ts';
import type { Row } from './row.ts';

export interface FleetSearchOptions {
  device?: Device | undefined;
  signal?: AbortSignal | undefined;
}

/** The engine's best, which are ranked. */
const FOUND = 1_000;
/** Of these, what the issue names. */
const NAMED = 200;
const MOST_NAMES = 100;
const SHORTEST_NAME = 3;
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
  { device = 'auto', signal }: FleetSearchOptions = {},
): Promise<FleetResponse> {
  const start = performance.now();
  const parsed = searchRequest.parse(request);
  const entries = await fleet.catalog.entries(signal);
  const { keys, notes } = await access.readable(entries, signal);
  // Whether all may be read or some: rows of repositories that are no longer in the list are not asked for.
  const repositories = [...keys];
  const read = readIssue(parsed.issue);
  const sample = repositories.length > 0 ? await sampleIn(fleet, repositories) : NOTHING;
  const { vectors, model, dimensions } = await encoded(fleet, read, device);
  const engineStart = performance.now();
  const rows = newest(await found(fleet, read, vectors, sample, repositories));
  const engineMs = performance.now() - engineStart;
  const nameOf = (key: string) => present(entries.get(key), 'a repository that was asked for').name;
  const index = new FoundIndex(rows, dimensions, nameOf, {
    chunks: sample.of,
    matches: (term) => estimated(term, sample),
  });
  const list = find(index, vectors, parsed, { read });
  const { issue, considered, results } = explain(list);
  const states = await statesOf(fleet.catalog, results, index, signal);
  return {
    repository: {
      root: '',
      name: `${repositories.length} repositories`,
      revision: null,
      chunks: sample.of,
    },
    issue: { ...issue, notes: [...issue.notes, ...notes] },
    model: { ...model, ranker: list.ranker },
    partial: null,
    considered,
    // What was calibrated are lists of one repository, with all signals.
    confidence: null,
    refined: { state: 'off', read: 0, of: 0, milliseconds: 0, models: [], note: null },
    tookMs: performance.now() - start,
    results: results.map((result) => placed(result, index, entries, states)),
    fleet: {
      searched: repositories.length,
      hidden: entries.size - repositories.length,
      found: rows.length,
      engineMs,
    },
  };
}

const NOTHING: Sample = { rows: 0, of: 0, counts: new Map() };

async function encoded(fleet: Fleet, read: Issue, device: Device) {
  const folder = await modelFolder({ dataDir: fleet.dataDir });
  const { id, version, dimensions } = await loadManifest(folder);
  const encoder = await sharedEncoder({ modelFolder: folder, device });
  try {
    const vectors = await encodeIssue(encoder, read);
    return { vectors, dimensions, model: { id, version, device: encoder.device } };
  } finally {
    await encoder.close();
  }
}

/** What is like the issue or has its words, and what it names. */
async function found(
  { engine }: Fleet,
  read: Issue,
  { issue }: QueryVectors,
  sample: Sample,
  repositories: readonly string[],
): Promise<Row[]> {
  const vector = issue.some((x) => x !== 0) ? issue : null;
  const words = wordsToAsk(read.title, searchedText(read.sections, read.syntaxes), sample);
  const { names, files } = namedIn(read, sample);
  const query = { vector, words };
  const [best, named] = await Promise.all([
    engine.search(query, { repositories }, FOUND),
    names.length + files.length > 0
      ? engine.search(query, { repositories, names, files }, NAMED)
      : [],
  ]);
  const known = new Set(best.map(({ id }) => id));
  return [...best, ...named.filter(({ id }) => !known.has(id))];
}

/** What may be names of definitions and files: the rarest first, since a word that many rows have names nothing. */
function namedIn({ mentions }: Issue, sample: Sample): { names: string[]; files: string[] } {
  const names = new Set([
    ...mentions.names.map(({ name }) => name),
    ...mentions.frames.map(({ name }) => name),
  ]);
  const rare = [...names]
    .filter((name) => name.length >= SHORTEST_NAME)
    .map((name) => ({ name, rows: estimated(name.toLowerCase(), sample) }))
    .sort((a, b) => a.rows - b.rows)
    .slice(0, MOST_NAMES);
  const files = mentions.paths.flatMap(({ kind, segments }) =>
    kind === 'file' ? (segments.at(-1) ?? []) : [],
  );
  return { names: rare.map(({ name }) => name), files: [...new Set(files)].slice(0, MOST_NAMES) };
}

/** Of two rows for one chunk, which there are while its repository is brought up to date, the one of the later run. */
function newest(rows: readonly Row[]): Row[] {
  const best = new Map<string, Row>();
  for (const row of rows) {
    const place = `${row.repository} ${addressOf(row.traits)}`;
    const before = best.get(place);
    if (!before || row.generation > before.generation) best.set(place, row);
  }
  return [...best.values()];
}

const keptSample = z.object({
  rows: z.number(),
  of: z.number(),
  counts: z.array(z.tuple([z.string(), z.number()])),
});

/** The sample of what the caller may read, on this machine's disk for a day: to draw one asks much of an engine. */
async function sampleIn(fleet: Fleet, repositories: readonly string[]): Promise<Sample> {
  const who = createHash('sha256').update([fleet.model, ...repositories.toSorted()].join(' '));
  const path = join(fleet.folder, `words-${who.digest('hex').slice(0, 16)}.json`);
  const kept = readSample(path);
  if (kept) return kept;
  const { terms, of } = await fleet.engine.sample(repositories, SAMPLED);
  const sample = sampleOf(terms, of);
  // Of what is about to be stored for the first time it would know no word for a day.
  if (of === 0) return sample;
  makeFolder(fleet.folder);
  writePrivateFile(path, JSON.stringify({ ...sample, counts: [...sample.counts] }));
  return sample;
}

/** Returns milliseconds since a file was written. One from the future is as old: the clock was set back since. */
function ageOf(path: string): number {
  return Math.abs(Date.now() - statSync(path).mtimeMs);
}

function readSample(path: string): Sample | null {
  if (!existsSync(path) || ageOf(path) > SAMPLE_KEPT) return null;
  try {
    const { counts, ...others } = keptSample.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { ...others, counts: new Map(counts) };
  } catch {
    // A damaged sample is taken again.
    return null;
  }
}

/** What became of the repositories that have results. */
async function statesOf(
  catalog: Catalog,
  results: readonly RankedChunk[],
  index: FoundIndex,
  signal: AbortSignal | undefined,
): Promise<Map<string, State>> {
  const keys = new Set(results.map((result) => rowOf(result, index).repository));
  const states = await Promise.all(
    Array.from(keys, async (key) => [key, (await catalog.state(key, signal)).value] as const),
  );
  return new Map(states);
}

function rowOf(result: RankedChunk, index: FoundIndex): Row {
  const slots = index.slotsByPath(result.path);
  const slot = slots.find((one) => addressOf(index.chunk(one)) === result.address);
  return present(slot === undefined ? undefined : index.rows[slot], 'the row of a result');
}

function placed(
  result: RankedChunk,
  index: FoundIndex,
  entries: ReadonlyMap<string, Entry>,
  states: ReadonlyMap<string, State>,
): FleetResult {
  const row = rowOf(result, index);
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
