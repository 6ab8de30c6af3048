/** Events that the engine sends to windows. */

import type { CheckUsage } from '../check.ts';
import type { LanguageInfo } from '../chunk.ts';
import type { Failure } from '../errors.ts';
import type { CloneProgress, FleetLocation } from '../fleet.ts';
import type { IndexingState, WatchUpdate } from '../indexing.ts';
import type { InvestigationStep } from '../investigate.ts';
import type { SearchResponse } from '../search.ts';
import type { Settings } from '../settings.ts';
import type { MemberRepository } from '../workspace.ts';
import type { EngineIdentity as AnyWelcome } from './client.ts';

export interface Events {
  welcome: EngineWelcome;
  /** Change in the indexing state of a repository; of a workspace, also the state of each member. */
  indexing: { repository: string; state: IndexingState; members?: MemberRepository[] };
  updated: { repository: string; update: WatchUpdate };
  changed: { repository: string; what: 'issues' | 'marks' };
  settings: Settings;
  /** New configuration of the fleet, changed by any window; null for none. */
  fleet: FleetLocation | null;
  /** Initial ranking of a search by this window, sent while it is reranked. */
  ranking: { run: string; response: SearchResponse };
  /** Number of results that a search by this window has reranked so far. */
  reranking: { run: string; count: number };
  checking: { run: string; used: CheckUsage };
  investigating: { run: string; step: InvestigationStep };
  cloning: { run: string; progress: CloneProgress };
  note: Note;
}

export interface EngineWelcome extends AnyWelcome {
  version: string;
  dataDirectory: string;
  platform: string;
  /** Ids of the installed encoders. */
  models: string[];
  /** Ids of the installed rerankers. */
  rerankers: string[];
  languages: LanguageInfo[];
  /** Sample repository with an issue for it; null if it is not bundled. */
  sample: { root: string; issue: string } | null;
  /** Repository to open first: from the arguments of Locus, else the last one; null for none. */
  open: { root: string; revision: string | null } | null;
  fleet: FleetLocation | null;
  /** The only folder whose contents may be opened; null for any. */
  allowedRoot: string | null;
  /** Reason why the engine cannot serve this window; it answers every request with this failure. Null if it can. */
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
  /** Last entries, oldest first. */
  lines: string[];
  /** Numbers of entries in all log files. */
  errors: number;
  warnings: number;
}

/** Returns the note for windows after the engine's process stopped unexpectedly. @param reason a signal or exit code, in words. */
export function createCrashNote(reason: string): Pick<Note, 'level' | 'text' | 'remedy'> {
  return {
    level: 'warning',
    text: `The engine stopped (${reason}) and is restarting. Open requests continue afterwards.`,
    remedy: null,
  };
}
