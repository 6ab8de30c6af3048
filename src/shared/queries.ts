/**
 * The table of queries of an open repository or workspace. Validation, RPC, routing within a workspace, MCP tools and
 * subcommands derive from it. A new query needs an entry here and a method of the same name in the engine.
 */
import { z } from 'zod';
import { assertPresent } from './assert-present.ts';
import {
  neighborhood,
  neighborsRequest,
  reachingTests,
  reachingTestsRequest,
  references,
  referencesRequest,
} from './call-graph.ts';
import { chunkSummary } from './chunk.ts';
import { chunkDetail, fileDetail, fileRequest, showRequest } from './detail.ts';
import { badInput } from './errors.ts';
import { grepRequest, grepResponse } from './grep.ts';
import { blame, blameRequest, chunkHistory, historyRequest } from './history.ts';
import { impact, impactRequest } from './impact.ts';
import { repositoryStatus, skippedFiles } from './indexing.ts';
import { anchorsRequest, anchorsResponse } from './lists.ts';
import { searchRequest, searchResponse } from './search.ts';
import { similarChunks, similarRequest } from './similar.ts';

interface Query {
  /** One sentence for users and agents. */
  summary: string;
  /**
   * The part of a repository that a request addresses. In a workspace, `chunk` and `path` (fields of the request) route it to
   * the repository that contains them; `repository` sends it to all of them.
   */
  addressedBy: 'chunk' | 'path' | 'repository';
  request: z.ZodObject;
  response: z.ZodType;
}

export const QUERIES = {
  search: {
    summary:
      'Rank the functions of a repository by how likely a fix for this issue edits them, with reasons for each.',
    addressedBy: 'repository',
    request: searchRequest,
    response: searchResponse,
  },
  show: {
    summary: 'Show a function: its code, callers, callees, and the input of the model.',
    addressedBy: 'chunk',
    request: showRequest,
    response: chunkDetail,
  },
  file: {
    summary: 'Show a file as it was indexed, with its functions from top to bottom.',
    addressedBy: 'path',
    request: fileRequest,
    response: fileDetail,
  },
  neighbors: {
    summary: 'Show the callers of a function and the functions it calls.',
    addressedBy: 'chunk',
    request: neighborsRequest,
    response: neighborhood,
  },
  tests: {
    summary: 'Show the tests that reach a function through the call graph, nearest first.',
    addressedBy: 'chunk',
    request: reachingTestsRequest,
    response: reachingTests,
  },
  references: {
    summary: 'Show the lines that refer to a function.',
    addressedBy: 'chunk',
    request: referencesRequest,
    response: references,
  },
  similar: {
    summary: 'Show the functions that are most similar in meaning to a function.',
    addressedBy: 'chunk',
    request: similarRequest,
    response: similarChunks,
  },
  blame: {
    summary: 'Show the last commit that changed a line of a file, according to git.',
    addressedBy: 'path',
    request: blameRequest,
    response: blame,
  },
  history: {
    summary: 'List the past commits that changed a function, newest first.',
    addressedBy: 'chunk',
    request: historyRequest,
    response: chunkHistory,
  },
  impact: {
    summary: 'Show what a diff edits, what else may have to change, and which tests to run.',
    addressedBy: 'repository',
    request: impactRequest,
    response: impact,
  },
  resolveAnchors: {
    summary: 'Find functions of another snapshot or of an imported list again.',
    addressedBy: 'repository',
    request: anchorsRequest,
    response: anchorsResponse,
  },
  find: {
    summary: 'Find functions and files by letters of their name, best first.',
    addressedBy: 'repository',
    request: z.object({
      query: z.string().max(1000),
      limit: z.int().min(1).max(200).default(50),
    }),
    response: z.array(chunkSummary),
  },
  grep: {
    summary: 'Find exact text or a regular expression in the indexed files, grouped by function.',
    addressedBy: 'repository',
    request: grepRequest,
    response: grepResponse,
  },
  status: {
    summary: 'Show how much of a repository is indexed.',
    addressedBy: 'repository',
    request: z.object({}),
    response: repositoryStatus,
  },
  skipped: {
    summary: 'List the files that are not in the index, with the reason for each.',
    addressedBy: 'repository',
    request: z.object({}),
    response: skippedFiles,
  },
} satisfies Record<string, Query>;

export type QueryName = keyof typeof QUERIES;
export type QueryNameBy<Address extends Query['addressedBy']> = {
  [Name in QueryName]: (typeof QUERIES)[Name]['addressedBy'] extends Address ? Name : never;
}[QueryName];
/** A request before validation: fields with a default are optional. */
export type QueryRequest<Name extends QueryName> = z.input<(typeof QUERIES)[Name]['request']>;
export type ValidQueryRequest<Name extends QueryName> = z.output<(typeof QUERIES)[Name]['request']>;
export type QueryResponse<Name extends QueryName> = z.output<(typeof QUERIES)[Name]['response']>;

export const QUERY_NAMES = Object.keys(QUERIES) as QueryName[];

export function mapQueries<Values extends object>(
  names: readonly QueryName[],
  make: (name: QueryName) => unknown,
): Values {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Values;
}

/** Requests that were validated already, so that later boundaries skip validation. */
const validated = new WeakSet<object>();

/** Returns a query's request schema for use in a larger message. Requests that it parses count as validated. */
export function requestSchema<Name extends QueryName>(
  name: Name,
): z.ZodType<ValidQueryRequest<Name>, QueryRequest<Name>> {
  const { request } = QUERIES[name];
  return request.transform(markValid) as unknown as z.ZodType<
    ValidQueryRequest<Name>,
    QueryRequest<Name>
  >;
}

/**
 * Validates a request and fills in its defaults. A request that was validated before is returned unchanged.
 * @throws LocusError `bad-input` that names the field
 */
export function validateRequest(name: QueryName, request: object): object {
  if (validated.has(request)) return request;
  const result = QUERIES[name].request.safeParse(request);
  if (result.success) return markValid(result.data);
  const issue = assertPresent(result.error.issues[0], 'what a schema found');
  const field = issue.path.join('.') || 'the request';
  throw badInput(`Invalid value for ${field}: ${issue.message}.`, 'Correct it and try again.');
}

/** Marks a request as validated. Freezes it too, since later changes could make it invalid. */
function markValid<Request extends object>(request: Request): Request {
  validated.add(Object.freeze(request));
  return request;
}
