/** What the command line needs of its surroundings; tests put their own in its place. */
import type { DoctorOptions, DoctorReport } from '../services/doctor.ts';
import type { OpenOptions } from '../services/open-repository.ts';
import type { Repository } from '../shared/repository.ts';
import type { Output } from './terminal.ts';

export interface Host {
  stdout: Output;
  stderr: Output;
  /** Standard input as text; `isTTY` when a person sits there. `unref` lets the process end while nobody types. */
  stdin: AsyncIterable<Uint8Array> & { isTTY?: boolean; ref?(): unknown; unref?(): unknown };
  /** What starts this program, for commands to paste: `locus` where it is installed. */
  program?: string;
  env: Record<string, string | undefined>;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Rejects when the command has not ended, and nothing is left that it could be waiting for. */
  stuck?: Promise<never>;
  openRepository(root: string, options: OpenOptions): Promise<Repository>;
  diagnose(options: DoctorOptions): Promise<DoctorReport>;
}
