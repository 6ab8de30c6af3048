/** What the engine says unasked. */

import type { LanguageInfo } from '../chunk.ts';
import type { Failure } from '../errors.ts';
import type { CloneProgress, FleetPlaces } from '../fleet.ts';
import type { IndexingState, WatchUpdate } from '../indexing.ts';
import type { SearchResponse } from '../search.ts';
import type { Settings } from '../settings.ts';
import type { MemberRepository } from '../several.ts';
import type { VerifierUse } from '../verifier.ts';
import type { Welcome as AnyWelcome } from './client.ts';

export interface Events {
  welcome: Welcome;
  /** Any change in how far a repository's index is; of several together, also how far each is. */
  indexing: { repository: string; state: IndexingState; members?: MemberRepository[] };
  updated: { repository: string; update: WatchUpdate };
  changed: { repository: string; what: 'issues' | 'marks' };
  settings: Settings;
  /** The fleet that is set up from now on, by this or another window; null for none. */
  fleet: FleetPlaces | null;
  /** The first list of a search that this window started, while models read it. */
  ranking: { run: string; response: SearchResponse };
  verifying: { run: string; used: VerifierUse };
  cloning: { run: string; progress: CloneProgress };
  note: Note;
}

export interface Welcome extends AnyWelcome {
  version: string;
  dataDirectory: string;
  platform: string;
  /** Ids of the models that come with Locus. */
  models: string[];
  languages: LanguageInfo[];
  /** A repository to try Locus on, and an issue for it; null when it did not come along. */
  sample: { root: string; issue: string } | null;
  /** What to open first: the argument that Locus was started with. */
  open: { root: string; revision: string | null } | null;
  fleet: FleetPlaces | null;
  /** The only folder whose contents may be opened; null for any. */
  allowedRoot: string | null;
  /** Why the engine can do nothing for this window, and answers everything it asks with this; null otherwise. */
  failure: Failure | null;
}

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

/** Returns the note for windows when the engine's process ended unexpectedly. `reason` in words: a signal, an exit code. */
export function crashNote(reason: string): Pick<Note, 'level' | 'text' | 'remedy'> {
  return {
    level: 'warning',
    text: `The engine stopped (${reason}) and is being started again. What was asked of it is answered then.`,
    remedy: null,
  };
}
