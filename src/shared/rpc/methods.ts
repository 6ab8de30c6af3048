/**
 * Methods of the engine process, which serves several windows with several repositories. `params` has the schema of each
 * method's parameters and the type of its result. Queries come from the table in `queries.ts`, under the same names. To add
 * any other method, declare it here, then add its handler in `src/backend/handlers.ts`.
 */
import { z } from 'zod';
import {
  type CheckAccess,
  type CheckOutcome,
  type CheckPlan,
  type CheckTrial,
  type FoundModels,
  listCheck,
} from '../check.ts';
import type { CodeTokens } from '../code-tokens.ts';
import type { DeepLinkTarget, ResolvedDeepLink } from '../deep-link.ts';
import { type Snippet, snippetsRequest } from '../detail.ts';
import type { InstalledEditors } from '../editor-command.ts';
import type { FleetAnswer, FleetConfiguration, FleetStatus } from '../fleet.ts';
import type { FolderListing, RecentRepository, RepositoryListing } from '../folders.ts';
import type { Revisions } from '../history.ts';
import type { StoredIndex } from '../indexing.ts';
import type { InvestigationOutcome, InvestigationPlan } from '../investigate.ts';
import type { FetchedIssue, FetchOffer } from '../issue-url.ts';
import { type IssueRecord, type IssueSummary, issueSource } from '../issues.ts';
import * as limits from '../limits.ts';
import { EXPORT_FORMATS, type ExportedList, type ImportedList } from '../lists.ts';
import { MARKS, type MarkedChunk, type MarksResult } from '../marks.ts';
import { MAX_POSTED, type PostOffer, type PostResult } from '../post.ts';
import {
  mapQueries,
  QUERY_NAMES,
  type QueryName,
  type QueryRequest,
  type QueryResponse,
  requestSchema,
  type ValidQueryRequest,
} from '../queries.ts';
import type { OpenedRepository } from '../repository.ts';
import { issueText } from '../search.ts';
import { type Settings, someSettings } from '../settings.ts';
import type { SharedIndexState } from '../shared-index.ts';
import type { UpdateAnswer, UpdateOffer } from '../updates.ts';
import type { LogTail } from './events.ts';
import type { Handlers } from './server.ts';

const repository = z.string().regex(/^[0-9a-f]{16}$/, 'not the id of an opened repository');
const issue = z.uuid();
const root = z.string().min(1).max(limits.MAX_PATH);
/** A repository's root or an encoded workspace, see `encodeWorkspace`. */
const rootOrWorkspace = z.string().min(1).max(limits.MAX_ROOT);
const chunk = z.string().min(1).max(limits.MAX_CHUNK_NAME);

const apiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,1000}$/, 'not an API key: only visible ASCII characters are allowed');

/** Maximum number of anchors in one request. */
const MAX_ANCHORS = 100;

type QueryParams<Name extends QueryName> = z.ZodObject<{
  repository: typeof repository;
  request: z.ZodType<ValidQueryRequest<Name>, QueryRequest<Name>>;
}>;

const queries = mapQueries<{ [Name in QueryName]: QueryParams<Name> }>(QUERY_NAMES, (name) =>
  z.object({ repository, request: requestSchema(name) }),
);

declare const RESULT: unique symbol;

/** Carries the type of a method's result. The property does not exist at run time. */
interface Answered<Result> {
  [RESULT]: Result;
}

/** Declares a method: first the type of its result, then its parameters. */
const answers =
  <Result>() =>
  <Shape extends z.ZodRawShape>(shape: Shape) =>
    z.object(shape) as z.ZodObject<Shape> & Answered<Result>;

