/**
 * The fleet's engine: Milvus, through its own client. Milvus Lite's server, a standalone server and a cluster work the same way. The
 * client is large, so it is only loaded when an engine is opened.
 */
import { createHash } from 'node:crypto';
import type { HybridSearchSingleReq, MilvusClient, ResStatus } from '@zilliz/milvus2-sdk-node';
import { parseJsonOrNull } from '../../base/http.ts';
import { ignoring } from '../../base/log.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { type FleetRow, type FleetRowContent, fleetTraits } from '../../shared/fleet-row.ts';

export interface FleetEngineOptions {
  /** `http://127.0.0.1:19530`, or `https://…` for TLS. */
  address: string;
  /** `user:password` or an API key. Never part of a message. */
  token?: string | undefined;
  /** Key of the model that made the embeddings. Each model has a collection of its own. */
  model: string;
  /** Length of the embeddings. */
  dimensions: number;
}

export interface FleetQuery {
  /** Unit vector; null to search by words alone. */
  vector: Float32Array | null;
  /** Words in the form of `Row.terms`, separated by blanks. */
  words: string;
}

/** Filter for rows: keys of repositories (null for all), and names of chunks or base names of files. */
export interface RowFilter {
  repositories: readonly string[] | null;
  names?: readonly string[];
  files?: readonly string[];
}

/** Limits in milliseconds for one call, and for connecting. */
const CALL_MS = 600_000;
const CONNECT_MS = 15_000;
/** Rows in one request: about 16 MiB of the 64 MiB that Milvus accepts by default. */
const BATCH = 1_000;
/** Maximum number of rows in a Milvus query result. */
const MAX_ROWS = 16_384;
/** Maximum number of bytes in a Milvus text field. */
const MAX_TEXT = 65_535;
const ID = 'id';
const WITHOUT_VECTORS = [ID, 'repository', 'generation', 'commit_id', 'terms', 'traits'];
const ALL_FIELDS = [...WITHOUT_VECTORS, 'dense'];

/** The rows of all repositories, in one collection. Reads see all earlier writes (consistency `Strong`). */
export class FleetEngine {
  readonly #client: MilvusClient;
  readonly #collection: string;
  readonly #host: string;

  private constructor(client: MilvusClient, collection: string, where: string) {
    this.#client = client;
    this.#collection = collection;
    this.#host = where;
  }

  /**
   * Connects, and creates the collection if it is missing.
   * @throws LocusError `not-fetched` if nothing answers, `bad-input` for an invalid address
   */
  static async open({
    address,
    token,
    model,
    dimensions,
  }: FleetEngineOptions): Promise<FleetEngine> {
    const url = parseEngineAddress(address);
    const sdk = await import('@zilliz/milvus2-sdk-node');
    const client = new sdk.MilvusClient({
      address: url.host,
      ssl: url.protocol === 'https:',
      ...(token && { token }),
      timeout: CALL_MS,
      // No pings: a Python server takes them for an attack, and closes the connection while a long answer is pending.
      channelOptions: {
        'grpc.keepalive_time_ms': 2 ** 31 - 1,
        'grpc.keepalive_permit_without_calls': 0,
      },
      logLevel: 'error',
      // For a host called “global-cluster”, the client would fetch other addresses and send them the token.
      isGlobal: false,
      telemetry: { enabled: false },
    });
    const collection = nameCollection(model);
    const engine = new FleetEngine(client, collection, url.host);
    try {
      await engine.#call(() => withTimeout(client.connectPromise, CONNECT_MS));
      const { value } = await engine.#call(() =>
        client.hasCollection({ collection_name: collection }),
      );
      if (!value) {
        const { version } = await engine.#call(() => client.getVersion());
        const layout = LAYOUTS[version.startsWith('milvus_lite') ? 'lite' : 'server'];
        const schema = createSchema(sdk, collection, dimensions, layout);
        await engine.#call(() => client.createCollection(schema));
      }
      await engine.#call(() => client.loadCollectionSync({ collection_name: collection }));
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client.closeConnection().catch(ignoring('close-engine'));
  }

