import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { after, describe, it } from 'node:test';
import { Access } from '../../src/services/fleet/access.ts';
import { type Entry, keyOf } from '../../src/services/fleet/catalog.ts';
import type { ForgeName } from '../../src/shared/issue-link.ts';
import { type Asked, forges } from '../issue-links/forge-server.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const ALICE = 'token-of-alice';
const BOB = 'token-of-bob';
/** What each may read; `open` is public. */
const MAY: Record<string, string[]> = { [ALICE]: ['acme/shop', 'acme/till'], [BOB]: ['acme/till'] };
const ALL = ['acme/shop', 'acme/till', 'acme/open', 'acme/vault'];

const json = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

function tokenIn({ headers }: Asked): string {
  const said = headers.authorization ?? headers['private-token'] ?? '';
  return String(said).replace(/^(Bearer|token) /, '');
}

/** Answers as the published APIs do: a list of one's own, and 404 for what one may not read. */
function answer(asked: Asked, response: ServerResponse): void {
  const mine = MAY[tokenIn(asked)] ?? [];
  const { pathname, searchParams } = new URL(asked.url, 'http://forge');
  if (pathname.endsWith('/user/repos') || pathname.endsWith('/api/v4/projects')) {
    const page = searchParams.get('page') === '1' ? mine : [];
    json(
      response,
      mine.length > 0 ? 200 : 401,
      page.map((path) => ({ full_name: path, path_with_namespace: path })),
    );
    return;
  }
  const [, path = ''] =
    /\/(?:repos|projects)\/(.*?)(?:\/repository\/branches)?$/.exec(pathname) ?? [];
  const own = decodeURIComponent(path);
  json(response, [...mine, 'acme/open'].includes(own) ? 200 : 404, {});
}

function entriesOn(origin: string, forge: ForgeName): Map<string, Entry> {
  return new Map(
    ALL.map((path) => {
      const name = `${new URL(origin).host}/${path}`;
      const entry: Entry = { name, url: `${origin}/${path}.git`, ref: null, forge };
      return [keyOf(entry), entry];
    }),
  );
}

const TOKENS: Record<ForgeName, (token: string, origin: string) => Record<string, string>> = {
  github: (token, origin) => ({ GITHUB_TOKEN: token, GH_HOST: origin }),
  gitlab: (token, origin) => ({ GITLAB_TOKEN: token, GITLAB_HOST: origin }),
  gitea: (token, origin) => ({ GITEA_TOKEN: token, GITEA_SERVER_URL: origin }),
};

async function readableBy(
  access: Access,
  entries: ReadonlyMap<string, Entry>,
): Promise<{ paths: string[]; notes: string[] }> {
  const { keys, notes } = await access.readable(entries);
  const paths = Array.from(
    keys,
    (key) => entries.get(key)?.name.split('/').slice(1).join('/') ?? '',
  );
  return { paths: paths.sort(), notes };
}

describe('who may read what', () => {
  const forgeServer = forges();
  const folder = temporaryFolder();
  after(() => removeFolder(folder));

  for (const forge of ['github', 'gitlab', 'gitea'] as const) {
    it(`is asked of ${forge} with the caller's token`, async () => {
      const { origin } = await forgeServer(answer);
      const entries = entriesOn(origin, forge);
      const as = (token: string) => new Access({ PATH: '', ...TOKENS[forge](token, origin) });
      assert.deepEqual((await readableBy(as(ALICE), entries)).paths, [
        'acme/open',
        'acme/shop',
        'acme/till',
      ]);
      assert.deepEqual((await readableBy(as(BOB), entries)).paths, ['acme/open', 'acme/till']);
      assert.deepEqual((await readableBy(new Access({ PATH: '' }), entries)).paths, ['acme/open']);
    });
  }

  it('is remembered for minutes, and asked again then', async () => {
    const server = await forgeServer(answer);
    const entries = entriesOn(server.origin, 'github');
    let now = 0;
    const access = new Access({ PATH: '', ...TOKENS.github(ALICE, server.origin) }, () => now);
    await access.readable(entries);
    const asked = server.asked.length;
    now = 4 * 60_000;
    await access.readable(entries);
    assert.equal(server.asked.length, asked);
    now = 6 * 60_000;
    MAY[ALICE] = ['acme/till'];
    try {
      assert.deepEqual((await readableBy(access, entries)).paths, ['acme/open', 'acme/till']);
    } finally {
      MAY[ALICE] = ['acme/shop', 'acme/till'];
    }
  });

  it('is nothing where the host fails, lies, or is not known', async () => {
    const failing = await forgeServer((_, response) => json(response, 500, {}));
    const odd = await forgeServer((_, response) => json(response, 200, 'all of it'));
    for (const { origin } of [failing, odd]) {
      const access = new Access({ PATH: '', ...TOKENS.github(ALICE, origin) });
      const { paths, notes } = await readableBy(access, entriesOn(origin, 'github'));
      assert.deepEqual(paths, []);
      assert.equal(notes.length, 1);
      assert.doesNotMatch(notes.join(), /token-of|acme/);
    }
    const [key, entry] = [...entriesOn(failing.origin, 'github')][0] ?? [];
    assert.ok(key && entry);
    const unknown = await new Access({}).readable(new Map([[key, { ...entry, forge: null }]]));
    assert.equal(unknown.keys.size, 0);
    assert.equal(unknown.notes.length, 1);
  });

  it('shows no host the token of another', async () => {
    const mine = await forgeServer(answer);
    const other = await forgeServer(answer);
    const access = new Access({ PATH: '', ...TOKENS.gitea(ALICE, mine.origin) });
    await access.readable(entriesOn(other.origin, 'gitea'));
    assert.ok(other.asked.length > 0);
    assert.ok(other.asked.every((one) => tokenIn(one) === ''));
  });

  it('is of a folder what its files allow', async () => {
    const entry = (url: string): [string, Entry] => [
      keyOf({ name: url, ref: null }),
      { name: url, url, ref: null, forge: null },
    ];
    const entries = new Map([entry(folder), entry(`${folder}/none`)]);
    chmodSync(folder, 0o700);
    const { keys } = await new Access({}).readable(entries);
    assert.deepEqual([...keys], [entry(folder)[0]]);
  });
});
