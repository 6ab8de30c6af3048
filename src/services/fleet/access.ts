/**
 * Read access to the repositories of a fleet. A search sees only what the caller may read. Each host is asked with the caller's own token,
 * by its published API, and grants by an answer that names the repository and says that its code may be read; anything else is a denial.
 */
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../base/environment.ts';
import { isRedirect } from '../../base/http.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { isCancelled, LocusError } from '../../shared/errors.ts';
import { type ForgeName, isExposed } from '../../shared/issue-link.ts';
import { present } from '../../shared/present.ts';
import { parseRemote, type Remote } from '../../shared/remote-url.ts';
import { type Answer, ForgeClient } from '../issue-links/client.ts';
import { FORGES } from '../issue-links/forges.ts';
import { tokenFor } from '../issue-links/tokens.ts';
import type { Entry } from './catalog.ts';
import { canReadRepository } from './folder-access.ts';

/** Milliseconds that an answer is cached, counted from before the host is asked. */
const CACHED_MS = 5 * 60_000;
/** Pages of a host's list of what a token may read; no more are asked for. */
const MOST_PAGES = 600;
/** Repositories that a host is asked for one by one: those that are not on its list, as public ones are not. */
const MOST_SINGLY = 300;
const AT_ONCE = 8;
/** Milliseconds for all requests to a host together. */
const PATIENCE_MS = 60_000;

interface AnsweredRepository {
  /** `owner/name`, in lower case. */
  path: string;
  isPublic: boolean;
  /** True if the answer says that the caller may read the code. */
  mayRead: boolean;
}

/** Paths in the API of a kind of forge; see `Forge`. */
interface AccessApi {
  /** A page of what a token may read, from 1; pages are full but for the last. */
  list(page: number): string;
  perPage: number;
  one(path: string): string;
  /** Answers with branches to those who may read code, on forges that show a repository also to others; null if `one` says enough. */
  branches: ((path: string) => string) | null;
  repository: z.ZodType<AnsweredRepository>;
}

/** Names of repositories are ASCII: no other letter becomes one of these in lower case. */
const fullName = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/)
  .toLowerCase();

/** As GitHub and Gitea answer. Only an answer to a known caller has permissions, on GitHub. */
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

/** As GitLab answers, which names the default branch only to those who may read code. */
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

const APIS: Readonly<Record<ForgeName, AccessApi>> = {
  // https://docs.github.com/en/rest/repos/repos: a repository that one may not read is answered as one that does not exist.
  github: {
    list: (page) => `/user/repos?per_page=100&page=${page}`,
    perPage: 100,
    one: (path) => `/repos/${path}`,
    branches: null,
    repository: withPermissions,
  },
  // https://docs.gitlab.com/api/projects/: guests see a project whose code they may not read.
  gitlab: {
    list: (page) =>
      `/projects?membership=true&min_access_level=20&simple=true&per_page=100&page=${page}`,
    perPage: 100,
    one: (path) => `/projects/${encodeURIComponent(path)}`,
    branches: (path) => `/projects/${encodeURIComponent(path)}/repository/branches?per_page=1`,
    repository: withDefaultBranch,
  },
  // https://docs.gitea.com/api/: a team may see a repository without its code.
  gitea: {
    list: (page) => `/user/repos?limit=50&page=${page}`,
    perPage: 50,
    one: (path) => `/repos/${path}`,
    branches: (path) => `/repos/${path}/branches?limit=1`,
    repository: withPermissions,
  },
};

const originOf = ({ scheme, host }: Remote): string => `${scheme}://${host}`;

interface HostedRepository {
  key: string;
  remote: Remote;
  forge: ForgeName;
}

export interface AccessOptions {
  /** Times of the monotonic clock and of the wall clock, in milliseconds. */
  clocks?: Clocks;
  /** Limit for all requests to a host together. */
  milliseconds?: number;
}

type Clocks = () => readonly [monotonic: number, wall: number];

const systemClocks: Clocks = () => [performance.now(), Date.now()];

