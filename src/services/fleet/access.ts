/**
 * Who may read what: a search sees the repositories alone that the caller may read, which the host of each is asked with the caller's own
 * token, by its published API; a folder is read, or is not, by the rights of its files. What cannot be found out may not be read.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import type { ForgeName, IssueLink } from '../../shared/issue-link.ts';
import { parseRemote, type Remote } from '../../shared/remote-url.ts';
import { eachOf } from '../each-of.ts';
import { ForgeClient } from '../issue-links/client.ts';
import { type Environment, tokenFor } from '../issue-links/tokens.ts';
import type { Entry } from './catalog.ts';

/** An answer counts for so long, in milliseconds. */
const KEPT_MS = 5 * 60_000;
/** Pages of a host's list of what a token may read; it is asked no further. */
const MOST_PAGES = 600;
/** Repositories that a host is asked for one by one: those that are not on its list, as public ones are not. */
const MOST_SINGLY = 300;
const AT_ONCE = 8;
/** Of all requests to a host together. */
const PATIENCE_MS = 60_000;

/** What the caller may read, and what could not be found out. */
export interface Readable {
  keys: Set<string>;
  notes: string[];
}

/** How a kind of forge is asked. */
interface AccessApi {
  /** Where its API is. */
  base(remote: Remote): string;
  /** A page of what a token may read, from 1; pages are full but for the last. */
  list(page: number): string;
  perPage: number;
  one(path: string): string;
  headers(token: string | null): Record<string, string>;
  /** `owner/name`, of a repository in an answer. */
  path: z.ZodType<string>;
}

/** A header, where there is a token. */
const header = (name: string, token: string | null, scheme = ''): Record<string, string> =>
  token === null ? {} : { [name]: `${scheme}${token}` };

const APIS: Readonly<Record<ForgeName, AccessApi>> = {
  // https://docs.github.com/en/rest/repos/repos: a repository that one may not read is answered as one that there is not.
  github: {
    base: (remote) =>
      remote.host === 'github.com' || remote.host.endsWith('.ghe.com')
        ? `https://api.${remote.host}`
        : `${origin(remote)}/api/v3`,
    list: (page) => `/user/repos?per_page=100&page=${page}`,
    perPage: 100,
    one: (path) => `/repos/${path}`,
    headers: (token) => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...header('authorization', token, 'Bearer '),
    }),
    path: z.object({ full_name: z.string() }).transform(({ full_name }) => full_name),
  },
  // https://docs.gitlab.com/api/projects/
  gitlab: {
    base: (remote) => `${origin(remote)}/api/v4`,
    list: (page) =>
      `/projects?membership=true&min_access_level=20&simple=true&per_page=100&page=${page}`,
    perPage: 100,
    one: (path) => `/projects/${encodeURIComponent(path)}/repository/branches?per_page=1`,
    headers: (token) => header('private-token', token),
    path: z
      .object({ path_with_namespace: z.string() })
      .transform(({ path_with_namespace }) => path_with_namespace),
  },
  // https://docs.gitea.com/api/: users' and organisations' repositories
  gitea: {
    base: (remote) => `${origin(remote)}/api/v1`,
    list: (page) => `/user/repos?limit=50&page=${page}`,
    perPage: 50,
    one: (path) => `/repos/${path}`,
    headers: (token) => header('authorization', token, 'token '),
    path: z.object({ full_name: z.string() }).transform(({ full_name }) => full_name),
  },
};

const origin = ({ scheme, host }: Remote): string => `${scheme}://${host}`;

/** What hosts answered, for minutes; by host and token, of which a hash is kept. */
export class Access {
  readonly #answers: Kept<boolean>;
  readonly #lists: Kept<Set<string>>;
  readonly #env: Environment;

  constructor(env: Environment, now: () => number = Date.now) {
    this.#env = env;
    this.#answers = new Kept(now);
    this.#lists = new Kept(now);
  }

