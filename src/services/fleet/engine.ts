/**
 * The fleet's engine: Milvus, by its own client. Milvus Lite's server, a standalone server and a cluster are asked the same. The
 * client is loaded when an engine is opened, and by nothing else.
 */
import { createHash } from 'node:crypto';
import type { HybridSearchSingleReq, MilvusClient, ResStatus } from '@zilliz/milvus2-sdk-node';
import { parseJsonOrNull } from '../../base/http.ts';
import { ignoring } from '../../base/log.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { type Content, type Row, traits } from '../../shared/fleet-row.ts';

export interface EngineOptions {
  /** `http://127.0.0.1:19530`; `https://` for one behind TLS. */
  address: string;
  /** `user:password` or an API key; in no message. */
  token?: string | undefined;
  /** Model that made the embeddings, as the store names it, and their length. Each has a collection of its own. */
  model: string;
  dimensions: number;
}

export interface EngineQuery {
  /** A unit vector; null searches by words alone. */
  vector: Float32Array | null;
  /** Words as `Row.terms` has them, between blanks. */
  words: string;
}

/** Which rows: keys of repositories, null for all, and names or base names of files. */
export interface Among {
  repositories: readonly string[] | null;
  names?: readonly string[];
  files?: readonly string[];
}

/** Milliseconds of a call, and of connecting. */
const TIMEOUT = 600_000;
const CONNECT_MS = 15_000;
/** Rows that one request sends: 16 MiB of the 64 MiB that Milvus takes by default. */
const BATCH = 1_000;
/** Milvus answers a query with so many rows at most. */
const MOST_ROWS = 16_384;
/** Bytes of a text, as Milvus bounds it. */
const MOST_TEXT = 65_535;
const ID = 'id';
const WITHOUT_VECTORS = [ID, 'repository', 'generation', 'commit_id', 'terms', 'traits'];
const ALL_FIELDS = [...WITHOUT_VECTORS, 'dense'];

/** The rows of all repositories in one collection. Whatever it is asked sees what was written before (consistency `Strong`). */
export class Engine {
  readonly #client: MilvusClient;
  readonly #collection: string;
  readonly #where: string;

  private constructor(client: MilvusClient, collection: string, where: string) {
    this.#client = client;
    this.#collection = collection;
    this.#where = where;
  }

  /**
   * Connects, and makes the collection where there is none.
   * @throws LocusError `not-fetched` where nothing answers, `bad-input` for an address that is none.
   */
  static async open({ address, token, model, dimensions }: EngineOptions): Promise<Engine> {
    const url = engineAddress(address);
    const sdk = await import('@zilliz/milvus2-sdk-node');
    const client = new sdk.MilvusClient({
      address: url.host,
      ssl: url.protocol === 'https:',
      ...(token && { token }),
      timeout: TIMEOUT,
      // No pings: a server of Python's takes them for an attack, and hangs up on who waits for a long answer.
      channelOptions: {
        'grpc.keepalive_time_ms': 2 ** 31 - 1,
        'grpc.keepalive_permit_without_calls': 0,
      },
      logLevel: 'error',
      // The client asks a host that is called “global-cluster” for addresses, which it then shows the token.
      isGlobal: false,
      telemetry: { enabled: false },
    });
    const collection = collectionOf(model);
    const engine = new Engine(client, collection, url.host);
    try {
      await engine.#ask(() => within(client.connectPromise, CONNECT_MS));
      const { value } = await engine.#ask(() =>
        client.hasCollection({ collection_name: collection }),
      );
      if (!value) {
        const { version } = await engine.#ask(() => client.getVersion());
        const layout = LAYOUTS[version.startsWith('milvus_lite') ? 'lite' : 'server'];
        const schema = schemaOf(sdk, collection, dimensions, layout);
        await engine.#ask(() => client.createCollection(schema));
      }
      await engine.#ask(() => client.loadCollectionSync({ collection_name: collection }));
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client.closeConnection().catch(ignoring('close-engine'));
  }

