/**
 * What the app's windows may ask of the engine process, which keeps several repositories open for several windows.
 * `params` holds the schema that each request is validated with; `Results` the type of its answer. The queries of an open
 * repository come from the table in `queries.ts`, under their names there. Any other method is added here, then its handler
 * in `src/backend/handlers.ts`.
 */
import { z } from 'zod';
import type { CodeTokens } from '../code-tokens.ts';
import { type Snippet, snippetsRequest } from '../detail.ts';
import type { EditorsHere } from '../editor-command.ts';
import type { FleetAnswer, FleetSetUp, FleetStatus } from '../fleet.ts';
import type { FolderListing, FoundRepositories, RecentRepository } from '../folders.ts';
import type { Revisions } from '../history.ts';
import type { StoredIndex } from '../indexing.ts';
import type { FetchedIssue, LinkOffer } from '../issue-link.ts';
import { type IssueRecord, type IssueSummary, issueSource } from '../issues.ts';
import {
  DEFAULT_TOKENS,
  LEAST_TOKENS,
  MAX_CHUNK_NAME,
  MAX_CODE,
  MAX_ISSUE,
  MAX_LINK,
  MAX_NOTE,
  MAX_PATH,
  MAX_PLACE,
  MAX_TOKEN,
  MAX_WORD,
  MOST_CHUNKS,
  MOST_RESULTS,
  MOST_TOKENS,
  MOST_WORDS,
} from '../limits.ts';
import { EXPORT_FORMATS, type ExportedList, type ImportedList } from '../lists.ts';
import type { FoundLink, PlacedLink } from '../locus-link.ts';
import { MARKS, type MarkedChunk, type MarksSet } from '../marks.ts';
import { MOST_POSTED, type Posted, type PostOffer } from '../post.ts';
import {
  mapQueries,
  QUERY_NAMES,
  type QueryName,
  type RequestOf,
  type ResponseOf,
  requestSchema,
  type ValidRequestOf,
} from '../queries.ts';
import type { OpenedRepository } from '../repository.ts';
import { type Settings, someSettings } from '../settings.ts';
import type { SharedIndexState } from '../shared-index.ts';
import type { Verification, VerifierPlan, VerifierState } from '../verifier.ts';
import type { LogTail } from './events.ts';

const repository = z.string().regex(/^[0-9a-f]{16}$/, 'not the id of an opened repository');
const issue = z.uuid();
const root = z.string().min(1).max(MAX_PATH);
/** A root, or several, see `placeOf`. */
const place = z.string().min(1).max(MAX_PLACE);
const chunk = z.string().min(1).max(MAX_CHUNK_NAME);
const text = z.string().max(MAX_ISSUE);

/** Anchors that one message may ask for. */
const MOST_ANCHORS = 100;

/** A query of an open repository. */
type QueryParams<Name extends QueryName> = z.ZodObject<{
  repository: typeof repository;
  request: z.ZodType<ValidRequestOf<Name>, RequestOf<Name>>;
}>;

const queries = mapQueries<{ [Name in QueryName]: QueryParams<Name> }>(QUERY_NAMES, (name) =>
  z.object({ repository, request: requestSchema(name) }),
);

type QueryResults = { [Name in QueryName]: ResponseOf<Name> };

