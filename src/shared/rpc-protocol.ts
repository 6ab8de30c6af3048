/**
 * What the app's windows may ask of the engine process, which keeps several repositories open for several windows.
 * `params` holds the schema that each request is validated with; `Results` what it answers; `Events` what the
 * engine says unasked. Add a method here, then its handler in `src/backend/handlers.ts`.
 */
import { z } from 'zod';
import type { LanguageInfo } from './language.ts';
import { MAX_ISSUE } from './limits.ts';
import { MARKS, type Mark } from './marks.ts';
import { anchorsRequest, neighborsRequest, searchRequest, type WatchUpdate } from './protocol.ts';
import type { Failure } from './rpc.ts';
import type { Welcome as AnyWelcome } from './rpc-client.ts';
import type {
  AnchorMatches,
  ChunkAddress,
  ChunkDetail,
  ChunkSummary,
  FileDetail,
  HashedChunk,
  IndexProgress,
  IndexReport,
  Neighborhood,
  RepositoryStatus,
  SearchResponse,
  SkippedFile,
} from './types.ts';
import {
  VERIFIER_DEFAULTS,
  type Verification,
  type VerifierPlan,
  type VerifierState,
  type VerifierUse,
  verifierSettings,
} from './verifier.ts';

const repository = z.string().regex(/^[0-9a-f]{16}$/, 'not the id of an opened repository');
const issue = z.uuid();
const root = z.string().min(1).max(4096);
const chunk = z.string().min(1).max(20_000);
const text = z.string().max(MAX_ISSUE);

const DEVICES = ['auto', 'webgpu', 'cuda', 'dml', 'coreml', 'cpu'] as const;
export const EXPORT_FORMATS = ['markdown', 'json', 'csv', 'sarif'] as const;

/** Settings with their defaults; kept in the data directory and shared by all windows. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  contrast: z.enum(['system', 'more']).default('system'),
  /** 1 is 100 %. */
  zoom: z.number().min(0.5).max(3).default(1),
  device: z.enum(DEVICES).default('auto'),
  /** A model's id, or the path of a model's folder. */
  model: z.string().min(1).max(4096).default('bag-1'),
  /** Gitignore-style patterns of files to leave out of every index. */
  exclude: z.array(z.string().min(1).max(1000)).max(1000).default([]),
  tests: z.enum(['demote', 'exclude', 'include']).default('demote'),
  /** Results of a search. */
  limit: z.int().min(1).max(1000).default(100),
  /** How code is opened outside: a known editor, or a command with {file} and {line}. */
  editor: z.string().max(1000).default('system'),
  /** Commands that were chosen in the palette, the latest first. */
  recentCommands: z.array(z.string().max(100)).max(20).default([]),
  /** Whether the ranked list puts a file's chunks together. */
  groupByFile: z.boolean().default(false),
  /** Whether the evidence for the selected chunk stands under the list. */
  showEvidence: z.boolean().default(false),
  /** Sizes of resizable panes in percent, by the name of their group. */
  layout: z.record(z.string().max(100), z.record(z.string().max(100), z.number())).default({}),
  /** The endpoint that can check a ranking; off while it has no address or no model. */
  verifier: verifierSettings.default(VERIFIER_DEFAULTS),
});
export type Settings = z.output<typeof settings>;

/** Any of the settings. Without their defaults: those would stand for what is left out, and undo it. */
const someSettings = z.object(
  Object.fromEntries(
    Object.entries(settings.shape).map(([name, field]) => [name, field.unwrap().optional()]),
  ),
) as unknown as z.ZodType<Partial<Settings>, Partial<Settings>>;