  /** Stores rows; one that is there already stays the same. */
  async put(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length; at += BATCH) {
      const data = rows.slice(at, at + BATCH).map(toFields);
      await this.#ask(() => this.#client.upsert({ collection_name: this.#collection, data }));
    }
  }

  async ids(repository: string): Promise<Set<string>> {
    const found = new Set<string>();
    // Answers have an upper bound and no order: where it is reached, the ids are asked for by one more digit.
    const prefixes = [''];
    for (const prefix of prefixes) {
      const filter = `repository == ${quoted(repository)}${prefix && ` and id like ${quoted(`${prefix}%`)}`}`;
      const rows = await this.#query(filter, [ID], MOST_ROWS);
      if (rows.length < MOST_ROWS) for (const { id } of rows) found.add(String(id));
      else for (const digit of '0123456789abcdef') prefixes.push(prefix + digit);
    }
    return found;
  }

  async remove(repository: string, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH)
      await this.#delete(
        `repository == ${quoted(repository)} and id in ${listed(ids.slice(at, at + BATCH))}`,
      );
  }

  async removeAll(repository: string): Promise<void> {
    await this.#delete(`repository == ${quoted(repository)}`);
  }

  async #delete(filter: string): Promise<void> {
    await this.#ask(() => this.#client.delete({ collection_name: this.#collection, filter }));
  }

  async count(repositories: readonly string[] | null): Promise<number> {
    const [row] = await this.#query(filterOf({ repositories }), ['count(*)']);
    return Number(row?.['count(*)'] ?? 0);
  }

  /** The best rows by similarity and BM25, fused by the reciprocals of their ranks (RRF), best first. */
  async search({ vector, words }: EngineQuery, among: Among, limit: number): Promise<Row[]> {
    const parts: HybridSearchSingleReq[] = [];
    if (vector) {
      const params = { metric_type: 'IP', ef: Math.max(limit, 64) };
      parts.push({ anns_field: 'dense', data: [...vector], params });
    }
    if (words) parts.push({ anns_field: 'sparse', data: words, params: { metric_type: 'BM25' } });
    if (parts.length === 0 || among.repositories?.length === 0) return [];
    const filter = filterOf(among);
    const { results } = await this.#ask(() =>
      this.#client.search({
        collection_name: this.#collection,
        data: parts,
        rerank: { strategy: 'rrf', params: { k: 60 } },
        limit,
        ...(filter && { filter }),
        output_fields: ALL_FIELDS,
      }),
    );
    return results.flatMap(fromFields);
  }

  /** `terms` of about so many rows, drawn at random, and how many rows they stand for. */
  async sample(
    repositories: readonly string[] | null,
    size: number,
  ): Promise<{ terms: string[]; of: number }> {
    const of = await this.count(repositories);
    // Ids are hashes, so those below a bound are drawn at random.
    const share = Math.min(1, size / Math.max(1, of));
    const bound = Math.floor(share * 0xffffffff)
      .toString(16)
      .padStart(8, '0');
    const filter = [filterOf({ repositories }), share < 1 ? `id < ${quoted(bound)}` : '']
      .filter(Boolean)
      .join(' and ');
    const rows = await this.#query(filter, ['terms'], Math.min(MOST_ROWS, 2 * size));
    return { terms: rows.map(({ terms }) => String(terms)), of };
  }

  async #query(
    filter: string,
    fields: string[],
    limit?: number,
  ): Promise<Record<string, unknown>[]> {
    const { data } = await this.#ask(() =>
      this.#client.query({
        collection_name: this.#collection,
        filter,
        output_fields: fields,
        ...(limit !== undefined && { limit }),
      }),
    );
    return data;
  }

  /** Asks, and throws what went wrong without what was asked. */
  async #ask<T>(call: () => Promise<T>): Promise<T> {
    let answer: T;
    try {
      answer = await call();
    } catch (error) {
      throw this.#failure(error instanceof Error ? error.message : '');
    }
    const status = statusOf(answer);
    if (status && status.error_code !== 'Success') throw this.#failure(status.reason);
    return answer;
  }

  #failure(said: string): LocusError {
    return new LocusError(
      'not-fetched',
      `the engine at ${this.#where} failed: ${withoutFilter(said)}`,
      'see that Milvus runs there and takes your token; locus fleet use says what is set up',
    );
  }
}

function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('nothing answers')), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** An answer's own status, or the one in it; null for an answer without. */
function statusOf(answer: unknown): ResStatus | null {
  const { status = answer } = Object(answer) as { status?: unknown };
  const { error_code, reason } = Object(status) as Partial<ResStatus>;
  return error_code === undefined || reason === undefined ? null : (status as ResStatus);
}