export const params = {
  /** Folders in a folder of this machine, for hosts without a dialog of their own; null is where to begin. */
  'folders.list': z.object({ path: root.nullable().default(null) }),

  /** The repositories in a folder: working trees and bare ones, a few folders deep. */
  'folders.repositories': z.object({ path: root }),

  'recent.list': z.object({}),
  'recent.forget': z.object({ root: place }),
  /** The repository that was at `root` is at `to` now: issues and marks go with it. Answers its path without links. */
  'recent.relocate': z.object({ root, to: root }),

  /**
   * Opens a folder, one revision of a repository, or several folders (`placeOf`); the same one gets the same id. Indexing
   * begins at once. Of several, those that cannot be opened are told in `members`.
   */
  'repository.open': z.object({ root: place, revision: z.string().min(1).max(1000).optional() }),
  'repository.close': z.object({ repository }),
  /** The branch that its files are of; null for a commit, for several, and where there is none. */
  'repository.branch': z.object({ repository }),
  /** Branches, tags and commits that can be opened of it, and the one called `name`; null where there is no git. */
  'repository.revisions': z.object({ repository, name: z.string().max(1000).default('') }),
  /** Indexes in the data directory, the largest first. */
  'data.list': z.object({}),
  /** Removes an index; if its repository is open, it is indexed anew. Issues and marks stay. */
  'data.clear': z.object({
    index: z.string().regex(/^[\w.-]{1,40}-[0-9a-f]{12}$/, 'not the id of an index'),
  }),
  /** The end of the log, which holds nothing of what is worked on. */
  'log.tail': z.object({}),
  'index.pause': z.object({ repository }),
  'index.resume': z.object({ repository }),

  ...queries,
  /**
   * Answered with the refined list, or the first where there is no other. `run`: names it in the event `ranking`. A newer
   * search of the same window in the same repository supersedes it: this one then stops, and fails as `cancelled`.
   */
  search: queries.search.extend({ run: z.uuid().optional() }),
  /** A few at a time: each answer may have 200 chunks. */
  resolveAnchors: queries.resolveAnchors.refine(
    ({ request }) => request.anchors.length <= MOST_ANCHORS,
    `more than ${MOST_ANCHORS} anchors`,
  ),
  /** For each of these chunks the lines that have most of its words; null for one that is gone. */
  'chunks.snippets': z.object({ repository, chunks: snippetsRequest }),
  /**
   * Where a text has words, as the index reads both. `path`: of the file that the text is of, whose language may have
   * rules of its own; null for an issue.
   */
  'words.places': z.object({
    text: z.string().max(MAX_ISSUE),
    words: z.array(z.string().max(MAX_WORD)).max(MOST_WORDS),
    path: root.nullable().default(null),
  }),
  /** What the names in a text are; `path` tells its language. */
  'code.tokens': z.object({ path: root, text: z.string().max(MAX_CODE) }),
  /** Opens a file at a line in the editor of the settings, on the engine's machine; for hosts without a way of their own. */
  'editor.open': z.object({ repository, path: root, line: z.int().min(1) }),

  /** Editors that are installed on the engine's machine. */
  'editors.list': z.object({}),

  'list.export': z.object({
    repository,
    format: z.enum(EXPORT_FORMATS),
    request: requestSchema('search'),
    /** The issue whose marks and notes go along. */
    issue: issue.optional(),
    /** Keep only these of the results, in this order and under the ranks that the screen has; all when left out. */
    shown: z
      .array(z.object({ chunk, rank: z.int().min(1).nullable() }))
      .max(MOST_RESULTS)
      .optional(),
    /** Include the code (Markdown and JSON; a prompt has it always). */
    code: z.boolean().default(false),
    /** Include `locus://` links (Markdown; other formats have them always). */
    links: z.boolean().default(false),
    /** Of a prompt. */
    tokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).default(DEFAULT_TOKENS),
  }),
  /** Whether a `locus://` link is about a repository that was opened before. Opens nothing. */
  'link.find': z.object({ link: z.string().max(MAX_CHUNK_NAME) }),
  /** Where a link leads in an opened repository. */
  'link.place': z.object({ repository, link: z.string().max(MAX_CHUNK_NAME) }),
  /** The link to a chunk. */
  'link.make': z.object({ repository, chunk }),
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
   * an earlier one takes that one's place, and the answer has its id; `apart`: it stays one of its own. `source`: where it
   * was fetched from.
   */
  'issues.save': z.object({
    repository,
    issue,
    text,
    apart: z.boolean().default(false),
    source: issueSource.nullable().default(null),
  }),
  /** null: back to the title that its text has. */
  'issues.rename': z.object({ issue, name: z.string().min(1).max(200).nullable() }),
  'issues.pin': z.object({ issue, pinned: z.boolean() }),
  'issues.delete': z.object({ issue }),
  'issues.restore': z.object({ issue }),

  'marks.list': z.object({ repository, issue }),
  /**
   * Sets any number of marks at once. `mark: null` with an empty note takes the mark away. With `save`, the issue is saved
   * first, as by `issues.save`: what is marked in the last moment before a window closes is stored with one request.
   */
  'marks.set': z.object({
    repository,
    issue,
    save: z.object({ text, source: issueSource.nullable() }).optional(),
    marks: z
      .array(
        z.object({
          chunk,
          mark: z.enum(MARKS).nullable(),
          note: z.string().max(MAX_NOTE).default(''),
        }),
      )
      .min(1)
      .max(MOST_CHUNKS),
  }),

  /** Which fleet is set up. */
  'fleet.get': z.object({}),
  /**
   * Sets one up as `locus fleet use` does; null takes it back. `token`: null for none; left out, the one that is stored stays, if the
   * engine is the same.
   */
  'fleet.set': z.object({
    fleet: z
      .object({
        objects: z.string().trim().min(1, 'no place is given').max(2000),
        engine: z.string().trim().min(1, 'no engine is given').max(2000),
        token: z.string().max(MAX_TOKEN).nullable().optional(),
      })
      .nullable(),
  }),
  /** What became of the fleet's repositories, as its object storage says. */
  'fleet.status': z.object({}),
  /** Searches all of its repositories that the user may read: the words of the issue go to its engine. */
  'fleet.search': z.object({ request: requestSchema('search') }),
  /**
   * Clones a repository of the fleet into a folder of its name in `into`; one that is there and has its remote is answered as it
   * is. `run`: names it in the event `cloning`. Stops when the asker gives up, and leaves nothing behind then.
   */
  'fleet.clone': z.object({
    run: z.uuid(),
    name: z.string().min(1).max(2000),
    ref: z.string().max(255).nullable(),
    into: root,
  }),

  /** From where published indexes are taken, and what the last one brought. */
  'sharedIndex.get': z.object({}),
  /** Sets it up as `locus shared` does; `from: null` takes it back. */
  'sharedIndex.set': z.object({
    from: z.string().trim().min(1, 'no place is given').max(2000).nullable(),
    keys: z.array(z.string().max(200)).max(100),
  }),

  /** What fetching the issue would take that a text is a link to; null for any other text. Nothing is fetched. */
  'issueLink.offer': z.object({ repository, text: z.string().max(MAX_LINK) }),
  /** Fetches it. `host`: what the user agreed to for once, which must be that of the link; null where it was agreed to before. */
  'issueLink.fetch': z.object({
    repository,
    text: z.string().max(MAX_LINK),
    host: z.string().max(MAX_LINK).nullable(),
    comments: z.boolean().default(false),
  }),

  /** Whether `gh` is installed on the engine's machine. */
  'post.gh': z.object({}),
  /** The issue that a text stands for, with a ticket to post to it; fails where `gh` could not comment on it. Nothing is sent. */
  'post.target': z.object({ repository, issue: z.string().max(MAX_LINK) }),
  /** Comments with just this text on the issue of the ticket. Sent twice, it posts once, also when the engine was started again. */
  'post.run': z.object({ ticket: z.uuid(), text: z.string().min(1).max(MOST_POSTED) }),

  /** What `verifier.run` with this request would send; sends nothing. */
  'verifier.plan': z.object({ repository, request: requestSchema('search') }),
  /** Ranks anew and asks the verifier about the best chunks. `run`: names it in the event `verifying`. */
  'verifier.run': z.object({ repository, run: z.uuid(), request: requestSchema('search') }),
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

