/** The log of an attempt: one JSON line for each command or tool call of the agent. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Environment variable that is set for what a logged program or a server starts, which is no call of the agent. */
export const INNER = 'AGENT_TRIAL_INNER';

export interface LoggedCall {
  /** Time at which it started, in milliseconds since 1970. */
  at: number;
  /** Program, or `locus <tool>`. */
  tool: string;
  args: string;
  /** Bytes that it returned. */
  bytes: number;
  ms: number;
  /** Ids of the pipes that it read from and wrote to, if any. */
  from?: number;
  to?: number;
}

/** Names of the log, and of the file with everything that an agent printed or read. */
export const LOG_FILE = 'log.jsonl';
export const TRANSCRIPT_FILE = 'transcript.txt';

export function logCall(file: string, call: LoggedCall): void {
  appendFileSync(file, `${JSON.stringify(call)}\n`);
}

/** Reads a log; empty if nothing was logged. A line that was cut off is left out. */
export function readLog(file: string): LoggedCall[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as LoggedCall];
      } catch {
        return []; // The last line is empty, or the process was killed while it wrote.
      }
    });
}

/** Leaves out programs whose output another logged program read: a pipeline counts once, with what its last program printed. */
export function joinPipelines(calls: readonly LoggedCall[]): LoggedCall[] {
  const read = new Set(calls.flatMap(({ from }) => from ?? []));
  return calls.filter(({ to }) => to === undefined || !read.has(to));
}
