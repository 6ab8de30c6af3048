/**
 * What the app's windows may ask of the engine process, which keeps several repositories open for several windows.
 * `params` holds the schema that each request is validated with, and the type of its answer. The queries of an open repository come
 * from the table in `queries.ts`, under their names there. Any other method is added here, then its handler in `src/backend/handlers.ts`.
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
import * as limits from '../limits.ts';
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
import type { Handlers } from './server.ts';

const repository = z.string().regex(/^[0-9a-f]{16}$/, 'not the id of an opened repository');
const issue = z.uuid();
const root = z.string().min(1).max(limits.MAX_PATH);
/** A root, or several, see `placeOf`. */
const place = z.string().min(1).max(limits.MAX_PLACE);
const chunk = z.string().min(1).max(limits.MAX_CHUNK_NAME);
const text = z.string().max(limits.MAX_ISSUE);

/** Anchors that one message may ask for. */
const MOST_ANCHORS = 100;

type QueryParams<Name extends QueryName> = z.ZodObject<{
  repository: typeof repository;
  request: z.ZodType<ValidRequestOf<Name>, RequestOf<Name>>;
}>;

const queries = mapQueries<{ [Name in QueryName]: QueryParams<Name> }>(QUERY_NAMES, (name) =>
  z.object({ repository, request: requestSchema(name) }),
);

declare const RESULT: unique symbol;

/** The type of a method's answer. There is no such property. */
interface Answered<Result> {
  [RESULT]: Result;
}

/** Declares a method with the type of its answer, then its parameters. */
const answers =
  <Result>() =>
  <Shape extends z.ZodRawShape>(shape: Shape) =>
    z.object(shape) as z.ZodObject<Shape> & Answered<Result>;

