import { explainMemoryError } from '../../base/memory.ts';
import { LocusError } from '../../shared/errors.ts';

/** Turns an error of the encoder thread, or the reason why it ended, into an error that a person can act on. */
export function explainEncodeFailure(error: unknown): LocusError {
  const explained = explainMemoryError(error, 'for the encoder');
  if (explained instanceof LocusError) return explained;
  return new LocusError(
    'device',
    `The encoder failed: ${error instanceof Error ? error.message : String(error)}`,
    'Try again. If it fails again, use the CPU with --device cpu.',
  );
}