export const params = {
  /** Lists the folders in a folder of this machine, for hosts without a folder dialog. Null is the starting folder. */
  'folders.list': answers<FolderListing>()({ path: root.nullable().default(null) }),

  /** Finds the repositories in a folder, a few levels deep: working trees and bare repositories. */
  'folders.repositories': answers<RepositoryListing>()({ path: root }),

  'recent.list': answers<RecentRepository[]>()({}),
  'recent.forget': answers<null>()({ root: rootOrWorkspace }),
  /** Moves the issues and marks of a repository that was moved from `root` to `to`. Returns its real path. */
  'recent.relocate': answers<{ root: string }>()({ root, to: root }),

  /**
   * Opens a folder, a revision of a repository, or a workspace (`encodeWorkspace`), and starts indexing it. Opening the same
   * one again returns the same id. Repositories of a workspace that cannot be opened are reported in `members`.
   */
  'repository.open': answers<OpenedRepository>()({
    root: rootOrWorkspace,
    revision: z.string().min(1).max(1000).optional(),
  }),
  'repository.close': answers<null>()({ repository }),
  /** Returns the checked-out branch; null for a commit, a workspace, or a folder without a branch. */
  'repository.branch': answers<string | null>()({ repository }),
  /** Returns branches, tags and commits that can be opened, and the one called `name`; null without a git repository. */
  'repository.revisions': answers<Revisions | null>()({
    repository,
    name: z.string().max(1000).default(''),
  }),
  /** Lists the indexes in the data directory, largest first. */
  'data.list': answers<StoredIndex[]>()({}),
  /** Removes an index, but not issues and marks. An open repository is indexed again. */
  'data.clear': answers<null>()({
    index: z.string().regex(/^[\w.-]{1,40}-[0-9a-f]{12}$/, 'not the id of an index'),
  }),
  /** Returns the end of the log, which contains no code, issues or paths. */
  'log.tail': answers<LogTail>()({}),
  'index.pause': answers<null>()({ repository }),
  'index.resume': answers<null>()({ repository }),

  ...queries,
  /**
   * Returns the reranked list, or the initial ranking if it is not reranked. `run` identifies the search in the event
   * `ranking`. A newer search by the same window in the same repository makes this one fail with `cancelled`.
   */
  search: queries.search.extend({ run: z.uuid().optional() }),
  /** Limited to a few anchors at a time, since the answer to each may contain 200 chunks. */
  resolveAnchors: queries.resolveAnchors.refine(
    ({ request }) => request.anchors.length <= MAX_ANCHORS,
    `more than ${MAX_ANCHORS} anchors`,
  ),
  /** Returns for each chunk the lines that contain most of its words; null for a missing chunk. */
  'chunks.snippets': answers<(Snippet | null)[]>()({ repository, chunks: snippetsRequest }),
  /**
   * Finds words in a text, normalized as in the index. `path`: path of the text's file, since languages have their own rules; null
   * for an issue. Returns `[start, end)` in UTF-16 units, in order and without overlaps.
   */
  'words.ranges': answers<[start: number, end: number][]>()({
    text: issueText,
    words: z.array(z.string().max(limits.MAX_WORD)).max(limits.MAX_WORDS),
    path: root.nullable().default(null),
  }),
  /** Classifies the names in a text. `path` determines its language. */
  'code.tokens': answers<CodeTokens>()({ path: root, text: z.string().max(limits.MAX_CODE) }),
  /**
   * Opens a file at a line in the configured editor on the engine's machine, for hosts that cannot do so themselves. Returns
   * the editor's name.
   */
  'editor.open': answers<string>()({ repository, path: root, line: z.int().min(1) }),

  'editors.list': answers<InstalledEditors>()({}),

  'list.export': answers<ExportedList>()({
    repository,
    format: z.enum(EXPORT_FORMATS),
    request: requestSchema('search'),
    /** Issue whose marks and notes are included. */
    issue: issue.optional(),
    /** Results to include, in this order and with these ranks; all by default. */
    shown: z
      .array(z.object({ chunk, rank: z.int().min(1).nullable() }))
      .max(limits.MAX_RESULTS)
      .optional(),
    /** Check of the list as it is shown; missing if the list was not checked. */
    check: listCheck.optional(),
    /** True to include the code in Markdown and JSON; a prompt always includes it. */
    code: z.boolean().default(false),
    /** True to include deep links in Markdown; other formats always include them. */
    links: z.boolean().default(false),
    /** Token budget of a prompt. */
    tokens: z.int().min(limits.MIN_TOKENS).max(limits.MAX_TOKENS).default(limits.DEFAULT_TOKENS),
  }),
  /** Finds the folder of a deep link's repository, if it was opened before. Opens nothing. */
  'link.find': answers<DeepLinkTarget>()({ link: z.string().max(limits.MAX_CHUNK_NAME) }),
  /** Resolves a deep link in an open repository. */
  'link.place': answers<ResolvedDeepLink>()({
    repository,
    link: z.string().max(limits.MAX_CHUNK_NAME),
  }),
  'link.make': answers<string>()({ repository, chunk }),
  /** Imports a list. `text`: content of the JSON file. `name`: name of the file in errors. */
  'list.import': answers<ImportedList>()({
    repository,
    name: z.string().max(1000),
    text: z.string(),
  }),

  /** Lists issues, pinned ones first, then the latest. `query` filters by words in name and text. */
  'issues.list': answers<IssueSummary[]>()({
    repository,
    query: z.string().max(1000).default(''),
    deleted: z.boolean().default(false),
    limit: z.int().min(1).max(1000).default(200),
  }),
  'issues.get': answers<IssueRecord>()({ issue }),
  /**
   * Creates the issue with the id that the caller chose, or replaces its text. If a new issue is a version of an earlier one,
   * it replaces that one and the result has the earlier id, unless `separate` is true. `source`: the page that it was fetched from.
   */
  'issues.save': answers<IssueSummary>()({
    repository,
    issue,
    text: issueText,
    separate: z.boolean().default(false),
    source: issueSource.nullable().default(null),
  }),
  /** Renames an issue. Null restores the title from its text. */
  'issues.rename': answers<IssueSummary>()({ issue, name: z.string().min(1).max(200).nullable() }),
  'issues.pin': answers<IssueSummary>()({ issue, pinned: z.boolean() }),
  'issues.delete': answers<null>()({ issue }),
  'issues.restore': answers<IssueSummary>()({ issue }),

  'marks.list': answers<MarkedChunk[]>()({ repository, issue }),
  /**
   * Sets marks. `mark: null` with an empty note removes a mark. With `save`, the issue is saved first, as by `issues.save`, so
   * that marks set just before a window closes need only one request.
   */
  'marks.set': answers<MarksResult>()({
    repository,
    issue,
    save: z.object({ text: issueText, source: issueSource.nullable() }).optional(),
    marks: z
      .array(
        z.object({
          chunk,
          mark: z.enum(MARKS).nullable(),
          note: z.string().max(limits.MAX_NOTE).default(''),
        }),
      )
      .min(1)
      .max(limits.MAX_CHUNKS),
  }),

  'fleet.get': answers<FleetConfiguration>()({}),
  /**
   * Configures the fleet as `locus fleet use` does; null removes it. `token`: null for none. If it is undefined, the stored token
   * is kept, provided that the engine is the same.
   */
  'fleet.set': answers<FleetConfiguration>()({
    fleet: z
      .object({
        objects: z.string().trim().min(1, 'no location was entered').max(2000),
        engine: z.string().trim().min(1, 'no Milvus address was entered').max(2000),
        token: z.string().max(limits.MAX_TOKEN).nullable().optional(),
      })
      .nullable(),
  }),
  /** Returns the state of the fleet's repositories from its object storage. */
  'fleet.status': answers<FleetStatus>()({}),
  /** Searches all repositories of the fleet that the user may read. Sends the issue's words to the fleet's engine. */
  'fleet.search': answers<FleetAnswer>()({ request: requestSchema('search') }),
  /**
   * Clones a repository of the fleet into a folder with its name in `into`. A folder that exists and has the same remote is
   * returned unchanged. `run` identifies the clone in the event `cloning`. Cancelling it leaves no files behind.
   */
  'fleet.clone': answers<{ root: string }>()({
    run: z.uuid(),
    name: z.string().min(1).max(2000),
    ref: z.string().max(255).nullable(),
    into: root,
  }),

  /** Returns the source of shared indexes and the last download. */
  'sharedIndex.get': answers<SharedIndexState>()({}),
  /** Configures shared indexes as `locus shared` does; `from: null` removes the configuration. */
  'sharedIndex.set': answers<SharedIndexState>()({
    from: z.string().trim().min(1, 'no location was entered').max(2000).nullable(),
    keys: z.array(z.string().max(200)).max(100),
  }),

  /** Offers to fetch the issue of an issue URL; null for any other text. Nothing is fetched. */
  'issueLink.offer': answers<FetchOffer | null>()({
    repository,
    text: z.string().max(limits.MAX_LINK),
  }),
  /** Fetches an issue. `host`: the URL's host, if the user consented to it once; null if the user consented earlier. */
  'issueLink.fetch': answers<FetchedIssue>()({
    repository,
    text: z.string().max(limits.MAX_LINK),
    host: z.string().max(limits.MAX_LINK).nullable(),
    comments: z.boolean().default(false),
  }),

  /** Returns what `update.check` would ask. Sends nothing. */
  'update.offer': answers<UpdateOffer>()({}),
  /** Asks the registry of npm once for the newest version. `host`: the host that the user agreed to. */
  'update.check': answers<UpdateAnswer>()({ host: z.string().max(limits.MAX_LINK) }),

  /** Returns true if `gh` is installed on the engine's machine. */
  'post.gh': answers<boolean>()({}),
  /** Resolves an issue URL or reference, and returns a ticket to post to it. Fails if `gh` cannot comment there. Sends nothing. */
  'post.target': answers<PostOffer>()({ repository, issue: z.string().max(limits.MAX_LINK) }),
  /** Posts the text as a comment on the ticket's issue. A repeated request posts once, even after a restart of the engine. */
  'post.run': answers<PostResult>()({ ticket: z.uuid(), text: z.string().min(1).max(MAX_POSTED) }),

  /** Returns what `check.run` with this request would send. Sends nothing. */
  'check.plan': answers<CheckPlan>()({ repository, request: requestSchema('search') }),
  /** Searches again and asks the check about the first results. `run` identifies it in the event `checking`. */
  'check.run': answers<CheckOutcome>()({
    repository,
    run: z.uuid(),
    request: requestSchema('search'),
  }),
  /** Returns the source of an address's key, and the repositories with consent to send code there. Never the key itself. */
  'check.state': answers<CheckAccess>()({ address: z.string().max(2000) }),
  'check.key': answers<CheckAccess>()({ address: z.string().max(2000), key: apiKey.nullable() }),
  /**
   * Stores the user's consent to send code of this repository to this address. For a workspace, `roots` are the folders of the
   * repositories that the user agreed to.
   */
  'check.agree': answers<null>()({
    repository,
    address: z.string().max(2000),
    roots: z.array(root).max(limits.MAX_REPOSITORIES).optional(),
  }),
  /** Returns the latest check of an issue, matched with the code as it is now; null without one. Sends nothing. */
  'check.stored': answers<CheckOutcome | null>()({ repository, issue: issueText }),
  /** Removes the stored check of an issue. */
  'check.forget': answers<null>()({ repository, issue: issueText }),
  /** Removes all consents for this address. */
  'check.withdraw': answers<CheckAccess>()({ address: z.string().max(2000) }),
  /** Finds language models on the engine's machine. Asks ports of that machine only, and runs nothing. */
  'check.find': answers<FoundModels>()({}),
  /** Asks a model about the sample, of which only invented code is sent. `key`: null for the stored one. Saves nothing. */
  'check.try': answers<CheckTrial>()({
    address: z.string().max(2000),
    model: z.string().max(300),
    key: apiKey.nullable(),
  }),

  /** Returns what `investigate.run` with this request would do. Starts no agent. */
  'investigate.plan': answers<InvestigationPlan>()({
    repository,
    request: requestSchema('search'),
  }),
  /** Searches again and lets the agent of the check investigate. `run` identifies it in the event `investigating`. */
  'investigate.run': answers<InvestigationOutcome>()({
    repository,
    run: z.uuid(),
    request: requestSchema('search'),
  }),
  /** Stores the user's consent that the agent reads this repository and, if `trusted`, that it runs without a sandbox. */
  'investigate.agree': answers<null>()({ repository, trusted: z.boolean() }),

  'settings.get': answers<Settings>()({}),
  'settings.set': someSettings as typeof someSettings & Answered<Settings>,
};

type ResultOf<Name extends keyof typeof params> = Name extends QueryName
  ? QueryResponse<Name>
  : (typeof params)[Name] extends Answered<infer Result>
    ? Result
    : never;

export type EngineMethods = {
  [Name in keyof typeof params]: { params: z.input<(typeof params)[Name]>; result: ResultOf<Name> };
};

/** Handlers of the methods of a group: `fleet` has `fleet.get` and others. */
export type EngineHandlers<Group extends string> = Pick<
  Handlers<typeof params, EngineMethods>,
  Extract<keyof typeof params, `${Group}.${string}`>
>;