  /** Stores rows. A row that is stored already stays the same. */
  async put(rows: readonly FleetRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += BATCH) {
      const data = rows.slice(at, at + BATCH).map(toFields);
      await this.#call(() => this.#client.upsert({ collection_name: this.#collection, data }));
    }
  }

  /** Lists the ids of a repository's rows. */
  async listIds(repository: string): Promise<Set<string>> {
    const found = new Set<string>();
    // Results are limited and unordered. If the limit is reached, the query is repeated with longer prefixes of ids.
    const prefixes = [''];
    for (const prefix of prefixes) {
      const filter = `repository == ${quoteText(repository)}${prefix && ` and id like ${quoteText(`${prefix}%`)}`}`;
      const rows = await this.#query(filter, [ID], MAX_ROWS);
      if (rows.length < MAX_ROWS) for (const { id } of rows) found.add(String(id));
      else for (const digit of '0123456789abcdef') prefixes.push(prefix + digit);
    }
    return found;
  }

  async remove(repository: string, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH)
      await this.#delete(
        `repository == ${quoteText(repository)} and id in ${formatList(ids.slice(at, at + BATCH))}`,
      );
  }

  async removeAll(repository: string): Promise<void> {
    await this.#delete(`repository == ${quoteText(repository)}`);
  }

  async #delete(filter: string): Promise<void> {
    await this.#call(() => this.#client.delete({ collection_name: this.#collection, filter }));
  }

  async count(repositories: readonly string[] | null): Promise<number> {
    const [row] = await this.#query(formatFilter({ repositories }), ['count(*)']);
    return Number(row?.['count(*)'] ?? 0);
  }

  /** Returns the best rows by similarity and BM25, fused by reciprocal ranks (RRF), best first. */
  async search(
    { vector, words }: FleetQuery,
    among: RowFilter,
    limit: number,
  ): Promise<FleetRow[]> {
    const parts: HybridSearchSingleReq[] = [];
    if (vector) {
      const params = { metric_type: 'IP', ef: Math.max(limit, 64) };
      parts.push({ anns_field: 'dense', data: [...vector], params });
    }
    if (words) parts.push({ anns_field: 'sparse', data: words, params: { metric_type: 'BM25' } });
    if (parts.length === 0 || among.repositories?.length === 0) return [];
    const filter = formatFilter(among);
    const { results } = await this.#call(() =>
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

  /** Returns `terms` of about `size` random rows, and the number of rows that they were drawn from. */
  async sample(
    repositories: readonly string[] | null,
    size: number,
  ): Promise<{ terms: string[]; of: number }> {
    const of = await this.count(repositories);
    // Ids are hashes, so all ids below a bound are a random sample.
    const share = Math.min(1, size / Math.max(1, of));
    const bound = Math.floor(share * 0xffffffff)
      .toString(16)
      .padStart(8, '0');
    const filter = [formatFilter({ repositories }), share < 1 ? `id < ${quoteText(bound)}` : '']
      .filter(Boolean)
      .join(' and ');
    const rows = await this.#query(filter, ['terms'], Math.min(MAX_ROWS, 2 * size));
    return { terms: rows.map(({ terms }) => String(terms)), of };
  }

  async #query(
    filter: string,
    fields: string[],
    limit?: number,
  ): Promise<Record<string, unknown>[]> {
    const { data } = await this.#call(() =>
      this.#client.query({
        collection_name: this.#collection,
        filter,
        output_fields: fields,
        ...(limit !== undefined && { limit }),
      }),
    );
    return data;
  }

  /** Makes a call. Errors omit the request, which may hold names and words of an issue. */
  async #call<T>(call: () => Promise<T>): Promise<T> {
    let answer: T;
    try {
      answer = await call();
    } catch (error) {
      throw this.#failure(error instanceof Error ? error.message : '');
    }
    const status = findStatus(answer);
    if (status && status.error_code !== 'Success') throw this.#failure(status.reason);
    return answer;
  }

  #failure(said: string): LocusError {
    return new LocusError(
      'not-fetched',
      `The engine at ${this.#host} failed: ${shortenMessage(said)}.`,
      'Check that Milvus runs there and accepts your token. Run locus fleet use to see the current setup.',
    );
  }
}

