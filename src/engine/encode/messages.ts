import type { EncoderPart } from '../../shared/detail.ts';
import type { Device } from '../../shared/devices.ts';
import { LocusError, type LocusErrorCode } from '../../shared/errors.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import type { EncoderDocument } from './types.ts';

/*
 * What the encoder and its worker thread say to each other.
 */

/** The worker's `workerData`. */
export interface WorkerStart {
  modelFolder: string;
  device: Device;
  /** Megabytes of heap for the thread; the model itself lies elsewhere. */
  maxHeap: number;
}

export type Request =
  /** Make these documents' inputs and keep them under the request's id; answers with their keys. */
  | { type: 'prepare'; documents: EncoderDocument[] }
  /** Embed some of the documents prepared under `prepared`; answers with the embeddings. */
  | { type: 'run'; prepared: number; wanted: number[] }
  | { type: 'query'; issue: EncoderQuery }
  | { type: 'explain'; document: EncoderDocument };

/** What each type of request is answered with. Embeddings come one after the other. */
export interface Answers {
  prepare: string[];
  run: Float32Array<ArrayBuffer>;
  query: Float32Array<ArrayBuffer>;
  explain: EncoderPart[];
}

export type ToWorker =
  | (Request & { id: number })
  /** No more of what was prepared under this id will be asked for. */
  | { type: 'forget'; prepared: number }
  | { type: 'close' };

export type FromWorker =
  | { type: 'ready'; device: string; fallback: string | null }
  | { type: 'failed'; error: PlainError }
  | { type: 'answer'; id: number; value: Answers[keyof Answers] }
  | { type: 'error'; id: number; error: PlainError };

/** An error that can be posted: a posted `LocusError` would arrive without its code and remedy. */
export interface PlainError {
  message: string;
  code: LocusErrorCode | null;
  remedy: string;
}

export function toPlain(error: unknown): PlainError {
  if (error instanceof LocusError) {
    return { message: error.message, code: error.code, remedy: error.remedy };
  }
  return { message: String((error as Error)?.message ?? error), code: null, remedy: '' };
}

export function fromPlain({ message, code, remedy }: PlainError): LocusError {
  return code ? new LocusError(code, message, remedy) : stopped(message);
}

/** The error for a failure of the device or its driver. */
export function stopped(why: string): LocusError {
  return new LocusError(
    'device',
    `The encoder failed: ${why}`,
    'Try again; if it fails again, choose the CPU with --device cpu.',
  );
}