  /** Which of these repositories the caller may read. Throws nothing of hosts: what they do not tell is in the notes. */
  async readable(entries: ReadonlyMap<string, Entry>, signal?: AbortSignal): Promise<Readable> {
    const keys = new Set<string>();
    const notes: string[] = [];
    const hosts = Map.groupBy(entries, ([, { url, forge }]) => {
      const remote = isAbsolute(url) ? null : parseRemote(url);
      return remote && forge ? `${forge} ${origin(remote)}` : isAbsolute(url) ? 'folder' : '';
    });
    for (const [where, ofHost] of hosts) {
      if (where === '') {
        notes.push(
          `It is not known what runs on the hosts of ${ofHost.length} repositories: they are left out.`,
        );
      } else if (where === 'folder') {
        for (const [key, { url }] of ofHost) if (await isReadable(url)) keys.add(key);
      } else {
        try {
          for (const key of await this.#readableOn(ofHost, notes, signal)) keys.add(key);
        } catch (error) {
          if (!(error instanceof LocusError) || error.code === 'cancelled') throw error;
          notes.push(
            `${where.split(' ')[1]} does not say who may read what (${error.code}): its repositories are left out.`,
          );
        }
      }
    }
    return { keys, notes };
  }

  async #readableOn(
    entries: readonly (readonly [string, Entry])[],
    notes: string[],
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const places = entries.flatMap(([key, { url, forge }]) => {
      const remote = parseRemote(url);
      return remote && forge ? [{ key, remote, forge }] : [];
    });
    const [first] = places;
    if (!first) return [];
    const { forge, remote } = first;
    const token = (await tokenFor(forge, linkOf(remote, forge), this.#env))?.value ?? null;
    const host = new Host(APIS[forge], remote, token, signal);
    const who = createHash('sha256')
      .update(`${forge} ${origin(remote)} ${token}`)
      .digest('hex');
    const listed =
      token === null ? new Set<string>() : await this.#lists.of(who, () => host.list());
    const onList = ({ remote: { path } }: (typeof places)[number]) =>
      listed.has(path.toLowerCase());
    const others = places.filter((place) => !onList(place));
    if (others.length > MOST_SINGLY)
      notes.push(
        `${remote.host} was asked for ${MOST_SINGLY} of ${others.length} repositories that are not on its list of yours; the others are left out.`,
      );
    const asked = await eachOf(others.slice(0, MOST_SINGLY), AT_ONCE, async (place) =>
      (await this.#answers.of(`${who} ${place.remote.path}`, () => host.may(place.remote.path)))
        ? [place.key]
        : [],
    );
    return [...places.filter(onList).map(({ key }) => key), ...asked.flat()];
  }
}

/** Answers of the last minutes, and those that are on their way; a failure is not kept. */
class Kept<T> {
  readonly #known = new Map<string, { until: number; answer: Promise<T> }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(key: string, ask: () => Promise<T>): Promise<T> {
    const before = this.#known.get(key);
    if (before && before.until > this.#now()) return before.answer;
    const answer = ask();
    this.#known.set(key, { until: this.#now() + KEPT_MS, answer });
    answer.catch(() => this.#known.delete(key));
    return answer;
  }
}

/** One host, asked as one caller. */
class Host {
  readonly #api: AccessApi;
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #client: ForgeClient;

  constructor(api: AccessApi, remote: Remote, token: string | null, signal?: AbortSignal) {
    this.#api = api;
    this.#base = api.base(remote);
    this.#headers = api.headers(token);
    this.#client = new ForgeClient({ signal, milliseconds: PATIENCE_MS });
  }

  /** Paths, in lower case, of what the token may read as somebody who belongs to it. */
  async list(): Promise<Set<string>> {
    const { list, path, perPage } = this.#api;
    const paths = new Set<string>();
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.#get(list(page));
      const parsed = z.array(path).safeParse(answer.json);
      if (answer.status !== 200 || !parsed.success) throw refused(answer.status);
      for (const one of parsed.data) paths.add(one.toLowerCase());
      if (parsed.data.length < perPage) break;
    }
    return paths;
  }

  async may(path: string): Promise<boolean> {
    const { status } = await this.#get(this.#api.one(path));
    if (status === 200) return true;
    if ([401, 403, 404, 410, 451].includes(status)) return false;
    throw refused(status);
  }

  #get(path: string) {
    return this.#client.get(`${this.#base}${path}`, this.#headers);
  }
}

const refused = (status: number) =>
  new LocusError('not-fetched', `the host did not answer (${status})`, 'try again later');

/** Tokens are found by links. */
function linkOf(remote: Remote, forge: ForgeName): IssueLink {
  return {
    origin: origin(remote),
    project: remote.path,
    number: 1,
    kind: 'issue',
    forges: [forge],
  };
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