interface Results extends QueryResults {
  'folders.list': FolderListing;
  'folders.repositories': FoundRepositories;
  'recent.list': RecentRepository[];
  'recent.forget': null;
  'recent.relocate': { root: string };
  'repository.open': OpenedRepository;
  'repository.close': null;
  'repository.branch': string | null;
  'repository.revisions': Revisions | null;
  'data.list': StoredIndex[];
  'data.clear': null;
  'log.tail': LogTail;
  'index.pause': null;
  'index.resume': null;
  'chunks.snippets': (Snippet | null)[];
  /** `[start, end)` in UTF-16 units, in order; none overlap. */
  'words.places': [start: number, end: number][];
  'code.tokens': CodeTokens;
  /** The editor's name. */
  'editor.open': string;
  'editors.list': EditorsHere;
  'list.export': ExportedList;
  'list.import': ImportedList;
  'link.find': FoundLink;
  'link.place': PlacedLink;
  'link.make': string;
  'issues.list': IssueSummary[];
  'issues.get': IssueRecord;
  'issues.save': IssueSummary;
  'issues.rename': IssueSummary;
  'issues.pin': IssueSummary;
  'issues.delete': null;
  'issues.restore': IssueSummary;
  'marks.list': MarkedChunk[];
  'marks.set': MarksSet;
  'fleet.get': FleetSetUp;
  'fleet.set': FleetSetUp;
  'fleet.status': FleetStatus;
  'fleet.search': FleetAnswer;
  'fleet.clone': { root: string };
  'sharedIndex.get': SharedIndexState;
  'sharedIndex.set': SharedIndexState;
  'issueLink.offer': LinkOffer | null;
  'issueLink.fetch': FetchedIssue;
  'post.gh': boolean;
  'post.target': PostOffer;
  'post.run': Posted;
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
