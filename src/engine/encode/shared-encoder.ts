/** One encoder for all repositories that are open at a time with the same model: its thread and weights are there once. */
import { createEncoder } from './encoder.ts';
import { QueryMemory } from './query-memory.ts';
import type { Encoder } from './types.ts';

interface Loan {
  encoder: Promise<Encoder>;
  borrowers: number;
  queries: QueryMemory;
}

const loans = new Map<string, Loan>();

/**
 * As `createEncoder`. Closing the answer gives it back; who is the last ends it. A question about an issue overtakes
 * documents of any repository, and an issue that all of them are asked about is embedded once.
 * @throws what `createEncoder` throws
 */
export async function sharedEncoder(
  options: Parameters<typeof createEncoder>[0],
): Promise<Encoder> {
  const key = JSON.stringify([options.modelFolder, options.device, options.maxHeap]);
  const loan = loans.get(key) ?? {
    encoder: createEncoder(options),
    borrowers: 0,
    queries: new QueryMemory(),
  };
  loans.set(key, loan);
  loan.borrowers++;
  let given = false;
  const giveBack = async () => {
    if (given) return;
    given = true;
    if (--loan.borrowers > 0) return;
    if (loans.get(key) === loan) loans.delete(key);
    await (await loan.encoder).close();
  };
  try {
    return lent(await loan.encoder, loan.queries, giveBack);
  } catch (error) {
    given = true;
    if (--loan.borrowers === 0 && loans.get(key) === loan) loans.delete(key);
    throw error;
  }
}

function lent(encoder: Encoder, queries: QueryMemory, close: () => Promise<void>): Encoder {
  return {
    modelId: encoder.modelId,
    modelVersion: encoder.modelVersion,
    dimensions: encoder.dimensions,
    get device() {
      return encoder.device;
    },
    get fallback() {
      return encoder.fallback;
    },
    encode: (...args) => encoder.encode(...args),
    prepare: (...args) => encoder.prepare(...args),
    encodeQuery: (query) => queries.of(query, () => encoder.encodeQuery(query)),
    explain: (...args) => encoder.explain(...args),
    rest: () => encoder.rest(),
    close,
  };
}
