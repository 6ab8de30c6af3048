/** Ranks the rows that a fleet's vector engine found, with the same signals as in a repository. */
import { formatAddress } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { Device } from '../../shared/devices.ts';
import type { FleetRow } from '../../shared/fleet-row.ts';
import type { RankedChunk, SearchRequest, SearchResponse } from '../../shared/search.ts';
import { loadManifest } from '../encode/manifest.ts';
import { acquireSharedEncoder } from '../encode/shared-encoder.ts';
import { type Issue, readIssue } from '../issue/issue.ts';
import { getSearchedText } from '../issue/sections.ts';
import { explain } from '../search/explain/explain.ts';
import { encodeIssue, type QueryVectors } from '../search/gather/query.ts';
import { rankChunks } from '../search/search.ts';
import { FleetRowIndex } from './fleet-row-index.ts';
import { chooseQueryWords, estimateRowCount, type TermSample } from './frequencies.ts';

/** Query to a vector engine for an issue. */
export interface RowQuery {
  /** Unit vector of the issue; null for an issue without words. */
  vector: Float32Array | null;
  /** Most informative words of the issue, separated by spaces. */
  words: string;
  /** Names of functions and base names of files that the issue mentions; names are sorted, rarest first. */
  names: string[];
  files: string[];
  /** Model of the embeddings, and the device that it ran on. */
  model: { id: string; version: string; device: string };
  /** Input of `rankRows`. */
  ranking: {
    request: SearchRequest;
    issue: Issue;
    vectors: QueryVectors;
    dimensions: number;
    sample: TermSample;
  };
}

export interface RowQueryOptions {
  modelFolder: string;
  device: Device;
}

/**
 * Reads and embeds the issue of a request.
 * @param sample of the terms in all rows that may be searched
 * @throws LocusError `bad-model` or `device`
 */
export async function readRowQuery(
  request: SearchRequest,
  sample: TermSample,
  { modelFolder, device }: RowQueryOptions,
): Promise<RowQuery> {
  const issue = readIssue(request.issue);
  const { id, version, dimensions } = await loadManifest(modelFolder);
  const encoder = await acquireSharedEncoder({ modelFolder, device });
  try {
    const vectors = await encodeIssue(encoder, issue);
    return {
      vector: vectors.issue.some((x) => x !== 0) ? vectors.issue : null,
      words: chooseQueryWords(issue.title, getSearchedText(issue.sections, issue.syntaxes), sample),
      ...extractNames(issue, sample),
      model: { id, version, device: encoder.device },
      ranking: { request, issue, vectors, dimensions, sample },
    };
  } finally {
    await encoder.close();
  }
}

/** Result with its row. */
export type RankedRow = RankedChunk & { row: FleetRow };

export interface RankedRows extends Pick<SearchResponse, 'issue' | 'considered'> {
  /** Name of the ranker. */
  ranker: string;
  results: RankedRow[];
}

/**
 * Ranks rows.
 * @param nameOf returns a repository's name by its key. The name is the first segment of its results' paths.
 */
export function rankRows(
  { ranking: { request, issue: read, vectors, dimensions, sample } }: RowQuery,
  rows: readonly FleetRow[],
  nameOf: (repository: string) => string,
): RankedRows {
  const index = new FleetRowIndex(rows, dimensions, nameOf, {
    chunks: sample.of,
    countMatches: (term) => estimateRowCount(term, sample),
  });
  const outcome = rankChunks(index, vectors, request, { read });
  const { issue, considered, results } = explain(outcome);
  return {
    issue,
    considered,
    ranker: outcome.ranker,
    results: results.map((result) => ({ ...result, row: findRow(result, index) })),
  };
}

function findRow(result: RankedChunk, index: FleetRowIndex): FleetRow {
  const slots = index.getSlotsByPath(result.path);
  const slot = slots.find((one) => formatAddress(index.getChunk(one)) === result.address);
  return assertPresent(slot === undefined ? undefined : index.rows[slot], 'the row of a result');
}

const MAX_NAMES = 100;
const MIN_NAME_LENGTH = 3;

/** Returns words that may be names of functions and files, rare ones first, since common words rarely are names. */
function extractNames(
  { mentions }: Issue,
  sample: TermSample,
): { names: string[]; files: string[] } {
  const names = new Set([...mentions.names, ...mentions.frames].map(({ name }) => name));
  const rare = [...names]
    .filter((name) => name.length >= MIN_NAME_LENGTH)
    .map((name) => ({ name, rows: estimateRowCount(name.toLowerCase(), sample) }))
    .sort((a, b) => a.rows - b.rows)
    .slice(0, MAX_NAMES);
  const files = mentions.paths.flatMap(({ kind, segments }) =>
    kind === 'file' ? (segments.at(-1) ?? []) : [],
  );
  return { names: rare.map(({ name }) => name), files: [...new Set(files)].slice(0, MAX_NAMES) };
}