export const params = {
  /** Folders in a folder of this machine, for hosts without a dialog of their own; null is where to begin. */
  'folders.list': answers<FolderListing>()({ path: root.nullable().default(null) }),

  /** The repositories in a folder: working trees and bare ones, a few folders deep. */
  'folders.repositories': answers<FoundRepositories>()({ path: root }),

  'recent.list': answers<RecentRepository[]>()({}),
  'recent.forget': answers<null>()({ root: place }),
  /** The repository that was at `root` is at `to` now: issues and marks go with it. Answers its path without links. */
  'recent.relocate': answers<{ root: string }>()({ root, to: root }),

  /**
   * Opens a folder, one revision of a repository, or several folders (`placeOf`); the same one gets the same id. Indexing
   * begins at once. Of several, those that cannot be opened are told in `members`.
   */
  'repository.open': answers<OpenedRepository>()({
    root: place,
    revision: z.string().min(1).max(1000).optional(),
  }),
  'repository.close': answers<null>()({ repository }),
  /** The branch that its files are of; null for a commit, for several, and where there is none. */
  'repository.branch': answers<string | null>()({ repository }),
  /** Branches, tags and commits that can be opened of it, and the one called `name`; null where there is no git. */
  'repository.revisions': answers<Revisions | null>()({
    repository,
    name: z.string().max(1000).default(''),
  }),
  /** Indexes in the data directory, the largest first. */
  'data.list': answers<StoredIndex[]>()({}),
  /** Removes an index; if its repository is open, it is indexed anew. Issues and marks stay. */
  'data.clear': answers<null>()({
    index: z.string().regex(/^[\w.-]{1,40}-[0-9a-f]{12}$/, 'not the id of an index'),
  }),
  /** The end of the log, which holds nothing of what is worked on. */
  'log.tail': answers<LogTail>()({}),
  'index.pause': answers<null>()({ repository }),
  'index.resume': answers<null>()({ repository }),

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
  'chunks.snippets': answers<(Snippet | null)[]>()({ repository, chunks: snippetsRequest }),
  /**
   * Where a text has words, as the index reads both. `path`: of the file that the text is of, whose language may have
   * rules of its own; null for an issue. Answers `[start, end)` in UTF-16 units, in order; none overlap.
   */
  'words.places': answers<[start: number, end: number][]>()({
    text: z.string().max(limits.MAX_ISSUE),
    words: z.array(z.string().max(limits.MAX_WORD)).max(limits.MOST_WORDS),
    path: root.nullable().default(null),
  }),
  /** What the names in a text are; `path` tells its language. */
  'code.tokens': answers<CodeTokens>()({ path: root, text: z.string().max(limits.MAX_CODE) }),
  /**
   * Opens a file at a line in the editor of the settings, on the engine's machine; for hosts without a way of their own. Answers
   * the editor's name.
   */
  'editor.open': answers<string>()({ repository, path: root, line: z.int().min(1) }),

  'editors.list': answers<EditorsHere>()({}),

  'list.export': answers<ExportedList>()({
    repository,
    format: z.enum(EXPORT_FORMATS),
    request: requestSchema('search'),
    /** The issue whose marks and notes go along. */
    issue: issue.optional(),
    /** Keep only these of the results, in this order and under the ranks that the screen has; all when left out. */
    shown: z
      .array(z.object({ chunk, rank: z.int().min(1).nullable() }))
      .max(limits.MOST_RESULTS)
      .optional(),
    /** Include the code (Markdown and JSON; a prompt has it always). */
    code: z.boolean().default(false),
    /** Include `locus://` links (Markdown; other formats have them always). */
    links: z.boolean().default(false),
    /** Of a prompt. */
    tokens: z.int().min(limits.LEAST_TOKENS).max(limits.MOST_TOKENS).default(limits.DEFAULT_TOKENS),
  }),
  /** Whether a `locus://` link is about a repository that was opened before. Opens nothing. */
  'link.find': answers<FoundLink>()({ link: z.string().max(limits.MAX_CHUNK_NAME) }),
  /** Where a link leads in an opened repository. */
  'link.place': answers<PlacedLink>()({ repository, link: z.string().max(limits.MAX_CHUNK_NAME) }),
  'link.make': answers<string>()({ repository, chunk }),
  /** `text`: the content of a list file in JSON; `name`: what to call it in errors. */
  'list.import': answers<ImportedList>()({
    repository,
    name: z.string().max(1000),
    text: z.string(),
  }),

  /** Pinned ones first, then the latest; `query` filters by words in name and text. */
  'issues.list': answers<IssueSummary[]>()({
    repository,
    query: z.string().max(1000).default(''),
    deleted: z.boolean().default(false),
    limit: z.int().min(1).max(1000).default(200),
  }),
  'issues.get': answers<IssueRecord>()({ issue }),
  /**
   * Creates the issue under the id that the caller chose, or replaces its text. A new one that is another version of
   * an earlier one takes that one's place, and the answer has its id; `apart`: it stays one of its own. `source`: where it
   * was fetched from.
   */
  'issues.save': answers<IssueSummary>()({
    repository,
    issue,
    text,
    apart: z.boolean().default(false),
    source: issueSource.nullable().default(null),
  }),
  /** null: back to the title that its text has. */
  'issues.rename': answers<IssueSummary>()({ issue, name: z.string().min(1).max(200).nullable() }),
  'issues.pin': answers<IssueSummary>()({ issue, pinned: z.boolean() }),
  'issues.delete': answers<null>()({ issue }),
  'issues.restore': answers<IssueSummary>()({ issue }),

  'marks.list': answers<MarkedChunk[]>()({ repository, issue }),
  /**
   * Sets any number of marks at once. `mark: null` with an empty note takes the mark away. With `save`, the issue is saved
   * first, as by `issues.save`: what is marked in the last moment before a window closes is stored with one request.
   */
  'marks.set': answers<MarksSet>()({
    repository,
    issue,
    save: z.object({ text, source: issueSource.nullable() }).optional(),
    marks: z
      .array(
        z.object({
          chunk,
          mark: z.enum(MARKS).nullable(),
          note: z.string().max(limits.MAX_NOTE).default(''),
        }),
      )
      .min(1)
      .max(limits.MOST_CHUNKS),
  }),

  'fleet.get': answers<FleetSetUp>()({}),
  /**
   * Sets one up as `locus fleet use` does; null takes it back. `token`: null for none; left out, the one that is stored stays, if the
   * engine is the same.
   */
  'fleet.set': answers<FleetSetUp>()({
    fleet: z
      .object({
        objects: z.string().trim().min(1, 'no place is given').max(2000),
        engine: z.string().trim().min(1, 'no engine is given').max(2000),
        token: z.string().max(limits.MAX_TOKEN).nullable().optional(),
      })
      .nullable(),
  }),
  /** What became of the fleet's repositories, as its object storage says. */
  'fleet.status': answers<FleetStatus>()({}),
  /** Searches all of its repositories that the user may read: the words of the issue go to its engine. */
  'fleet.search': answers<FleetAnswer>()({ request: requestSchema('search') }),
  /**
   * Clones a repository of the fleet into a folder of its name in `into`; one that is there and has its remote is answered as it
   * is. `run`: names it in the event `cloning`. Stops when the asker gives up, and leaves nothing behind then.
   */
  'fleet.clone': answers<{ root: string }>()({
    run: z.uuid(),
    name: z.string().min(1).max(2000),
    ref: z.string().max(255).nullable(),
    into: root,
  }),

  /** From where published indexes are taken, and what the last one brought. */
  'sharedIndex.get': answers<SharedIndexState>()({}),
  /** Sets it up as `locus shared` does; `from: null` takes it back. */
  'sharedIndex.set': answers<SharedIndexState>()({
    from: z.string().trim().min(1, 'no place is given').max(2000).nullable(),
    keys: z.array(z.string().max(200)).max(100),
  }),

  /** What fetching the issue would take that a text is a link to; null for any other text. Nothing is fetched. */
  'issueLink.offer': answers<LinkOffer | null>()({
    repository,
    text: z.string().max(limits.MAX_LINK),
  }),
  /** Fetches it. `host`: what the user agreed to for once, which must be that of the link; null where it was agreed to before. */
  'issueLink.fetch': answers<FetchedIssue>()({
    repository,
    text: z.string().max(limits.MAX_LINK),
    host: z.string().max(limits.MAX_LINK).nullable(),
    comments: z.boolean().default(false),
  }),

  /** Whether `gh` is installed on the engine's machine. */
  'post.gh': answers<boolean>()({}),
  /** The issue that a text stands for, with a ticket to post to it; fails where `gh` could not comment on it. Nothing is sent. */
  'post.target': answers<PostOffer>()({ repository, issue: z.string().max(limits.MAX_LINK) }),
  /** Comments with just this text on the issue of the ticket. Sent twice, it posts once, also when the engine was started again. */
  'post.run': answers<Posted>()({ ticket: z.uuid(), text: z.string().min(1).max(MOST_POSTED) }),

  /** What `verifier.run` with this request would send; sends nothing. */
  'verifier.plan': answers<VerifierPlan>()({ repository, request: requestSchema('search') }),
  /** Ranks anew and asks the verifier about the best chunks. `run`: names it in the event `verifying`. */
  'verifier.run': answers<Verification>()({
    repository,
    run: z.uuid(),
    request: requestSchema('search'),
  }),
  /** Whether there is a key for an address, and for which repositories sending is agreed to. Never the key itself. */
  'verifier.state': answers<VerifierState>()({ address: z.string().max(2000) }),
  'verifier.key': answers<VerifierState>()({
    address: z.string().max(2000),
    key: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,1000}$/, 'not an API key: it may hold visible ASCII characters only')
      .nullable(),
  }),
  /** Remembers that code of this repository may be sent to this address. */
  'verifier.agree': answers<null>()({ repository, address: z.string().max(2000) }),
  /** Asks anew before code of any repository is sent to this address. */
  'verifier.withdraw': answers<VerifierState>()({ address: z.string().max(2000) }),

  'settings.get': answers<Settings>()({}),
  'settings.set': someSettings as typeof someSettings & Answered<Settings>,
};

type ResultOf<Name extends keyof typeof params> = Name extends QueryName
  ? ResponseOf<Name>
  : (typeof params)[Name] extends Answered<infer Result>
    ? Result
    : never;

export type EngineMethods = {
  [Name in keyof typeof params]: { params: z.input<(typeof params)[Name]>; result: ResultOf<Name> };
};

/** The handlers of the methods whose names begin so: `fleet` has `fleet.get` and others. */
export type EngineHandlers<Group extends string> = Pick<
  Handlers<typeof params, EngineMethods>,
  Extract<keyof typeof params, `${Group}.${string}`>
>;