export const params = {
  /** Folders in a folder of this machine, for hosts without a dialog of their own; null is where to begin. */
  'folders.list': z.object({ path: root.nullable().default(null) }),

  'recent.list': z.object({}),
  'recent.forget': z.object({ root }),
  /** The repository that was at `root` is at `to` now: issues and marks go with it. Answers its path without links. */
  'recent.relocate': z.object({ root, to: root }),

  /** Opens a folder, or one revision of a repository; the same one gets the same id. Indexing begins at once. */
  'repository.open': z.object({ root, revision: z.string().min(1).max(1000).optional() }),
  'repository.close': z.object({ repository }),
  'repository.status': z.object({ repository }),
  'repository.skipped': z.object({ repository }),
  /** Indexes in the data directory, the largest first. */
  'data.list': z.object({}),
  /** Removes an index; if its repository is open, it is indexed anew. Issues and marks stay. */
  'data.clear': z.object({
    index: z.string().regex(/^[\w.-]{1,40}-[0-9a-f]{12}$/, 'not the id of an index'),
  }),
  'index.pause': z.object({ repository }),
  'index.resume': z.object({ repository }),

  /** A newer search of the same window in the same repository supersedes it: this one then fails as `cancelled`. */
  search: z.object({ repository, request: searchRequest }),
  'chunk.show': z.object({ repository, chunk }),
  'chunk.neighbors': z.object({ repository, request: neighborsRequest }),
  'file.read': z.object({ repository, path: root }),
  /** A few at a time: each answer may have 200 chunks. */
  'anchors.resolve': z.object({ repository, anchors: anchorsRequest.max(100) }),
  /** Opens a file at a line in the editor of the settings, on the engine's machine; for hosts without a way of their own. */
  'editor.open': z.object({ repository, path: root, line: z.int().min(1) }),

  /** Chunks and files by a fragment of their name; see `findByName` in the engine. */
  'chunks.find': z.object({
    repository,
    query: z.string().max(1000),
    limit: z.int().min(1).max(200).default(50),
  }),

  'list.export': z.object({
    repository,
    format: z.enum(EXPORT_FORMATS),
    request: searchRequest,
    /** The issue whose marks and notes go along. */
    issue: issue.optional(),
    /** Keep only these of the results; all when left out. */
    chunks: z.array(chunk).max(1000).optional(),
    /** Include the code (Markdown only). */
    code: z.boolean().default(false),
  }),
  /** `text`: the content of a list file in JSON; `name`: what to call it in errors. */
  'list.import': z.object({ repository, name: z.string().max(1000), text: z.string() }),

  /** Pinned ones first, then the latest; `query` filters by words in name and text. */
  'issues.list': z.object({
    repository,
    query: z.string().max(1000).default(''),
    deleted: z.boolean().default(false),
    limit: z.int().min(1).max(1000).default(200),
  }),
  'issues.get': z.object({ issue }),
  /**
   * Creates the issue under the id that the caller chose, or replaces its text. A new one that is another version of
   * an earlier one takes that one's place, and the answer has its id; `apart`: it stays one of its own.
   */
  'issues.save': z.object({ repository, issue, text, apart: z.boolean().default(false) }),
  /** null: back to the title that its text has. */
  'issues.rename': z.object({ issue, name: z.string().min(1).max(200).nullable() }),
  'issues.pin': z.object({ issue, pinned: z.boolean() }),
  'issues.delete': z.object({ issue }),
  'issues.restore': z.object({ issue }),

  'marks.list': z.object({ repository, issue }),
  /** Sets any number of marks at once. `mark: null` with an empty note takes the mark away. */
  'marks.set': z.object({
    repository,
    issue,
    marks: z
      .array(
        z.object({
          chunk,
          mark: z.enum(MARKS).nullable(),
          note: z.string().max(10_000).default(''),
        }),
      )
      .min(1)
      .max(10_000),
  }),

  /** What `verifier.run` with this request would send; sends nothing. */
  'verifier.plan': z.object({ repository, request: searchRequest }),
  /** Ranks anew and asks the verifier about the best chunks. `run`: names it in the event `verifying`. */
  'verifier.run': z.object({ repository, run: z.uuid(), request: searchRequest }),
  /** Whether there is a key for an address, and for which repositories sending is agreed to. Never the key itself. */
  'verifier.state': z.object({ address: z.string().max(2000) }),
  /** Stores the key for an address, or removes it. */
  'verifier.key': z.object({
    address: z.string().max(2000),
    key: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,1000}$/, 'not an API key: it may hold visible ASCII characters only')
      .nullable(),
  }),
  /** Remembers that code of this repository may be sent to this address. */
  'verifier.agree': z.object({ repository, address: z.string().max(2000) }),
  /** Asks anew before code of any repository is sent to this address. */
  'verifier.withdraw': z.object({ address: z.string().max(2000) }),

  'settings.get': z.object({}),
  'settings.set': someSettings,
};

interface Results {
  'folders.list': FolderListing;
  'recent.list': RecentRepository[];
  'recent.forget': null;
  'recent.relocate': { root: string };
  'repository.open': OpenedRepository;
  'repository.close': null;
  'repository.status': RepositoryStatus;
  'repository.skipped': SkippedFile[];
  'data.list': StoredIndex[];
  'data.clear': null;
  'index.pause': null;
  'index.resume': null;
  search: SearchResponse;
  'chunk.show': ChunkDetail;
  'chunk.neighbors': Neighborhood;
  'file.read': FileDetail;
  'anchors.resolve': AnchorMatches[];
  /** The editor's name. */
  'editor.open': string;
  'chunks.find': ChunkSummary[];
  'list.export': ExportedList;
  'list.import': ImportedList;
  'issues.list': IssueSummary[];
  'issues.get': IssueRecord;
  'issues.save': IssueSummary;
  'issues.rename': IssueSummary;
  'issues.pin': IssueSummary;
  'issues.delete': null;
  'issues.restore': IssueSummary;
  'marks.list': MarkedChunk[];
  'marks.set': MarksSet;
  'verifier.plan': VerifierPlan;
  'verifier.run': Verification;
  'verifier.state': VerifierState;
  'verifier.key': VerifierState;
  'verifier.agree': null;
  'verifier.withdraw': VerifierState;
  'settings.get': Settings;
  'settings.set': Settings;
}