/** Asks hosts who may read what, and caches their answers for five minutes, or until the token changes. */
export class Access {
  readonly #hosts = new Map<string, CallerCache>();
  readonly #env: Environment;
  readonly #clocks: Clocks;
  readonly #milliseconds: number;

  constructor(
    env: Environment,
    { clocks = systemClocks, milliseconds = PATIENCE_MS }: AccessOptions = {},
  ) {
    this.#env = env;
    this.#clocks = clocks;
    this.#milliseconds = milliseconds;
  }

  /** Returns the repositories that the caller may read. Throws nothing because of a host: what it does not tell is in the notes. */
  async readable(
    entries: ReadonlyMap<string, Entry>,
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
    if (unknown > 0)
      notes.push(
        `It is not known what runs on the hosts of ${unknown} repositories: they are left out.`,
      );
    const readable = await allInTurns(folders, async ([key, folder]) =>
      (await canReadRepository(folder)) ? [key] : [],
    );
    const keys = new Set(readable.flat());
    const hosts = Map.groupBy(hosted, ({ forge, remote }) => `${forge} ${originOf(remote)}`);
    for (const [host, repositories] of hosts) {
      try {
        const found = await this.#readableOn(host, repositories, notes, signal);
        for (const key of found) keys.add(key);
      } catch (error) {
        if (!(error instanceof LocusError) || isCancelled(error)) throw error;
        notes.push(
          `${originOf(present(repositories[0], 'a repository of a host').remote)} does not say who may read what (${error.code}): its repositories are left out.`,
        );
      }
    }
    return { keys, notes };
  }

