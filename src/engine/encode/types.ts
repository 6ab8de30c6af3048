import type { EncoderPart } from '../../shared/detail.ts';
import type { EncoderQuery } from '../issue/queries.ts';

export interface EncoderDocument {
  path: string;
  text: string;
  signatureEnd: number;
  /** `[start, end)` of the docstring in `text`, or null. */
  doc: [number, number] | null;
  /** Up to 4 callees in order of their first call site, certain ones first. */
  callees: { path: string; text: string }[];
}

/** Model inputs of one text, before padding; typed by the manifest's kind. Rows of equal length batch without waste. */
export interface EncoderRow {
  inputIds: Int32Array;
  tokenTypeIds: Int32Array;
  /** Only for models that take token weights. */
  tokenWeights: Float32Array | null;
}

/** How inputs are made for one `kind` of model; one file each. Pure and synchronous. */
export interface InputMaker {
  document(document: EncoderDocument): EncoderRow;
  query(issue: EncoderQuery): EncoderRow;
  /** The same document as a person reads it: parts, token counts, what was cut. */
  explain(document: EncoderDocument): EncoderPart[];
}

/** Documents as a model takes them. Its thread keeps them until they are disposed of. */
export interface PreparedDocuments extends Disposable {
  /** By document: 40 hex digits over model id, version and exact inputs. */
  readonly keys: string[];
  /** Embeds those at these places; vectors of unit length, in the order of the places. */
  embed(places: readonly number[]): Promise<Float32Array[]>;
}

/** A model at work, in a thread of its own so that neither search nor storage waits for it. */
export interface Encoder {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  /** The provider in use, e.g. `cpu`. */
  readonly device: string;
  /** Why it is not the device asked for; null when it is. */
  readonly fallback: string | null;
  /**
   * Embeds documents. `cached(keys)` is asked which keys (20-byte hex digests of model id, version and exact inputs)
   * are already known, and only the others run. Returns the keys and the vectors of the uncached ones, unit length.
   */
  encode(
    documents: EncoderDocument[],
    cached: (keys: string[]) => boolean[],
  ): Promise<{ keys: string[]; vectors: Map<string, Float32Array> }>;
  /** Makes the inputs of documents, for whoever decides bit by bit which of them run. */
  prepare(documents: EncoderDocument[]): Promise<PreparedDocuments>;
  /** Embeds an issue; overtakes waiting documents. */
  encodeQuery(issue: EncoderQuery): Promise<Float32Array>;
  explain(document: EncoderDocument): Promise<EncoderPart[]>;
  /** Lets go of the memory that it takes, until it is asked again; does nothing while it works. */
  rest(): Promise<void>;
  close(): Promise<void>;
}