/** Its first line, cut: a server quotes what it was asked, and that has names of files and words of issues. */
function withoutFilter(said: string): string {
  const line = said.split('\n', 1)[0] ?? '';
  return line.replace(/["'\u201c].*$/s, '…').slice(0, 200) || 'no reason given';
}

/** Of Milvus. @throws LocusError `bad-input` for what is no address of one; what a password may be in is not quoted. */
export function engineAddress(address: string): URL {
  const url = URL.parse(address);
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password)
    return url;
  throw badInput(
    'the address of the engine is none',
    'give one like http://127.0.0.1:19530, and its token apart from it',
  );
}

/** Collections have letters, digits and underscores in their names. */
const collectionOf = (model: string): string => `locus_${model.replace(/[^A-Za-z0-9]/g, '_')}`;

/**
 * How a collection is laid out. Repositories are spread over partitions by their keys, and a search of a few looks into theirs alone.
 * Milvus Lite looks into all, writes a file for each whenever it writes, and is bound by Python long before it is bound by products of
 * vectors (docs/fleet.md): it has one, and compares all embeddings.
 */
const LAYOUTS = {
  lite: { partitions: 1, dense: { index_type: 'FLAT', params: {} } },
  server: { partitions: 64, dense: { index_type: 'HNSW', params: { M: 16, efConstruction: 200 } } },
};

type Sdk = typeof import('@zilliz/milvus2-sdk-node');

function schemaOf(
  { DataType, FunctionType }: Sdk,
  collection: string,
  dimensions: number,
  { partitions, dense }: (typeof LAYOUTS)[keyof typeof LAYOUTS],
) {
  const text = (name: string, max_length: number) => ({
    name,
    data_type: DataType.VarChar,
    max_length,
  });
  return {
    collection_name: collection,
    num_partitions: partitions,
    consistency_level: 'Strong' as const,
    fields: [
      { ...text(ID, 32), is_primary_key: true },
      { ...text('repository', 32), is_partition_key: true },
      { name: 'generation', data_type: DataType.Int64 },
      text('commit_id', 64),
      text('name', 1_024),
      text('file', 1_024),
      text('traits', MOST_TEXT),
      {
        ...text('terms', MOST_TEXT),
        enable_analyzer: true,
        analyzer_params: { tokenizer: 'standard' },
      },
      { name: 'dense', data_type: DataType.FloatVector, dim: dimensions },
      { name: 'sparse', data_type: DataType.SparseFloatVector },
    ],
    functions: [
      {
        name: 'words',
        type: FunctionType.BM25,
        input_field_names: ['terms'],
        output_field_names: ['sparse'],
        params: {},
      },
    ],
    index_params: [
      { field_name: 'dense', metric_type: 'IP', ...dense },
      {
        field_name: 'sparse',
        index_type: 'SPARSE_INVERTED_INDEX',
        metric_type: 'BM25',
        params: {},
      },
    ],
  };
}

function toFields({ id, repository, generation, commit, terms, vector, traits: own }: Row) {
  return {
    id,
    repository,
    generation,
    commit_id: commit,
    name: own.name,
    file: baseNameOf(own.path),
    traits: JSON.stringify(own),
    terms,
    dense: [...vector],
  };
}

/** A row as it was stored; what is none, which nobody of ours stored, is left out. */
function fromFields(fields: Record<string, unknown>): Row[] {
  const { id, repository, generation, commit_id, terms, dense } = fields;
  const parsed = traits.safeParse(parseJsonOrNull(String(fields.traits)));
  if (!parsed.success || !Array.isArray(dense)) return [];
  return [
    {
      id: String(id),
      repository: String(repository),
      generation: Number(generation),
      commit: String(commit_id),
      terms: String(terms),
      vector: Float32Array.from(dense),
      traits: parsed.data,
    },
  ];
}

function filterOf({ repositories, names = [], files = [] }: Among): string {
  const named = [
    ...(names.length > 0 ? [`name in ${listed(names)}`] : []),
    ...(files.length > 0 ? [`file in ${listed(files)}`] : []),
  ];
  return [
    ...(repositories ? [`repository in ${listed(repositories)}`] : []),
    ...(named.length > 0 ? [`(${named.join(' or ')})`] : []),
  ].join(' and ');
}

const listed = (values: readonly string[]): string => `[${values.map(quoted).join(', ')}]`;

/** As Milvus' filters quote a text; JSON has the same escapes. */
const quoted = (value: string): string => JSON.stringify(value);

/**
 * Names a row by all that is in it: equal content has the same name, whoever stores it and however often, and what changed has
 * another. 128 bits, in hex.
 */
export function rowId(
  repository: string,
  model: string,
  { traits, terms, vector }: Content,
): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, model, traits]))
    .update(terms)
    .update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    .digest('hex')
    .slice(0, 32);
}

/** The last part of a path. */
const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
