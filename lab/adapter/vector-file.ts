import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Encoder, EncoderDocument, EncoderQuery } from '../../src/engine/lab.ts';

/** Commits and issues of a repository. Their parts are row numbers of `vectors.f32`. */
export interface EmbeddedRepository {
  repo: string;
  dimensions: number;
  /** Oldest first, with the number of the commit in the file of `adapter-commits`. */
  commits: {
    number: number;
    message: number;
    edited: number[];
    siblings: number[];
    /** Keys of all edited functions. */
    keys: string[];
  }[];
  issues: {
    instance: string;
    past: number[];
    issue: number;
    prose: number;
    candidates: number[];
  }[];
}

/** The vectors of a repository, each content once. A run that is stopped keeps what it has embedded. */
export class VectorFile {
  readonly rows: Map<string, number>;
  readonly #folder: string;
  readonly #encoder: Encoder;

  constructor(folder: string, encoder: Encoder) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#encoder = encoder;
    const keys = existsSync(this.#keys) ? readLines<string>(this.#keys) : [];
    this.rows = new Map(keys.map((key, row) => [key, row]));
    const size = keys.length * encoder.dimensions * Float32Array.BYTES_PER_ELEMENT;
    if (existsSync(this.#path)) truncateSync(this.#path, size);
  }

  get #keys(): string {
    return join(this.#folder, 'keys.jsonl');
  }

  get #path(): string {
    return join(this.#folder, 'vectors.f32');
  }

  /** Returns the rows of documents, after embedding the missing ones. */
  async embed(documents: readonly EncoderDocument[]): Promise<number[]> {
    if (documents.length === 0) return [];
    using prepared = await this.#encoder.prepare([...documents]);
    for (const [i, key] of prepared.keys.entries()) {
      if (this.rows.has(key)) continue;
      const [vector] = await prepared.embed([i]);
      this.#add(key, vector);
    }
    return prepared.keys.map((key) => this.rows.get(key) ?? -1);
  }

  /** Returns the row of a query, after embedding it if it is missing. */
  async embedQuery(query: EncoderQuery): Promise<number> {
    const key = `query ${query.text}`;
    if (!this.rows.has(key)) this.#add(key, await this.#encoder.encodeQuery(query));
    return this.rows.get(key) ?? -1;
  }

  #add(key: string, vector: Float32Array | undefined): void {
    if (!vector) throw new Error('no embedding');
    appendFileSync(this.#path, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
    // After the vector: a run that is stopped in between cuts the vector off.
    appendFileSync(this.#keys, `${JSON.stringify(key)}\n`);
    this.rows.set(key, this.rows.size);
  }

  /** Writes what the rows belong to. */
  close(index: EmbeddedRepository): void {
    writeFileSync(join(this.#folder, 'index.json'), JSON.stringify(index));
  }
}

/** Reads a file of JSON lines. */
export function readLines<Line>(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
