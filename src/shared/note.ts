/** Something to tell the user, unasked. */
export interface Note {
  repository: string | null;
  level: 'info' | 'warning' | 'error';
  text: string;
  remedy: string | null;
  /** ISO 8601. */
  at: string;
}

/** The end of the log in the data directory. */
export interface LogTail {
  folder: string;
  /** The last entries, the oldest first. */
  lines: string[];
  /** Numbers of entries in all files. */
  errors: number;
  warnings: number;
}

/** What a host tells its windows when the engine's process ended unasked. `reason` in words: a signal, an exit code. */
export function crashNote(reason: string): Pick<Note, 'level' | 'text' | 'remedy'> {
  return {
    level: 'warning',
    text: `The engine stopped (${reason}) and is being started again. What was asked of it is answered then.`,
    remedy: null,
  };
}