function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('nothing answers')), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Returns the status of an answer, or the one inside it; null for an answer without a status. */
function findStatus(answer: unknown): ResStatus | null {
  const { status = answer } = Object(answer) as { status?: unknown };
  const { error_code, reason } = Object(status) as Partial<ResStatus>;
  return error_code === undefined || reason === undefined ? null : (status as ResStatus);
}

/** Shortens a server's message to its first line without quotations: servers quote the request, which holds file names and words of issues. */
function shortenMessage(said: string): string {
  const line = said.split('\n', 1)[0] ?? '';
  return line.replace(/["'\u201c].*$/s, '…').slice(0, 200) || 'no reason given';
}

/** Parses the address of Milvus. @throws LocusError `bad-input` if it is invalid; the message omits it, since it may hold a password */
export function parseEngineAddress(address: string): URL {
  const url = URL.parse(address);
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password)
    return url;
  throw badInput(
    'The Milvus address is invalid.',
    'Use an address like http://127.0.0.1:19530, and give the token separately.',
  );
}

/** Returns the name of a model's collection. Milvus allows letters, digits and underscores. */
const nameCollection = (model: string): string => `locus_${model.replace(/[^A-Za-z0-9]/g, '_')}`;

/**
 * Layouts of a collection. A server spreads repositories over partitions by their keys, so that a search of a few repositories reads
 * only their partitions. Milvus Lite searches all partitions and writes a file for each on every write, and Python limits it long
 * before vector products do (docs/reference/fleet.md). So it gets one partition, and compares all embeddings.
 */
const LAYOUTS = {
  lite: { partitions: 1, dense: { index_type: 'FLAT', params: {} } },
  server: { partitions: 64, dense: { index_type: 'HNSW', params: { M: 16, efConstruction: 200 } } },
};

type Sdk = typeof import('@zilliz/milvus2-sdk-node');

function createSchema(
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
      text('traits', MAX_TEXT),
      {
        ...text('terms', MAX_TEXT),
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

function toFields({ id, repository, generation, commit, terms, vector, traits: own }: FleetRow) {
  return {
    id,
    repository,
    generation,
    commit_id: commit,
    name: own.name,
    file: getBaseName(own.path),
    traits: JSON.stringify(own),
    terms,
    dense: [...vector],
  };
}

/** Converts a stored row. Rows that Locus did not write are skipped. */
function fromFields(fields: Record<string, unknown>): FleetRow[] {
  const { id, repository, generation, commit_id, terms, dense } = fields;
  const parsed = fleetTraits.safeParse(parseJsonOrNull(String(fields.traits)));
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

function formatFilter({ repositories, names = [], files = [] }: RowFilter): string {
  const named = [
    ...(names.length > 0 ? [`name in ${formatList(names)}`] : []),
    ...(files.length > 0 ? [`file in ${formatList(files)}`] : []),
  ];
  return [
    ...(repositories ? [`repository in ${formatList(repositories)}`] : []),
    ...(named.length > 0 ? [`(${named.join(' or ')})`] : []),
  ].join(' and ');
}

const formatList = (values: readonly string[]): string => `[${values.map(quoteText).join(', ')}]`;

/** Quotes text for a Milvus filter, whose escapes are those of JSON. */
const quoteText = (value: string): string => JSON.stringify(value);

/**
 * Computes the id of a row as a hash of its content: 128 bits, in hex. Equal content always gets the same id, whoever stores it and
 * however often. Changed content gets another.
 */
export function makeRowId(
  repository: string,
  model: string,
  { traits, terms, vector }: FleetRowContent,
): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, model, traits]))
    .update(terms)
    .update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    .digest('hex')
    .slice(0, 32);
}

/** Returns the last part of a path. */
const getBaseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
