/**
 * Checks who may read which repositories of a fleet. A search sees only what the caller may read. Each host is asked with the
 * caller's own token, by its published API. Access is granted only by an answer that names the repository and says that its code
 * may be read.
 */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../base/environment.ts';
import { isRedirect } from '../../base/http.ts';
import type { JsonAnswer } from '../../base/json-client.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { isCancelled, LocusError } from '../../shared/errors.ts';
import { type CodeHostKind, isExposed } from '../../shared/issue-url.ts';
import { parseRemote, type RemoteUrl } from '../../shared/remote-url.ts';
import { CodeHostClient } from '../issue-urls/client.ts';
import { CODE_HOSTS } from '../issue-urls/code-hosts.ts';
import { findToken } from '../issue-urls/tokens.ts';
import type { FleetEntry } from './catalog.ts';
import { canReadRepository } from './folder-access.ts';

/** Milliseconds for which an answer is cached, counted from before the host is asked. */
const CACHED_MS = 5 * 60_000;
/** Maximum number of pages that are read from a host's list of what a token may read. */
const MAX_PAGES = 600;
/** Maximum number of repositories that are asked about one by one: those not on a host's list, such as public ones. */
const MAX_SINGLY = 300;
const MAX_AT_ONCE = 8;
/** Default limit in milliseconds for all requests to a host together. */
const DEFAULT_LIMIT_MS = 60_000;

interface AnsweredRepository {
  /** `owner/name`, in lower case. */
  path: string;
  isPublic: boolean;
  /** True if the answer says that the caller may read the code. */
  mayRead: boolean;
}

/** Paths in the API of one kind of code host. See `CodeHost`. */
interface AccessApi {
  /** Path of a page, from 1, of the list of what a token may read. All pages but the last are full. */
  list(page: number): string;
  perPage: number;
  /** Path of one repository. */
  one(path: string): string;
  /** Path of the branches, on hosts that show a repository also to people who may not read its code; null if `one` is enough. */
  branches: ((path: string) => string) | null;
  repository: z.ZodType<AnsweredRepository>;
}

/** Repository name in lower case. Names are ASCII, so that no other letter becomes ASCII in lower case. */
const fullName = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/)
  .toLowerCase();

/** Answer of GitHub and Gitea. GitHub only includes permissions for an authenticated caller. */
const withPermissions = z
  .object({
    full_name: fullName,
    private: z.boolean(),
    internal: z.boolean().nullish(),
    visibility: z.string().nullish(),
    permissions: z.object({ pull: z.boolean() }).nullish(),
  })
  .transform(({ full_name, private: isPrivate, internal, visibility, permissions }) => {
    const isPublic = !isPrivate && !internal && (visibility ?? 'public') === 'public';
    return { path: full_name, isPublic, mayRead: permissions?.pull ?? isPublic };
  });

/** Answer of GitLab, which includes the default branch only for callers who may read the code. */
const withDefaultBranch = z
  .object({
    path_with_namespace: fullName,
    visibility: z.string().nullish(),
    default_branch: z.string().nullish(),
  })
  .transform(({ path_with_namespace, visibility, default_branch }) => ({
    path: path_with_namespace,
    isPublic: (visibility ?? 'public') === 'public',
    mayRead: typeof default_branch === 'string' && default_branch !== '',
  }));

const commitId = z.string().regex(/^[0-9a-f]{40,64}$/);
const commit = z.union([z.object({ id: commitId }), z.object({ sha: commitId })]);
const branches = z.array(z.object({ name: z.string(), commit }));

const APIS: Readonly<Record<CodeHostKind, AccessApi>> = {
  // https://docs.github.com/en/rest/repos/repos: a repository without access looks like one that does not exist.
  github: {
    list: (page) => `/user/repos?per_page=100&page=${page}`,
    perPage: 100,
    one: (path) => `/repos/${path}`,
    branches: null,
    repository: withPermissions,
  },
  // https://docs.gitlab.com/api/projects/: guests can see a project without access to its code.
  gitlab: {
    list: (page) =>
      `/projects?membership=true&min_access_level=20&simple=true&per_page=100&page=${page}`,
    perPage: 100,
    one: (path) => `/projects/${encodeURIComponent(path)}`,
    branches: (path) => `/projects/${encodeURIComponent(path)}/repository/branches?per_page=1`,
    repository: withDefaultBranch,
  },
  // https://docs.gitea.com/api/: a team can see a repository without access to its code.
  gitea: {
    list: (page) => `/user/repos?limit=50&page=${page}`,
    perPage: 50,
    one: (path) => `/repos/${path}`,
    branches: (path) => `/repos/${path}/branches?limit=1`,
    repository: withPermissions,
  },
};

const getOrigin = ({ scheme, host }: RemoteUrl): string => `${scheme}://${host}`;