export type EngineMethods = {
  [Name in keyof typeof params]: {
    params: z.input<(typeof params)[Name]>;
    result: Results[Name];
  };
};

export interface Events {
  welcome: Welcome;
  /** Any change in how far a repository's index is. */
  indexing: { repository: string; state: IndexingState };
  /** Files changed on disk and the index followed. */
  updated: { repository: string; update: WatchUpdate };
  /** Issues or marks of a repository were changed, by this or another window. */
  changed: { repository: string; what: 'issues' | 'marks' };
  settings: Settings;
  /** How far the verification is that this window started. */
  verifying: { run: string; used: VerifierUse };
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
  /** The only folder whose contents may be opened; null for any. */
  allowedRoot: string | null;
  /** Why the engine can do nothing for this window, and answers everything it asks with this; null otherwise. */
  failure: Failure | null;
}

/** Something to tell the user. */
export interface Note {
  repository: string | null;
  level: 'info' | 'warning' | 'error';
  text: string;
  remedy: string | null;
  /** ISO 8601. */
  at: string;
}

export interface IndexingState {
  /** `current`: all done, and for a working tree, following its files. */
  phase: 'opening' | 'indexing' | 'current' | 'paused' | 'failed';
  /** While indexing. */
  progress: IndexProgress | null;
  /** Of the last run that finished. */
  report: IndexReport | null;
  /** Why it failed. */
  failure: Failure | null;
}

export interface OpenedRepository {
  id: string;
  root: string;
  name: string;
  /** The commit that was opened; null for the files on disk. */
  revision: string | null;
  status: RepositoryStatus;
  indexing: IndexingState;
  /** The issue that was worked on last here. */
  lastIssue: IssueRecord | null;
}

export interface RecentRepository {
  root: string;
  name: string;
  /** ISO 8601. */
  openedAt: string;
  chunks: number;
  /** Of the index, when it was last seen. */
  state: RepositoryStatus['state'];
  /** What has become of the folder since. */
  folder: FolderState;
}

/**
 * `unreadable`: the system refuses to list it; `not-allowed`: it is outside of what the host may open;
 * `no-repository`: a folder that was in a git repository before.
 */
export type FolderState =
  | 'there'
  | 'missing'
  | 'not-a-folder'
  | 'unreadable'
  | 'not-allowed'
  | 'no-repository';

/** A repository's index in the data directory. */
export interface StoredIndex {
  id: string;
  /** Null when it is not known any more which repository it was made from. */
  root: string | null;
  name: string;
  bytes: number;
}

export interface FolderListing {
  path: string;
  /** null where going up is not allowed. */
  parent: string | null;
  folders: { name: string; path: string; repository: boolean }[];
  /** Folders that were left out because there are too many. */
  hidden: number;
}

export interface IssueSummary {
  id: string;
  /** The name given to it, or the first line of its text. */
  title: string;
  renamed: boolean;
  pinned: boolean;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  /** Marks given to chunks for it. */
  marks: number;
}
export interface IssueRecord extends IssueSummary {
  text: string;
}

export interface MarkedChunk {
  /** Where the chunk was when it was marked. */
  address: ChunkAddress;
  mark: Mark | null;
  note: string;
  updatedAt: string;
  /** Where it is now: `same`, `changed` in place, `moved`, …; see `AnchorState` in the engine's exchange folder. */
  state: 'same' | 'moved' | 'changed' | 'moved and changed' | 'gone';
  now: HashedChunk | null;
}

interface MarksSet {
  /** Chunks that this version of the repository lacks and that had no mark before; the others are stored. */
  missing: ChunkAddress[];
}

export interface ExportedList {
  text: string;
  /** A name for the file. */
  fileName: string;
  mediaType: string;
  /** Chunks that are in the list, and those asked for that the search no longer finds. */
  count: number;
  missing: ChunkAddress[];
}

export interface ImportedList {
  issue: { title: string; text: string };
  repository: { name: string; commit: string | null };
  counts: Record<MarkedChunk['state'], number>;
  entries: {
    rank: number;
    score: number;
    was: Pick<ChunkSummary, 'path' | 'qualifiedName' | 'kind' | 'startLine' | 'endLine'>;
    mark: Mark | null;
    note: string;
    state: MarkedChunk['state'];
    now: HashedChunk | null;
    detail: string | null;
  }[];
}
