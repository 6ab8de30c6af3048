import { explainMemory } from '../../base/memory.ts';
import { LocusError } from '../../shared/errors.ts';

/** Returns an error of the thread, or of its end, as one that a person can act on. */
export function explainFailure(error: unknown): LocusError {
  const known = explainMemory(error, 'for the encoder');
  if (known instanceof LocusError) return known;
  return new LocusError(
    'device',
    `The encoder failed: ${error instanceof Error ? error.message : String(error)}`,
    'Try again; if it fails again, choose the CPU with --device cpu.',
  );
}