interface HostedRepository {
  key: string;
  remote: RemoteUrl;
  forge: CodeHostKind;
}

export interface AccessCheckerOptions {
  /** Returns the monotonic clock and the wall clock, in milliseconds. */
  clocks?: Clocks;
  /** Limit in milliseconds for all requests to a host together. */
  milliseconds?: number;
}

type Clocks = () => readonly [monotonic: number, wall: number];

const systemClocks: Clocks = () => [performance.now(), Date.now()];

/** Asks hosts which repositories the caller may read. Caches answers for five minutes, or until the token changes. */
export class AccessChecker {
  readonly #hosts = new Map<string, CallerCache>();
  readonly #env: Environment;
  readonly #clocks: Clocks;
  readonly #milliseconds: number;

  constructor(
    env: Environment,
    { clocks = systemClocks, milliseconds = DEFAULT_LIMIT_MS }: AccessCheckerOptions = {},
  ) {
    this.#env = env;
    this.#clocks = clocks;
    this.#milliseconds = milliseconds;
  }

  /** Returns the repositories that the caller may read. Problems with a host become notes; they are not thrown. */
  async findReadable(
    entries: ReadonlyMap<string, FleetEntry>,
    signal?: AbortSignal,
  ): Promise<{ keys: Set<string>; notes: string[] }> {
    const notes: string[] = [];
    const folders: [key: string, folder: string][] = [];
    const hosted: HostedRepository[] = [];
    for (const [key, { url, forge }] of entries) {
      const remote = isAbsolute(url) ? null : parseRemote(url);
      if (isAbsolute(url)) folders.push([key, url]);
      else if (remote && forge) hosted.push({ key, remote, forge });
    }
    const unknown = entries.size - folders.length - hosted.length;
    if (unknown > 0) notes.push(`${unknown} repositories are omitted: their code host is unknown.`);
    const readable = await mapConcurrently(folders, async ([key, folder]) =>
      (await canReadRepository(folder)) ? [key] : [],
    );
    const keys = new Set(readable.flat());
    const hosts = Map.groupBy(hosted, ({ forge, remote }) => `${forge} ${getOrigin(remote)}`);
    for (const [host, repositories] of hosts) {
      try {
        const found = await this.#findReadableOn(host, repositories, notes, signal);
        for (const key of found) keys.add(key);
      } catch (error) {
        if (!(error instanceof LocusError) || isCancelled(error)) throw error;
        notes.push(
          `Repositories on ${getOrigin(assertPresent(repositories[0], 'a repository of a host').remote)} are omitted: it does not say who may read them (${error.code}).`,
        );
      }
    }
    return { keys, notes };
  }