  async #readableOn(
    name: string,
    repositories: readonly HostedRepository[],
    notes: string[],
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const { forge, remote } = present(repositories[0], 'a repository of a host');
    const origin = originOf(remote);
    if (isExposed({ origin })) {
      notes.push(
        `${origin} would be asked unencrypted, and anybody on the way could answer: its repositories are left out.`,
      );
      return [];
    }
    const token = (await tokenFor(forge, { origin }, this.#env))?.value ?? null;
    const host = new Host(forge, origin, token, { signal, milliseconds: this.#milliseconds });
    const cache = this.#cacheOf(name, token);
    const listed =
      token === null ? new Set<string>() : await cache.lists.get('', () => host.list());
    const onList = ({ remote: { path } }: HostedRepository) => listed.has(path.toLowerCase());
    const others = repositories.filter((one) => !onList(one));
    if (others.length > MOST_SINGLY)
      notes.push(
        `${remote.host} was asked for ${MOST_SINGLY} of ${others.length} repositories that are not on its list of yours; the others are left out.`,
      );
    const asked = await allInTurns(others.slice(0, MOST_SINGLY), async ({ key, remote }) => ({
      key,
      access: await cache.answers.get(remote.path, () => host.ask(remote.path)),
    }));
    const moved = asked.filter(({ access }) => access === 'moved').length;
    if (moved > 0)
      notes.push(
        `${remote.host} redirects for ${moved} repositories, which are left out. If they were renamed, add them by their new addresses. If you have to sign in, set a token for the host.`,
      );
    const granted = asked.filter(({ access }) => access === 'granted');
    return [...repositories.filter(onList), ...granted].map(({ key }) => key);
  }

  /** Returns the cache of a host's answers to this token. Those to another one are forgotten. */
  #cacheOf(host: string, token: string | null): CallerCache {
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

/** Works on so many at a time; results are in the order of the items. */
function allInTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const turns = new Semaphore(AT_ONCE);
  return Promise.all(items.map((item) => turns.run(undefined, 'Asking', () => work(item))));
}

interface CallerCache {
  /** Hash of the token. */
  caller: string;
  /** The one list, under the empty key. */
  lists: Cache<ReadonlySet<string>>;
  answers: Cache<RepositoryAccess>;
}

/** `moved`: the host answers with a redirect, which is not followed. */
type RepositoryAccess = 'granted' | 'denied' | 'moved';

/** Answers of the last minutes, and pending ones. A failure is not cached. */
class Cache<T> {
  readonly #known = new Map<string, { since: ReturnType<Clocks>; answer: Promise<T> }>();
  readonly #clocks: Clocks;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const known = this.#known.get(key);
      if (!known || !this.#isFresh(known.since)) break;
      try {
        return await known.answer;
      } catch (error) {
        // Whoever asked stopped waiting; that is no answer for others.
        if (!isCancelled(error)) throw error;
      }
    }
    const asked = { since: this.#clocks(), answer: ask() };
    this.#known.set(key, asked);
    asked.answer.catch(() => {
      if (this.#known.get(key) === asked) this.#known.delete(key);
    });
    return asked.answer;
  }

  /** By both clocks: one can be set back, the other may stand still while the machine sleeps. */
  #isFresh(since: ReturnType<Clocks>): boolean {
    const now = this.#clocks();
    return now.every((time, at) => Math.abs(time - (since[at] ?? Number.NaN)) < CACHED_MS);
  }
}

class Host {
  readonly #api: AccessApi;
  readonly #address: string;
  readonly #headers: Record<string, string>;
  readonly #isKnown: boolean;
  readonly #client: ForgeClient;

  constructor(
    forge: ForgeName,
    origin: string,
    token: string | null,
    options: { signal: AbortSignal | undefined; milliseconds: number },
  ) {
    this.#api = APIS[forge];
    this.#address = FORGES[forge].api(origin);
    this.#headers = FORGES[forge].headers(token);
    this.#isKnown = token !== null;
    this.#client = new ForgeClient({ ...options, maxRedirects: 0 });
  }

  /** Returns the paths, in lower case, of repositories whose code the token may read as somebody who belongs to them. */
  async list(): Promise<ReadonlySet<string>> {
    const { list, repository, perPage } = this.#api;
    const readable = new Set<string>();
    const seen = new Set<string>();
    const pageSchema = z.array(repository).max(perPage);
    for (let page = 1; page <= MOST_PAGES; page++) {
      const found = this.#read(pageSchema, await this.#get(list(page)));
      const before = seen.size;
      for (const { path, mayRead } of found) {
        seen.add(path);
        if (mayRead) readable.add(path);
      }
      if (found.length < perPage) return readable;
      // A list that repeats itself has no end.
      if (seen.size === before) throw noAnswer(200);
    }
    return readable;
  }

  async ask(path: string): Promise<RepositoryAccess> {
    const { one, branches: branchesOf, repository } = this.#api;
    const found = await this.#readOr(repository, one(path));
    if (typeof found === 'string') return found;
    const isSame = found.path === path.toLowerCase();
    const isShown = found.mayRead && (this.#isKnown || found.isPublic);
    if (!isSame || !isShown) return 'denied';
    if (branchesOf === null) return 'granted';
    const shown = await this.#readOr(branches, branchesOf(path));
    if (typeof shown === 'string') return shown;
    return shown.length > 0 ? 'granted' : 'denied';
  }

  async #readOr<T>(schema: z.ZodType<T>, path: string): Promise<T | 'moved' | 'denied'> {
    const answer = await this.#get(path);
    if (isRedirect(answer)) return 'moved';
    return isDenial(answer) ? 'denied' : this.#read(schema, answer);
  }

  /** @throws LocusError `not-fetched` for anything but JSON of this form, answered with status 200. */
  #read<T>(schema: z.ZodType<T>, { status, json }: Answer): T {
    const parsed = schema.safeParse(json);
    if (status === 200 && parsed.success) return parsed.data;
    throw noAnswer(status);
  }

  #get(path: string): Promise<Answer> {
    return this.#client.get(this.#address + path, this.#headers);
  }
}

const isDenial = ({ status }: Answer): boolean => [401, 403, 404, 410, 451].includes(status);

const noAnswer = (status: number) =>
  new LocusError(
    'not-fetched',
    `The host did not answer as its API does (${status}).`,
    'Try again later, and check what runs on the host.',
  );
