/**
 * The table of queries: everything that can be asked of an open repository, or of several as one. Validation, RPC, the
 * routing among several repositories, the tools of MCP and the commands of the command line derive from it. A new query
 * takes an entry here and a method of the same name in the engine.
 */
import { z } from 'zod';
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
import { blame, blameRequest } from './history.ts';
import { repositoryStatus, skippedFiles } from './indexing.ts';
import { anchorsRequest, anchorsResponse } from './lists.ts';
import { present } from './present.ts';
import { searchRequest, searchResponse } from './search.ts';
import { similarChunks, similarRequest } from './similar.ts';

interface Query {
  /** One sentence for people and agents. */
  summary: string;
  /**
   * The part of a repository that a request addresses. `chunk` and `path` are the request's fields of that name: of
   * several repositories, the one that has it answers. All answer for `repository`.
   */
  addressedBy: 'chunk' | 'path' | 'repository';
  request: z.ZodObject;
  response: z.ZodType;
}

export const QUERIES = {
  search: {
    summary:
      'Ranks the functions, methods and classes of a repository that a fix of this issue would edit, with the reason for each.',
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
    summary: 'Show the tests that reach a function through the call graph, the nearest first.',
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
    summary: 'Show the functions that are most similar to one in meaning.',
    addressedBy: 'chunk',
    request: similarRequest,
    response: similarChunks,
  },
  blame: {
    summary: 'Show the commit that changed a line of a file last, as git tells it.',
    addressedBy: 'path',
    request: blameRequest,
    response: blame,
  },
  resolveAnchors: {
    summary: 'Find chunks again that are known from another snapshot or an imported list.',
    addressedBy: 'repository',
    request: anchorsRequest,
    response: anchorsResponse,
  },
  find: {
    summary: 'Find chunks and files by a fragment of their name, best first.',
    addressedBy: 'repository',
    request: z.object({
      query: z.string().max(1000),
      limit: z.int().min(1).max(200).default(50),
    }),
    response: z.array(chunkSummary),
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
/** A request before validation: fields with a default can be left out. */
export type RequestOf<Name extends QueryName> = z.input<(typeof QUERIES)[Name]['request']>;
export type ValidRequestOf<Name extends QueryName> = z.output<(typeof QUERIES)[Name]['request']>;
export type ResponseOf<Name extends QueryName> = z.output<(typeof QUERIES)[Name]['response']>;

export const QUERY_NAMES = Object.keys(QUERIES) as QueryName[];

export function mapQueries<Values extends object>(
  names: readonly QueryName[],
  make: (name: QueryName) => unknown,
): Values {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Values;
}

/** Requests that their schema returned: the next boundary does not validate them again. */
const valid = new WeakSet<object>();

/** Returns a query's request schema for a larger message; the request that it returns counts as valid. */
export function requestSchema<Name extends QueryName>(
  name: Name,
): z.ZodType<ValidRequestOf<Name>, RequestOf<Name>> {
  const { request } = QUERIES[name];
  return request.transform(markValid) as unknown as z.ZodType<
    ValidRequestOf<Name>,
    RequestOf<Name>
  >;
}

/**
 * Returns the request with its defaults. A valid request is returned as it is.
 * @throws LocusError `bad-input` that names the field
 */
export function validateRequest(name: QueryName, request: object): object {
  if (valid.has(request)) return request;
  const result = QUERIES[name].request.safeParse(request);
  if (result.success) return markValid(result.data);
  const issue = present(result.error.issues[0], 'what a schema found');
  const field = issue.path.join('.') || 'the request';
  throw badInput(`${field}: ${issue.message}`, 'correct it and try again');
}

/** Frozen, since a valid request that changes may be invalid. */
function markValid<Request extends object>(request: Request): Request {
  valid.add(Object.freeze(request));
  return request;
}