  async #findReadableOn(
    name: string,
    repositories: readonly HostedRepository[],
    notes: string[],
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const { forge, remote } = assertPresent(repositories[0], 'a repository of a host');
    const origin = getOrigin(remote);
    if (isExposed({ origin })) {
      notes.push(
        `Repositories on ${origin} are omitted: the connection is not encrypted, so its answers cannot be trusted.`,
      );
      return [];
    }
    const token = (await findToken(forge, { origin }, this.#env))?.value ?? null;
    const host = new Host(forge, origin, token, { signal, milliseconds: this.#milliseconds });
    const cache = this.#getCache(name, token);
    const listed =
      token === null ? new Set<string>() : await cache.lists.get('', () => host.list());
    const onList = ({ remote: { path } }: HostedRepository) => listed.has(path.toLowerCase());
    const others = repositories.filter((one) => !onList(one));
    if (others.length > MAX_SINGLY)
      notes.push(
        `Some repositories on ${remote.host} are omitted: ${others.length} are not on the list of repositories that you may read, and only ${MAX_SINGLY} of them were checked.`,
      );
    const asked = await mapConcurrently(others.slice(0, MAX_SINGLY), async ({ key, remote }) => ({
      key,
      access: await cache.answers.get(remote.path, () => host.ask(remote.path)),
    }));
    const moved = asked.filter(({ access }) => access === 'moved').length;
    if (moved > 0)
      notes.push(
        `${moved} repositories on ${remote.host} are omitted: it redirects them. If they were renamed, add them by their new addresses. If you have to sign in, set a token for the host.`,
      );
    const granted = asked.filter(({ access }) => access === 'granted');
    return [...repositories.filter(onList), ...granted].map(({ key }) => key);
  }

  /** Returns the cache of a host's answers to this token. Answers to other tokens are dropped. */
  #getCache(host: string, token: string | null): CallerCache {
    const caller = createHash('sha256').update(JSON.stringify(token)).digest('hex');
    const before = this.#hosts.get(host);
    if (before?.caller === caller) return before;
    const cache: CallerCache = {
      caller,
      lists: new Cache(this.#clocks),
      answers: new Cache(this.#clocks),
    };
    this.#hosts.set(host, cache);
    return cache;
  }
}

/** Maps items concurrently, at most `MAX_AT_ONCE` at a time. Results are in the order of the items. */
function mapConcurrently<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const slots = new Semaphore(MAX_AT_ONCE);
  return Promise.all(items.map((item) => slots.run(undefined, 'Asking', () => map(item))));
}

interface CallerCache {
  /** Hash of the token. */
  caller: string;
  /** Cache with one entry, the list, under the empty key. */
  lists: Cache<ReadonlySet<string>>;
  answers: Cache<AccessAnswer>;
}

/** Answer about one repository. `moved`: the host answers with a redirect, which is not followed. */
type AccessAnswer = 'granted' | 'denied' | 'moved';

/** Cache of recent and pending answers. Failures are not cached. */
class Cache<T> {
  readonly #answers = new Map<string, { since: ReturnType<Clocks>; answer: Promise<T> }>();
  readonly #clocks: Clocks;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const known = this.#answers.get(key);
      if (!known || !this.#isFresh(known.since)) break;
      try {
        return await known.answer;
      } catch (error) {
        // Another caller cancelled this request, so it is repeated.
        if (!isCancelled(error)) throw error;
      }
    }
    const asked = { since: this.#clocks(), answer: ask() };
    this.#answers.set(key, asked);
    asked.answer.catch(() => {
      if (this.#answers.get(key) === asked) this.#answers.delete(key);
    });
    return asked.answer;
  }

  /** Compares both clocks: the wall clock may be set back, and the monotonic clock may stop while the machine sleeps. */
  #isFresh(since: ReturnType<Clocks>): boolean {
    const now = this.#clocks();
    return now.every((time, at) => Math.abs(time - (since[at] ?? Number.NaN)) < CACHED_MS);
  }
}

class Host {
  readonly #api: AccessApi;
  readonly #address: string;
  readonly #headers: Record<string, string>;
  readonly #hasToken: boolean;
  readonly #client: CodeHostClient;

  constructor(
    forge: CodeHostKind,
    origin: string,
    token: string | null,
    options: { signal: AbortSignal | undefined; milliseconds: number },
  ) {
    this.#api = APIS[forge];
    this.#address = CODE_HOSTS[forge].api(origin);
    this.#headers = CODE_HOSTS[forge].headers(token);
    this.#hasToken = token !== null;
    this.#client = new CodeHostClient({ ...options, maxRedirects: 0 });
  }

  /** Returns the paths, in lower case, of repositories on the token's list whose code it may read. */
  async list(): Promise<ReadonlySet<string>> {
    const { list, repository, perPage } = this.#api;
    const readable = new Set<string>();
    const seen = new Set<string>();
    const pageSchema = z.array(repository).max(perPage);
    for (let page = 1; page <= MAX_PAGES; page++) {
      const found = this.#read(pageSchema, await this.#get(list(page)));
      const before = seen.size;
      for (const { path, mayRead } of found) {
        seen.add(path);
        if (mayRead) readable.add(path);
      }
      if (found.length < perPage) return readable;
      // A page without a new repository means that the list repeats itself and would never end.
      if (seen.size === before) throw createAnswerFailure(200);
    }
    return readable;
  }

  async ask(path: string): Promise<AccessAnswer> {
    const { one, branches: branchesOf, repository } = this.#api;
    const found = await this.#readOrDenied(repository, one(path));
    if (typeof found === 'string') return found;
    const isSame = found.path === path.toLowerCase();
    const isShown = found.mayRead && (this.#hasToken || found.isPublic);
    if (!isSame || !isShown) return 'denied';
    if (branchesOf === null) return 'granted';
    const shown = await this.#readOrDenied(branches, branchesOf(path));
    if (typeof shown === 'string') return shown;
    return shown.length > 0 ? 'granted' : 'denied';
  }

  async #readOrDenied<T>(schema: z.ZodType<T>, path: string): Promise<T | 'moved' | 'denied'> {
    const answer = await this.#get(path);
    if (isRedirect(answer)) return 'moved';
    return isDenial(answer) ? 'denied' : this.#read(schema, answer);
  }

  /** @throws LocusError `not-fetched` unless the answer has status 200 and matches the schema */
  #read<T>(schema: z.ZodType<T>, { status, json }: JsonAnswer): T {
    const parsed = schema.safeParse(json);
    if (status === 200 && parsed.success) return parsed.data;
    throw createAnswerFailure(status);
  }

  #get(path: string): Promise<JsonAnswer> {
    return this.#client.get(this.#address + path, this.#headers);
  }
}

const isDenial = ({ status }: JsonAnswer): boolean => [401, 403, 404, 410, 451].includes(status);

const createAnswerFailure = (status: number) =>
  new LocusError(
    'not-fetched',
    `The host did not answer like a code host (status ${status}).`,
    'Try again later, and check which software runs on the host.',
  );
