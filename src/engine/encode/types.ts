import type { EncoderPart } from '../../shared/detail.ts';
import type { EncoderQuery } from '../issue/queries.ts';

export interface EncoderDocument {
  path: string;
  text: string;
  signatureEnd: number;
  /** `[start, end)` of the docstring in `text`, or null. */
  doc: [number, number] | null;
  /** Up to 4 callees in order of their first call site, certain calls first. */
  callees: { path: string; text: string }[];
}

/** Model inputs for one text, before padding. */
export interface EncoderRow {
  inputIds: Int32Array;
  tokenTypeIds: Int32Array;
  /** Null for models without token weights. */
  tokenWeights: Float32Array | null;
  /** Ids of the two tokens whose logits score a pair: yes, no. */
  answers?: readonly number[];
}

/** Makes the inputs for one `kind` of model. Its methods are pure and synchronous. */
export interface InputMaker {
  buildDocument(document: EncoderDocument): EncoderRow;
  buildQuery(issue: EncoderQuery): EncoderRow;
  /** Makes the input of a model that scores pairs. Only such models have it. */
  buildPair?(issue: EncoderQuery, document: EncoderDocument): EncoderRow;
  /** Describes the inputs of a document for people: parts, token counts, and the text that was cut. */
  explain(document: EncoderDocument): EncoderPart[];
}

/** Model inputs of documents. The encoder's thread stores them until they are disposed of. */
export interface PreparedDocuments extends Disposable {
  /** Key of each document: 40 hex digits over model id, version and exact inputs. */
  readonly keys: string[];
  /** Embeds the documents at these indices. Returns vectors of unit length in the same order. */
  embed(indices: readonly number[]): Promise<Float32Array[]>;
}

/** A model that runs in a thread of its own, so that neither search nor storage waits for it. */
export interface Encoder {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  /** Device in use, such as `cpu`. */
  readonly device: string;
  /** Reason why it is not the requested device; null if it is. */
  readonly fallback: string | null;
  /**
   * Embeds documents.
   * @param cached returns, for each key, true if its vector is cached; only the others run
   * @returns the keys (20-byte hex digests of model id, version and exact inputs), and unit vectors of the uncached ones
   */
  encode(
    documents: EncoderDocument[],
    cached: (keys: string[]) => boolean[],
  ): Promise<{ keys: string[]; vectors: Map<string, Float32Array> }>;
  /** Makes the inputs of documents, so that the caller can choose step by step which of them to embed. */
  prepare(documents: EncoderDocument[]): Promise<PreparedDocuments>;
  /** Embeds an issue. It overtakes waiting documents. */
  encodeQuery(issue: EncoderQuery): Promise<Float32Array>;
  explain(document: EncoderDocument): Promise<EncoderPart[]>;
  /** Unloads the model until the next call. Does nothing while the model is in use. */
  unload(): Promise<void>;
  close(): Promise<void>;
}

/** A model that scores pairs, in a thread of its own. */
export interface PairScorer extends Pick<Encoder, 'close'> {
  score(issue: EncoderQuery, document: EncoderDocument): Promise<number>;
}
