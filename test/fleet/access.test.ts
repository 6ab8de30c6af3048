import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { AccessChecker } from '../../src/services/fleet/access.ts';
import { type FleetEntry, makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import type { CodeHostKind } from '../../src/shared/issue-url.ts';
import { type Asked, type Behaviour, createCodeHosts } from '../issue-urls/code-host-server.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const ALICE = 'token-of-alice';
const BOB = 'token-of-bob';
/** Repositories that each caller may read; `open` is public. */
const MAY: Record<string, string[]> = { [ALICE]: ['acme/shop', 'acme/till'], [BOB]: ['acme/till'] };
const ALL = ['acme/shop', 'acme/till', 'acme/open', 'acme/vault'];

const json = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

function tokenIn({ headers }: Asked): string {
  const said = headers.authorization ?? headers['private-token'] ?? '';
  return String(said).replace(/^(Bearer|token) /, '');
}

/** A repository in the format of each code host; `known` is true for a caller with a token. */
const repository = (path: string, known: boolean, change: object = {}) => ({
  full_name: path,
  path_with_namespace: path,
  private: path !== 'acme/open',
  visibility: path === 'acme/open' ? 'public' : 'private',
  default_branch: 'main',
  ...(known && { permissions: { admin: false, push: false, pull: true } }),
  ...change,
});
const BRANCHES = [{ name: 'main', commit: { id: 'a'.repeat(40), sha: 'a'.repeat(40) } }];

/** `list` is the list of a token, `repository` and `branches` belong to one repository; null for any other URL. */
function classifyRequest(
  asked: Asked,
): { is: 'list' | 'repository' | 'branches'; path: string } | null {
  const { pathname } = new URL(asked.url, 'http://forge');
  if (/\/(?:user\/repos|api\/v4\/projects)$/.test(pathname)) return { is: 'list', path: '' };
  const [, path, branches] =
    /\/(?:repos|projects)\/(.*?)((?:\/repository)?\/branches)?$/.exec(pathname) ?? [];
  if (path === undefined) return null;
  return { is: branches ? 'branches' : 'repository', path: decodeURIComponent(path) };
}

/** Answers like the published APIs: a list for the token, and 404 for a repository without access. */
function answer(asked: Asked, response: ServerResponse): void {
  const mine = MAY[tokenIn(asked)] ?? [];
  const known = mine.length > 0;
  const { searchParams } = new URL(asked.url, 'http://forge');
  const { is, path } = classifyRequest(asked) ?? { is: 'repository', path: '' };
  if (is === 'list') {
    const page = searchParams.get('page') === '1' ? mine : [];
    const listed = page.map((one) => repository(one, known));
    json(response, known ? 200 : 401, listed);
  } else if (![...mine, 'acme/open'].includes(path)) json(response, 404, { message: 'Not Found' });
  else json(response, 200, is === 'branches' ? BRANCHES : repository(path, known));
}

function entriesOn(origin: string, forge: CodeHostKind): Map<string, FleetEntry> {
  return new Map(
    ALL.map((path) => {
      const name = `${new URL(origin).host}/${path}`;
      const entry: FleetEntry = { name, url: `${origin}/${path}.git`, ref: null, forge };
      return [makeRepositoryKey(entry), entry];
    }),
  );
}

const TOKENS: Record<CodeHostKind, (token: string, origin: string) => Record<string, string>> = {
  github: (token, origin) => ({ GITHUB_TOKEN: token, GH_HOST: origin }),
  gitlab: (token, origin) => ({ GITLAB_TOKEN: token, GITLAB_HOST: origin }),
  gitea: (token, origin) => ({ GITEA_TOKEN: token, GITEA_SERVER_URL: origin }),
};

async function readableBy(
  access: AccessChecker,
  entries: ReadonlyMap<string, FleetEntry>,
): Promise<{ paths: string[]; notes: string[] }> {
  const { keys, notes } = await access.findReadable(entries);
  const paths = Array.from(
    keys,
    (key) => entries.get(key)?.name.split('/').slice(1).join('/') ?? '',
  );
  return { paths: paths.sort(), notes };
}

describe('access to repositories', () => {
  const forgeServer = createCodeHosts();
  const folder = temporaryFolder();
  after(() => removeFolder(folder));

  for (const forge of ['github', 'gitlab', 'gitea'] as const) {
    it(`is checked on ${forge} with the caller’s token`, async () => {
      const { origin } = await forgeServer(answer);
      const entries = entriesOn(origin, forge);
      const as = (token: string) =>
        new AccessChecker({ PATH: '', ...TOKENS[forge](token, origin) });
      assert.deepEqual((await readableBy(as(ALICE), entries)).paths, [
        'acme/open',
        'acme/shop',
        'acme/till',
      ]);
      assert.deepEqual((await readableBy(as(BOB), entries)).paths, ['acme/open', 'acme/till']);
      assert.deepEqual((await readableBy(new AccessChecker({ PATH: '' }), entries)).paths, [
        'acme/open',
      ]);
    });
  }

  it('is cached for minutes, then checked again', async () => {
    const server = await forgeServer(answer);
    const entries = entriesOn(server.origin, 'github');
    let now = 0;
    const clocks = () => [now, now] as const;
    const access = new AccessChecker(
      { PATH: '', ...TOKENS.github(ALICE, server.origin) },
      { clocks },
    );
    await access.findReadable(entries);
    const asked = server.asked.length;
    now = 4 * 60_000;
    await access.findReadable(entries);
    assert.equal(server.asked.length, asked);
    now = 6 * 60_000;
    MAY[ALICE] = ['acme/till'];
    try {
      assert.deepEqual((await readableBy(access, entries)).paths, ['acme/open', 'acme/till']);
    } finally {
      MAY[ALICE] = ['acme/shop', 'acme/till'];
    }
  });

  it('is denied if the host fails, lies or is unknown', async () => {
    const failing = await forgeServer((_, response) => json(response, 500, {}));
    const odd = await forgeServer((_, response) => json(response, 200, 'all of it'));
    for (const { origin } of [failing, odd]) {
      const access = new AccessChecker({ PATH: '', ...TOKENS.github(ALICE, origin) });
      const { paths, notes } = await readableBy(access, entriesOn(origin, 'github'));
      assert.deepEqual(paths, []);
      assert.equal(notes.length, 1);
      assert.doesNotMatch(notes.join(), /token-of|acme/);
    }
    const [key, entry] = [...entriesOn(failing.origin, 'github')][0] ?? [];
    assert.ok(key && entry);
    const unknown = await new AccessChecker({}).findReadable(
      new Map([[key, { ...entry, forge: null }]]),
    );
    assert.equal(unknown.keys.size, 0);
    assert.equal(unknown.notes.length, 1);
  });

  it('never sends a token to another host', async () => {
    const mine = await forgeServer(answer);
    const other = await forgeServer(answer);
    const access = new AccessChecker({ PATH: '', ...TOKENS.gitea(ALICE, mine.origin) });
    await access.findReadable(entriesOn(other.origin, 'gitea'));
    assert.ok(other.asked.length > 0);
    assert.ok(other.asked.every((one) => tokenIn(one) === ''));
  });
});

const nextTurn = () => new Promise((next) => setImmediate(next));

const one = (entries: ReadonlyMap<string, FleetEntry>, path: string): Map<string, FleetEntry> =>
  new Map([...entries].filter(([, { name }]) => name.endsWith(`/${path}`)));

describe('an answer', () => {
  const start = createCodeHosts();
  const FORGES = ['github', 'gitlab', 'gitea'] as const;

  /** Asks about one repository, from a host whose answer is replaced where `answer` would grant access. */
  async function asksFor(
    path: string,
    forge: CodeHostKind,
    behave: Behaviour,
    { token = null as string | null, milliseconds = 5_000 } = {},
  ) {
    const server = await start(behave);
    const env = { PATH: '', ...(token && TOKENS[forge](token, server.origin)) };
    const access = new AccessChecker(env, { milliseconds });
    return readableBy(access, one(entriesOn(server.origin, forge), path));
  }
  /** Changes the answer about a repository, or about its branches. */
  const changed =
    (
      is: 'list' | 'repository' | 'branches',
      change: (response: ServerResponse) => void,
    ): Behaviour =>
    (asked, response) =>
      classifyRequest(asked)?.is === is ? change(response) : answer(asked, response);
  const withJson = (value: unknown) => (response: ServerResponse) => json(response, 200, value);
  const page = '<!doctype html><form action="/login">Sign in</form>';
  const raw =
    (status: number, headers: Record<string, string>, body = '') =>
    (response: ServerResponse) => {
      response.writeHead(status, headers).end(body);
    };
  const JSON_TYPE = { 'content-type': 'application/json' };
  const open = (change: object = {}) => repository('acme/open', false, change);

  const DENIED: Record<string, (response: ServerResponse) => void> = {
    'a page to sign in': raw(200, { 'content-type': 'text/html' }, page),
    'a page that says it is JSON': raw(200, JSON_TYPE, page),
    'the repository as a page': raw(200, { 'content-type': 'text/html' }, JSON.stringify(open())),
    'the repository without a type': raw(200, {}, JSON.stringify(open())),
    'an empty object': withJson({}),
    'a list of it': withJson([open()]),
    'a text': withJson('acme/open'),
    null: withJson(null),
    'JSON cut short': raw(200, JSON_TYPE, JSON.stringify(open()).slice(0, -1)),
    'another repository': withJson(
      open({ full_name: 'acme/shop', path_with_namespace: 'acme/shop' }),
    ),
    'a longer name': withJson(
      open({ full_name: 'x/acme/open', path_with_namespace: 'x/acme/open' }),
    ),
    'a name with a Kelvin sign': withJson(
      open({ full_name: 'acme/\u212aopen', path_with_namespace: 'acme/\u212aopen' }),
    ),
    'two names, the last another': raw(
      200,
      JSON_TYPE,
      '{"full_name":"acme/open","path_with_namespace":"acme/open","private":false,"default_branch":"main","full_name":"a/b","path_with_namespace":"a/b"}',
    ),
    'an invalid name': withJson(open({ full_name: 7, path_with_namespace: ['acme/open'] })),
    'a private repository, to nobody': withJson(
      open({ private: true, visibility: 'private', permissions: { pull: true } }),
    ),
    'one that is public and private': withJson(open({ private: false, visibility: 'private' })),
    'one that is public and internal': withJson(
      open({ private: false, visibility: 'internal', internal: true }),
    ),
    'permission to see and not to pull': withJson(
      open({ permissions: { pull: false }, default_branch: null }),
    ),
    'private as a text': withJson(
      open({ private: 'false', visibility: ['public'], default_branch: 1 }),
    ),
    'an answer larger than 2 MB': withJson(open({ description: 'x'.repeat(2_100_000) })),
    'JSON a million deep': raw(200, JSON_TYPE, '['.repeat(1_000_000)),
    'JSON deep inside of it': raw(
      200,
      JSON_TYPE,
      `{"full_name":"a/b","deep":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    ),
    201: raw(201, JSON_TYPE, JSON.stringify(open())),
    203: raw(203, JSON_TYPE, JSON.stringify(open())),
    204: raw(204, {}),
    206: raw(206, { ...JSON_TYPE, 'content-range': 'bytes 0-1/2' }, JSON.stringify(open())),
    304: raw(304, { etag: '"x"' }),
    300: raw(300, { ...JSON_TYPE, location: '/x' }, JSON.stringify(open())),
    401: raw(401, JSON_TYPE, JSON.stringify(open())),
    500: raw(500, JSON_TYPE, JSON.stringify(open())),
    'early hints and then 404': (response) => {
      response.writeEarlyHints({ link: '</api>; rel=preload' });
      json(response, 404, open());
    },
    'a connection that breaks': (response) => response.destroy(),
    'one byte and then nothing': (response) => {
      response.writeHead(200, JSON_TYPE).write('{');
    },
    'an answer that is never whole': (response) => {
      response.writeHead(200, JSON_TYPE).write(JSON.stringify(open()).slice(0, -1));
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    },
  };
  for (const status of [301, 302, 303, 307, 308])
    DENIED[`a redirect (${status}) to a page to sign in`] = raw(
      status,
      { ...JSON_TYPE, location: '/login' },
      JSON.stringify(open()),
    );
  for (const forge of FORGES) {
    it(`from ${forge} grants nothing unless it names the repository and says that it may be read`, async () => {
      const sound = await asksFor('acme/open', forge, changed('repository', withJson(open())));
      assert.deepEqual(sound, { paths: ['acme/open'], notes: [] });
      const capitals = open({ full_name: 'Acme/Open', path_with_namespace: 'ACME/open' });
      const inCapitals = await asksFor(
        'acme/open',
        forge,
        changed('repository', withJson(capitals)),
      );
      assert.deepEqual(inCapitals.paths, ['acme/open']);
      for (const [what, change] of Object.entries(DENIED)) {
        const { paths, notes } = await asksFor('acme/open', forge, changed('repository', change), {
          milliseconds: /never|nothing/.test(what) ? 200 : 5_000,
        });
        assert.deepEqual(paths, [], what);
        assert.doesNotMatch(notes.join(), /token-of|acme\/|Sign in/, what);
      }
    });
  }

  for (const forge of ['gitlab', 'gitea'] as const) {
    it(`from ${forge} about the branches decides whether the code may be read`, async () => {
      const granted = await asksFor('acme/open', forge, answer);
      assert.deepEqual(granted.paths, ['acme/open']);
      const closed = [
        raw(403, JSON_TYPE, JSON.stringify({ message: '403 Forbidden' })),
        raw(404, JSON_TYPE, JSON.stringify({ message: '404 Repository Not Found' })),
        raw(200, { 'content-type': 'text/html' }, page),
        raw(302, { location: '/login' }),
        withJson([]),
        withJson({}),
        withJson([{ name: 'main' }]),
        withJson([{ name: 'main', commit: { id: 'main' } }]),
        withJson({ '0': BRANCHES[0] }),
      ];
      for (const change of closed) {
        const denied = await asksFor('acme/open', forge, changed('branches', change));
        assert.deepEqual(denied.paths, []);
      }
    });
  }

  for (const forge of FORGES) {
    it(`from ${forge} with a list includes what may be pulled, and ends`, async () => {
      const listing =
        (list: (page: number, response: ServerResponse) => void): Behaviour =>
        (asked, response) => {
          const number = Number(new URL(asked.url, 'http://forge').searchParams.get('page'));
          if (classifyRequest(asked)?.is === 'list') list(number, response);
          else json(response, 404, {});
        };
      const ask = (list: (page: number, response: ServerResponse) => void, milliseconds = 5_000) =>
        asksFor('acme/vault', forge, listing(list), { token: ALICE, milliseconds });
      const vault = (change: object = {}) => repository('acme/vault', true, change);
      const others = (from: number, count = 100) =>
        Array.from({ length: count }, (_, i) => repository(`acme/other-${from + i}`, true));
      const perPage = forge === 'gitea' ? 50 : 100;

      const granted = await ask((_, response) => json(response, 200, [vault()]));
      assert.deepEqual(granted.paths, ['acme/vault']);
      const second = await ask((number, response) =>
        json(response, 200, number === 1 ? others(0, perPage) : [vault()]),
      );
      assert.deepEqual(second.paths, ['acme/vault']);

      const denied: ((page: number, response: ServerResponse) => void)[] = [
        (_, response) =>
          json(response, 200, [vault({ permissions: { pull: false }, default_branch: null })]),
        (_, response) => raw(200, { 'content-type': 'text/html' }, page)(response),
        (_, response) => json(response, 200, vault()),
        (_, response) => json(response, 200, { ...[vault()] }),
        (_, response) => json(response, 200, [vault(), { id: 7 }]),
        (_, response) => json(response, 200, [vault(), ...others(0, perPage)]),
        (_, response) => json(response, 206, [vault()]),
        (_, response) => raw(302, { location: '/login' })(response),
        // The same page again and again.
        (_, response) => json(response, 200, [vault(), ...others(0, perPage - 1)]),
        // The second page fails.
        (number, response) =>
          json(response, number === 1 ? 200 : 500, [vault(), ...others(0, perPage - 1)]),
      ];
      for (const [at, list] of denied.entries())
        assert.deepEqual((await ask(list)).paths, [], `list ${at}`);
      // A list without an end, from a host that would take longer for 600 pages than the limit.
      const endless = await ask(
        (number, response) =>
          setTimeout(
            () => json(response, 200, [vault(), ...others(number * 100, perPage - 1)]),
            10,
          ),
        300,
      );
      assert.deepEqual(endless.paths, []);
    });
  }

  it('is not requested from a host over an unencrypted connection', async () => {
    const entries = entriesOn('http://git.example.test', 'gitea');
    const { paths, notes } = await readableBy(new AccessChecker({ PATH: '' }), entries);
    assert.deepEqual(paths, []);
    assert.match(
      notes.join(),
      /^Repositories on http:\/\/git\.example\.test are omitted: the connection is not encrypted/,
    );
  });

  it('with random changes grants access only if it still says the same', async () => {
    const draw = uniform();
    const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;
    const values = [null, true, false, 0, 'x', 'public', 'private', [], {}, [{}], 'acme/shop'];
    const names = Object.keys(open({ permissions: { pull: true } }));
    let granted = 0;
    for (let round = 0; round < scaleRounds(60); round++) {
      const forge = pick(FORGES);
      const answered: Record<string, unknown> = open(
        draw() < 0.5 ? { permissions: { pull: true } } : {},
      );
      for (let i = 0; i < 1 + 2 * draw(); i++) {
        if (draw() < 0.3) delete answered[pick(names)];
        else answered[pick(names)] = pick(values);
      }
      const name = forge === 'gitlab' ? answered.path_with_namespace : answered.full_name;
      const { paths } = await asksFor(
        'acme/open',
        forge,
        changed('repository', withJson(answered)),
      );
      if (paths.length === 0) continue;
      granted++;
      const said = `seed ${SEED}, round ${round}: ${forge} ${JSON.stringify(answered)}`;
      assert.equal(name, 'acme/open', said);
      assert.ok([undefined, null, 'public'].includes(answered.visibility as string), said);
      if (forge === 'gitlab') assert.equal(typeof answered.default_branch, 'string', said);
      else assert.equal(answered.private, false, said);
    }
    assert.ok(granted > 0, 'some are granted');
  });
});

describe('a cached answer', () => {
  const start = createCodeHosts();
  const MINUTE = 60_000;

  /** Starts a host that grants, denies or fails, with clocks that a test sets. */
  async function setting(path: string, token: string | null) {
    const state = { status: 200, monotonic: 0, wall: 1_800_000_000_000, token };
    const server = await start((asked, response) => {
      if (state.status === 200) answer(asked, response);
      else json(response, state.status, {});
    });
    const entries = one(entriesOn(server.origin, 'gitea'), path);
    const env = {
      PATH: '',
      GITEA_SERVER_URL: server.origin,
      get GITEA_TOKEN() {
        return state.token ?? '';
      },
    };
    const access = new AccessChecker(env, { clocks: () => [state.monotonic, state.wall] });
    return { state, server, ask: async () => (await readableBy(access, entries)).paths };
  }

  // One entry for the list, one for a single repository.
  for (const [path, token] of [
    ['acme/shop', ALICE],
    ['acme/open', null],
  ] as const) {
    it(`about ${path} expires within five minutes, and no failure extends it`, async () => {
      const { state, server, ask } = await setting(path, token);
      assert.deepEqual(await ask(), [path]);
      const asked = server.asked.length;
      state.status = 500;
      state.monotonic += 4 * MINUTE;
      state.wall += 4 * MINUTE;
      assert.deepEqual(await ask(), [path], 'cached');
      assert.equal(server.asked.length, asked);
      state.monotonic += MINUTE;
      state.wall += MINUTE;
      assert.deepEqual(await ask(), []);
      assert.deepEqual(await ask(), [], 'after a failure');
      assert.ok(server.asked.length >= asked + 2, 'a failure is not cached');
      state.status = 200;
      assert.deepEqual(await ask(), [path], 'granted again');
    });

    for (const [what, jump] of [
      ['is set back', { monotonic: 6 * MINUTE, wall: -3600_000 }],
      ['is set forward', { monotonic: 0, wall: 6 * MINUTE }],
      ['is set back at once', { monotonic: 0, wall: -6 * MINUTE }],
      ['does not move', { monotonic: 6 * MINUTE, wall: 0 }],
    ] as const) {
      it(`about ${path} does not live longer if the wall clock ${what}`, async () => {
        const { state, ask } = await setting(path, token);
        assert.deepEqual(await ask(), [path]);
        state.status = 404;
        assert.deepEqual(await ask(), [path], 'cached');
        state.monotonic += jump.monotonic;
        state.wall += jump.wall;
        assert.deepEqual(await ask(), []);
      });
    }
  }

  it('is dropped when the token changes, even if it changes back', async () => {
    const { state, ask } = await setting('acme/shop', ALICE);
    assert.deepEqual(await ask(), ['acme/shop']);
    state.token = BOB;
    assert.deepEqual(await ask(), []);
    MAY[ALICE] = [];
    try {
      state.token = ALICE;
      assert.deepEqual(await ask(), []);
      state.token = null;
      assert.deepEqual(await ask(), []);
    } finally {
      MAY[ALICE] = ['acme/shop', 'acme/till'];
    }
  });

  it('serves concurrent callers, whichever of them cancels', async () => {
    let isFirst = true;
    const server = await start((asked, response) => {
      if (isFirst) isFirst = false;
      else answer(asked, response);
    });
    const entries = one(entriesOn(server.origin, 'gitea'), 'acme/open');
    const access = new AccessChecker({ PATH: '' });
    const stop = new AbortController();
    const cancelled = assert.rejects(access.findReadable(entries, stop.signal), {
      code: 'cancelled',
    });
    while (isFirst) await nextTurn();
    const others = [readableBy(access, entries), readableBy(access, entries)];
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    assert.equal(server.asked.length, 1, 'the others wait for the same answer');
    stop.abort();
    await cancelled;
    for (const { paths } of await Promise.all(others)) assert.deepEqual(paths, ['acme/open']);
    assert.equal(server.asked.length, 3, 'the others share the repository and its branches');
  });

  it('does not remove a newer one when it fails late', async () => {
    const state = { now: 0, slow: true };
    const waiting: ServerResponse[] = [];
    const server = await start((asked, response) => {
      if (state.slow) waiting.push(response);
      else answer(asked, response);
    });
    const entries = one(entriesOn(server.origin, 'github'), 'acme/open');
    const access = new AccessChecker({ PATH: '' }, { clocks: () => [state.now, state.now] });
    const late = readableBy(access, entries);
    while (waiting.length === 0) await nextTurn();
    state.slow = false;
    state.now = 6 * MINUTE;
    assert.deepEqual((await readableBy(access, entries)).paths, ['acme/open']);
    waiting[0]?.destroy();
    assert.deepEqual((await late).paths, []);
    const asked = server.asked.length;
    assert.deepEqual((await readableBy(access, entries)).paths, ['acme/open']);
    assert.equal(server.asked.length, asked);
  });
});

describe('a folder', { skip: process.platform === 'win32' }, () => {
  const parent = temporaryFolder();
  after(() => {
    execFileSync('chmod', ['-R', 'u+rwX', parent]);
    removeFolder(parent);
  });
  chmodSync(parent, 0o755);
  let made = 0;

  /** Creates a repository in a folder that everybody may read. */
  function openFolder(): string {
    const folder = join(parent, `repository-${made++}`);
    gitRepository({ 'a.py': 'def a():\n    return 1\n', 'src/b.py': 'x = 1\n' }, folder);
    execFileSync('chmod', ['-R', 'go+rX', folder]);
    return folder;
  }

  /** Returns which of these folders another user may read. The root user can read everything. */
  function readableToOthers(...folders: string[]): string[] {
    const [uid, gid] = process.getuid?.() === 0 ? [65534, 65534] : [undefined, undefined];
    const program = join(import.meta.dirname, '../support/read-access.ts');
    const told = execFileSync(process.execPath, [program, ...folders], {
      ...(uid !== undefined && { uid, gid }),
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    return JSON.parse(told);
  }

  const objectsOf = (folder: string) => join(folder, '.git/objects');
  const looseIn = (folder: string) => {
    const objects = objectsOf(folder);
    const fan = readdirSync(objects).find((name) => /^[0-9a-f]{2}$/.test(name)) ?? '';
    return {
      fan: join(objects, fan),
      loose: join(objects, fan, readdirSync(join(objects, fan))[0] ?? ''),
    };
  };
  const packIn = (folder: string, extension: string) => {
    const name = readdirSync(join(objectsOf(folder), 'pack')).find((one) =>
      one.endsWith(extension),
    );
    return join(objectsOf(folder), 'pack', name ?? '');
  };
  const packed = (folder: string) => {
    git(folder, 'repack', '-q', '-a', '-d');
    execFileSync('chmod', ['-R', 'go+rX', folder]);
  };

  const CLOSED: Record<string, (folder: string) => void> = {
    'the folder itself': (folder) => chmodSync(folder, 0o000),
    'what is in it': (folder) =>
      execFileSync('chmod', [
        '-R',
        'go-rwx',
        ...readdirSync(folder).map((name) => join(folder, name)),
      ]),
    'its git folder': (folder) => chmodSync(join(folder, '.git'), 0o000),
    HEAD: (folder) => chmodSync(join(folder, '.git/HEAD'), 0o000),
    'its objects': (folder) => chmodSync(objectsOf(folder), 0o000),
    'the names of its objects': (folder) => chmodSync(objectsOf(folder), 0o111),
    'a folder of objects': (folder) => chmodSync(looseIn(folder).fan, 0o000),
    'an object': (folder) => chmodSync(looseIn(folder).loose, 0o000),
    'its pack': (folder) => {
      packed(folder);
      chmodSync(packIn(folder, '.pack'), 0o000);
    },
    "its pack's index": (folder) => {
      packed(folder);
      chmodSync(packIn(folder, '.idx'), 0o000);
    },
    'a source': (folder) => chmodSync(join(folder, 'a.py'), 0o000),
    'a folder of sources': (folder) => chmodSync(join(folder, 'src'), 0o000),
    'its packs, behind a link': (folder) => {
      packed(folder);
      const elsewhere = join(parent, `packs-${made++}`);
      renameSync(join(objectsOf(folder), 'pack'), elsewhere);
      symlinkSync(elsewhere, join(objectsOf(folder), 'pack'));
    },
    'the objects that it borrows': (folder) => {
      const lender = openFolder();
      writeAlternates(folder, objectsOf(lender));
      chmodSync(looseIn(lender).loose, 0o000);
    },
  };
  function writeAlternates(folder: string, objects: string): void {
    execFileSync('sh', [
      '-c',
      'printf "%s\\n" "$1" > "$2"',
      'sh',
      objects,
      join(objectsOf(folder), 'info/alternates'),
    ]);
  }

  it('is readable for users who can read its files', () => {
    const plain = openFolder();
    const repacked = openFolder();
    packed(repacked);
    const bare = join(parent, 'bare.git');
    git(parent, 'clone', '-q', '--bare', plain, bare);
    const worktree = join(parent, 'worktree');
    git(plain, 'worktree', 'add', '-q', '--detach', worktree);
    const borrowing = openFolder();
    writeAlternates(borrowing, objectsOf(plain));
    execFileSync('chmod', ['-R', 'go+rX', bare, worktree, plain, borrowing]);
    const all = [plain, repacked, bare, worktree, borrowing];
    assert.deepEqual(readableToOthers(...all), all);
  });

  for (const [what, close] of Object.entries(CLOSED)) {
    it(`is not readable for users who cannot read ${what}`, () => {
      const [folder, control] = [openFolder(), openFolder()];
      close(folder);
      assert.deepEqual(readableToOthers(folder, control), [control]);
    });
  }

  it('of a worktree is as readable as its repository', () => {
    const [open, closed] = [openFolder(), openFolder()];
    const worktreeOf = (folder: string) => {
      const worktree = `${folder}-tree`;
      git(folder, 'worktree', 'add', '-q', '--detach', worktree);
      execFileSync('chmod', ['-R', 'go+rX', folder, worktree]);
      return worktree;
    };
    const [openTree, closedTree] = [worktreeOf(open), worktreeOf(closed)];
    chmodSync(looseIn(closed).loose, 0o000);
    assert.deepEqual(readableToOthers(openTree, closedTree), [openTree]);
  });

  it('without a repository is not readable', () => {
    const empty = join(parent, 'empty');
    const fake = join(parent, 'fake');
    mkdirSync(join(fake, '.git'), { recursive: true });
    mkdirSync(empty);
    assert.deepEqual(readableToOthers(empty, fake, join(parent, 'none')), []);
  });
});
