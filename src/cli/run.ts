import type { ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

/** Runs a command's action in a session and keeps its exit code. */
export type Run = (action: (session: Session) => Promise<ExitCode>) => Promise<void>;
