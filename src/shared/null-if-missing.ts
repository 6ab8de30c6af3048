import { LocusError } from './errors.ts';

/** Returns null for something that was removed since it was listed, such as a chunk or a file. */
export async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof LocusError && error.code === 'not-found') return null;
    throw error;
  }
}
