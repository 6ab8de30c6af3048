/**
 * No credential reaches a host other than its own, even if that host redirects. Each row of the table under "Credentials" in
 * SECURITY.md has a test with its name: one host redirects in every way, and other hosts record all requests.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import dns from 'node:dns';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Http2Server, type IncomingHttpHeaders } from 'node:http2';
import { type AddressInfo, connect, createServer as createProxy } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test';
import { promisify } from 'node:util';
import { ChatClient } from '../../src/services/check/chat-client.ts';
import { CheckBudget } from '../../src/services/check/client.ts';
import { AccessChecker } from '../../src/services/fleet/access.ts';
import { makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { fetchCommit } from '../../src/services/fleet/clone.ts';
import { cloneRepository } from '../../src/services/fleet/clone-repository.ts';
import { FleetEngine } from '../../src/services/fleet/engine.ts';
import { fetchIssue } from '../../src/services/issue-urls/issue-urls.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import { postComment } from '../../src/services/post/post.ts';
import { findRunningServer } from '../../src/services/running-server.ts';
import { parseEndpoint } from '../../src/shared/check-endpoint.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { CodeHostKind } from '../../src/shared/issue-url.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { fakeGh } from '../support/fake-gh.ts';
import { respondAsGit } from '../support/git-host.ts';
import {
  type Certificate,
  type Heard,
  type LoopbackHost,
  makeCertificate,
  type Respond,
  respondRaw,
  startLoopbackHost,
  trust,
} from '../support/loopback.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const CREDENTIAL = 'S3cretThatNobodyElseIsToSee';
const BASIC = Buffer.from(`oauth2:${CREDENTIAL}`).toString('base64');
const STATUSES = [301, 302, 303, 307, 308];

const folder = temporaryFolder();
const draw = uniform();
const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;
let certificate: Certificate;
let distrust: () => void;
/** Hosts that redirect, by `respond`, and hosts that record requests. */
let first: Record<Scheme, LoopbackHost>;
let other: Record<Scheme, LoopbackHost>;
let respond: Respond = () => {};
const environment = { ...process.env };

type Scheme = 'http' | 'https';

before(async () => {
  certificate = makeCertificate();
  distrust = trust(certificate);
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificate.cert);
  writeFileSync(join(folder, 'gitconfig'), `[http]\n\tsslCAInfo = ${authority}\n`);
  const source = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
  git(folder, 'clone', '-q', '--bare', source, 'hosted/acme/shop.git');
  removeFolder(source);
  Object.assign(process.env, {
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'never-sent',
    AWS_SESSION_TOKEN: CREDENTIAL,
    AWS_EC2_METADATA_DISABLED: 'true',
  });
  const redirects: Respond = (heard, response) => respond(heard, response);
  // The recording hosts answer like git, which makes clients continue furthest.
  const records: Respond = (heard, response) =>
    /git|info\/refs/.test(heard.url)
      ? respondAsGit(join(folder, 'hosted'), heard, response)
      : respondRaw(response, 200, ['Content-Type: application/json'], '{}');
  first = {
    http: await startLoopbackHost(redirects),
    https: await startLoopbackHost(redirects, certificate),
  };
  other = {
    http: await startLoopbackHost(records),
    https: await startLoopbackHost(records, certificate),
  };
});
after(async () => {
  for (const host of [...Object.values(first), ...Object.values(other)]) await host.close();
  distrust();
  process.env = environment;
  removeFolder(folder);
});
beforeEach(forget);

function forget(): void {
  for (const host of [...Object.values(first), ...Object.values(other)]) host.heard.length = 0;
}

/** Request that carries a credential. */
interface Row {
  schemes: readonly Scheme[];
  /** Sends the request, and further ones if it succeeds. May fail. */
  send(origin: string): Promise<unknown>;
  isShown(heard: Heard): boolean;
  /** Answers to the requests before the redirect, in order, as the service gives them. */
  answers?: Respond[];
  /** True if a case takes more than a few milliseconds. Then only random cases are run. */
  isSlow?: boolean;
}

const bearer = ({ headers }: Heard) => String(headers.authorization ?? '').includes(CREDENTIAL);
const json =
  (value: unknown): Respond =>
  (_, response) =>
    respondRaw(response, 200, ['Content-Type: application/json'], JSON.stringify(value));

const TOKENS: Record<CodeHostKind, (origin: string) => Record<string, string>> = {
  github: (origin) => ({ GITHUB_TOKEN: CREDENTIAL, GH_HOST: origin }),
  gitlab: (origin) => ({ GITLAB_TOKEN: CREDENTIAL, GITLAB_HOST: origin }),
  gitea: (origin) => ({ GITEA_TOKEN: CREDENTIAL, GITEA_SERVER_URL: origin }),
};

const issueUrl = (forge: CodeHostKind): Row => ({
  schemes: ['http', 'https'],
  send: (origin) =>
    fetchIssue(
      { origin, project: 'acme/shop', number: 7, kind: 'issue', codeHosts: [forge] },
      { env: { PATH: '', ...TOKENS[forge](origin) }, comments: true, milliseconds: 5_000 },
    ),
  isShown: bearer,
  answers: [json({ title: 'A title', body: 'A body', description: 'A body' })],
});

const READABLE = {
  full_name: 'acme/shop',
  path_with_namespace: 'acme/shop',
  private: true,
  default_branch: 'main',
  permissions: { pull: true },
};

const hostApi = (forge: CodeHostKind): Row => ({
  schemes: ['http', 'https'],
  send: async (origin) => {
    const name = `${new URL(origin).host}/acme/shop`;
    const entry = { name, url: `${origin}/acme/shop.git`, ref: null, forge };
    const access = new AccessChecker(
      { PATH: '', ...TOKENS[forge](origin) },
      { milliseconds: 5_000 },
    );
    const { keys } = await access.findReadable(new Map([[makeRepositoryKey(entry), entry]]));
    assert.equal(keys.size, 0);
  },
  isShown: ({ headers }) =>
    [headers.authorization, headers['private-token']].join().includes(CREDENTIAL),
  answers: [
    json([]),
    // This is the last request to GitHub.
    ...(forge === 'github' ? [] : [json(READABLE)]),
  ],
});

const overGit = (fetch: (url: string) => Promise<unknown>): Row => {
  const asGit: Respond = (heard, response) => respondAsGit(join(folder, 'hosted'), heard, response);
  return {
    schemes: ['https'],
    send: (origin) => fetch(`${origin}/acme/shop.git`),
    isShown: ({ headers }) => headers.authorization === `Basic ${BASIC}`,
    answers: [asGit, asGit],
    isSlow: true,
  };
};
const emptyFolder = () => mkdtempSync(join(folder, 'into-'));
const authorization = `Basic ${BASIC}`;

const ROWS: Record<string, Row> = {
  'issue URL on GitHub': issueUrl('github'),
  'issue URL on GitLab': issueUrl('gitlab'),
  'issue URL on Gitea': issueUrl('gitea'),
  'read access on GitHub': hostApi('github'),
  'read access on GitLab': hostApi('gitlab'),
  'read access on Gitea': hostApi('gitea'),
  'fetch of a fleet repository': overGit((url) =>
    fetchCommit(emptyFolder(), { url, ref: null }, authorization),
  ),
  'clone of a fleet repository': overGit((url) =>
    cloneRepository({ url, ref: null }, emptyFolder(), { authorization }),
  ),
  check: {
    schemes: ['http', 'https'],
    send: async (origin) => {
      const client = new ChatClient({
        endpoint: parseEndpoint(`${origin}/v1`),
        model: 'm',
        key: CREDENTIAL,
        budget: new CheckBudget({ requests: 9, characters: 1_000 }, () => {}),
        timeoutMs: 5_000,
        backoffMs: 1,
      });
      const ask = () =>
        client.ask([{ role: 'user', content: 'code' }], {}, new AbortController().signal);
      await ask();
      await ask();
    },
    isShown: bearer,
    answers: [json({ choices: [{ message: { content: 'yes' } }] })],
  },
  'objects in S3': {
    schemes: ['http', 'https'],
    send: async (origin) => {
      const store = await openObjects(`s3://bucket/prefix?endpoint=${origin}`);
      try {
        await store.get('one');
        await store.put('one', Buffer.from('1'), null);
      } finally {
        store.close();
      }
    },
    isShown: ({ headers }) =>
      headers['x-amz-security-token'] === CREDENTIAL &&
      String(headers.authorization).includes('AKIATEST'),
    answers: [json({ one: 1 })],
    isSlow: true,
  },
  'running server': {
    schemes: ['http'],
    send: (origin) => {
      const dataDir = emptyFolder();
      mkdirSync(join(dataDir, 'servers'));
      writeFileSync(
        join(dataDir, 'servers', `${process.pid}.json`),
        JSON.stringify({ at: 1, pid: process.pid, url: `${origin}/?token=${CREDENTIAL}` }),
      );
      return findRunningServer(dataDir);
    },
    isShown: ({ headers }) => headers.authorization === `Bearer ${CREDENTIAL}`,
  },
  'objects on the web': {
    schemes: ['http', 'https'],
    send: async (origin) => (await openObjects(`${origin}/shared`)).get('one'),
    // It has no credential. The control is that the request arrives.
    isShown: ({ url }) => url === '/shared/one',
    isSlow: true,
  },
};

interface Target {
  from: LoopbackHost;
  to: LoopbackHost;
  path: string;
}

/** Headers that redirect. A host that is reached by one of them records it. */
const LOCATIONS: Record<string, (target: Target) => string[]> = {
  'an address': ({ to, path }) => [`Location: ${to.origin}${path}`],
  'an address without a scheme': ({ to, path }) => [`Location: //${to.host}${path}`],
  'an address with backslashes': ({ to, path }) => [`Location: \\\\${to.host}${path}`],
  'a slash and a backslash': ({ to, path }) => [`Location: /\\${to.host}${path}`],
  'a user and a password': ({ to, path }) => [`Location: ${withUser(to, 'user:password')}${path}`],
  'the first host as user': ({ from, to, path }) => [`Location: ${withUser(to, from.host)}${path}`],
  'its name': ({ to, path }) => [`Location: ${to.origin.replace('127.0.0.1', 'localhost')}${path}`],
  capitals: ({ to, path }) => [`LOCATION: ${to.origin.toUpperCase()}${path}`],
  'a tab in the scheme': ({ to, path }) => [`Location: ht\ttp${to.origin.slice(4)}${path}`],
  'a control character': ({ to, path }) => [`Location: \u0001${to.origin}${path}`],
  'a line separator': ({ to, path }) => [`Location: \u0085${to.origin}${path}`],
  'an escape sequence': ({ to, path }) => [`Location: ${to.origin}/\u001b[2J\u0007${path}`],
  'the end of a line': ({ to, path }) => [`Location: \r${to.origin}${path}`],
  'two addresses': ({ to, path }) => [`Location: ${path}x`, `Location: ${to.origin}${path}`],
  'another place on the first host': ({ path }) => [`Location: /hop${path}`],
  'a header Refresh': ({ to, path }) => [
    `Refresh: 0; url=${to.origin}${path}`,
    `Content-Location: ${to.origin}${path}`,
  ],
  'a letter drawn at random': ({ to, path }) => {
    const address = `${to.origin}${path}`;
    const at = Math.floor(draw() * (to.origin.length + 2));
    const letter = String.fromCharCode(Math.floor(draw() * 256)).replace('\n', '\t');
    return [`Location: ${address.slice(0, at)}${letter}${address.slice(at + Math.round(draw()))}`];
  },
};

const withUser = ({ origin, host }: LoopbackHost, user: string) =>
  origin.replace(host, `${user}@${host}`);

/** Ways to redirect without a redirect status. */
const PAGES: Record<string, (target: Target) => [lines: string[], body: string]> = {
  'a header Refresh': ({ to, path }) => [[`Refresh: 0; url=${to.origin}${path}`], '{}'],
  'a page with a refresh': ({ to, path }) => [
    ['Content-Type: text/html'],
    `<meta http-equiv="refresh" content="0; url=${to.origin}${path}"><script>location = '${to.origin}'</script>`,
  ],
  'another service': ({ to }) => [
    [`Alt-Svc: h2="${to.host}"; ma=86400, http/1.1="${to.host}"; persist=1`],
    '{}',
  ],
  'links and a location': ({ to, path }) => [
    [
      `Location: ${to.origin}${path}`,
      `Link: <${to.origin}${path}>; rel="next", <${to.origin}${path}>; rel=preload`,
      'Content-Type: application/json',
    ],
    '{}',
  ],
};

interface Case {
  what: string;
  scheme: Scheme;
  target: Scheme;
  /** Number of successful requests before the redirect. */
  later: number;
  redirect: Respond;
}

function* listCases({ schemes, answers = [], isSlow = false }: Row): Generator<Case> {
  const names = Object.keys(LOCATIONS);
  const of = (
    status: number,
    name: string,
    scheme: Scheme,
    target: Scheme,
    later: number,
  ): Case => ({
    what: `${status} to ${name} (${target}) from ${scheme} after ${later}`,
    scheme,
    target,
    later,
    redirect: ({ url: path }, response) => {
      const at = { from: first[scheme], to: other[target], path };
      const location = path.startsWith('/hop') ? LOCATIONS['an address'] : LOCATIONS[name];
      respondRaw(response, status, location?.(at) ?? []);
    },
  });
  const page = (name: string, scheme: Scheme, target: Scheme): Case => ({
    what: `200 with ${name} (${target}) from ${scheme}`,
    scheme,
    target,
    later: 0,
    redirect: ({ url: path }, response) => {
      const answer = PAGES[name]?.({ from: first[scheme], to: other[target], path });
      respondRaw(response, 200, ...(answer ?? [[]]));
    },
  });
  const laters = Array.from({ length: answers.length + 1 }, (_, later) => later);
  const targets: Scheme[] = ['http', 'https'];
  for (const scheme of schemes) {
    for (const name of Object.keys(PAGES)) yield page(name, scheme, pick(targets));
    if (isSlow) for (const status of STATUSES) yield of(status, 'an address', scheme, scheme, 0);
    else
      for (const status of STATUSES)
        for (const name of names) yield of(status, name, scheme, pick(targets), 0);
    for (const later of laters) yield of(pick(STATUSES), 'an address', scheme, scheme, later);
  }
  for (let round = 0; round < scaleRounds(isSlow ? 5 : 20); round++)
    yield of(pick(STATUSES), pick(names), pick(schemes), pick(targets), pick(laters));
}

for (const [name, row] of Object.entries(ROWS)) {
  it(`${name}: no redirect takes the credential elsewhere`, async () => {
    const { schemes, send, isShown, answers = [] } = row;
    for (const scheme of schemes) {
      await send(other[scheme].origin).catch(() => {});
      assert.ok(other[scheme].heard.some(isShown), `control: ${scheme} records requests`);
    }
    const connections = () => other.http.connections() + other.https.connections();
    let cases = 0;
    for (const { what, scheme, later, redirect } of listCases(row)) {
      forget();
      const before = connections();
      let turn = 0;
      respond = (heard, response) =>
        (turn < later ? (answers[turn++] ?? redirect) : redirect)(heard, response);
      const said = `seed ${SEED}: ${what}`;
      const error = await Promise.resolve(send(first[scheme].origin)).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      assert.ok(first[scheme].heard.length > later, `control: ${said} was sent`);
      assert.ok(first[scheme].heard.some(isShown), `control: ${said} carried the credential`);
      for (const host of Object.values(other)) assert.deepEqual(host.heard, [], said);
      assert.equal(connections(), before, said);
      if (error instanceof assert.AssertionError) throw error;
      if (error instanceof Error) checkWords(error, said);
      cases++;
    }
    assert.ok(cases > 10);
  });
}

describe('the engine of a fleet', () => {
  /** Engine, and the credentials that it has received. */
  interface Shown {
    headers: IncomingHttpHeaders[];
    connections: number;
  }
  const running: Http2Server[] = [];
  afterEach(async () => {
    mock.restoreAll();
    for (const server of running.splice(0)) server.close();
  });

  /** Starts an unencrypted gRPC server that answers every call with these headers. */
  async function engine(answer: Record<string, string | number>) {
    const shown: Shown = { headers: [], connections: 0 };
    const server = createServer();
    server.on('connection', () => {
      shown.connections++;
    });
    server.on('stream', (stream, headers) => {
      shown.headers.push(headers);
      stream.respond(answer, { endStream: true });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    running.push(server);
    const { port } = server.address() as AddressInfo;
    return { shown, port, address: `http://127.0.0.1:${port}` };
  }
  const unimplemented = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': 12 };
  const open = (address: string) =>
    FleetEngine.open({ address, token: `root:${CREDENTIAL}`, model: 'm', dimensions: 4 }).then(
      () => assert.fail('it is no Milvus'),
      (error: unknown) => error,
    );
  const TOKEN = Buffer.from(`root:${CREDENTIAL}`).toString('base64');
  const wasShown = ({ headers }: Shown) =>
    headers.some(({ authorization }) => authorization === TOKEN);

  it('cannot redirect to another engine', async () => {
    const second = await engine(unimplemented);
    for (const status of STATUSES) {
      const redirecting = await engine({
        ':status': status,
        location: `${second.address}/milvus.proto.milvus.MilvusService/Connect`,
        'alt-svc': `h2="127.0.0.1:${second.port}"`,
      });
      const error = await open(redirecting.address);
      assert.ok(wasShown(redirecting.shown), 'control: the first engine received it');
      assert.ok(error instanceof LocusError);
      checkWords(error, String(status));
    }
    assert.equal(second.shown.connections, 0);
    await open(second.address);
    assert.ok(wasShown(second.shown), 'control: it records credentials');
  });

  it('cannot be replaced by way of its name', async () => {
    const second = await engine(unimplemented);
    const named = await engine(unimplemented);
    const topology = {
      version: '1',
      clusters: [{ clusterId: 'x', endpoint: second.address, capability: 3 }],
    };
    respond = json({ code: 0, data: topology });
    const names: unknown[] = [];
    const redirected =
      (original: (...all: never[]) => unknown) =>
      (name: unknown, ...rest: unknown[]) => {
        names.push(name);
        return Reflect.apply(original, dns, ['127.0.0.1', ...rest]);
      };
    mock.method(dns, 'lookup', redirected(dns.lookup));
    mock.method(dns.promises, 'lookup', redirected(dns.promises.lookup));
    // Over HTTPS, the client would fetch the addresses of other engines.
    const secure = first.https.host.replace('127.0.0.1', 'in01-global-cluster.localhost');
    await open(`http://in01-global-cluster.localhost:${named.port}`);
    assert.ok(wasShown(named.shown), 'control: the first engine received it');
    await open(`https://${secure}`);
    assert.ok(names.length > 0, 'control: the name was looked up');
    assert.deepEqual(first.https.heard, []);
    assert.equal(second.shown.connections, 0);
    await open(second.address);
    assert.ok(wasShown(second.shown), 'control: it records credentials');
  });
});

describe('posting', { skip: process.platform === 'win32' }, () => {
  it('passes gh no credential of another host', async () => {
    const gh = fakeGh();
    const foreign = {
      GITLAB_TOKEN: CREDENTIAL,
      GITEA_TOKEN: CREDENTIAL,
      FORGEJO_TOKEN: CREDENTIAL,
      LOCUS_FLEET_TOKEN: CREDENTIAL,
      LOCUS_CHECK_API_KEY: CREDENTIAL,
      LOCUS_PUBLISHER_KEY: CREDENTIAL,
      AWS_SECRET_ACCESS_KEY: CREDENTIAL,
      AWS_SESSION_TOKEN: CREDENTIAL,
      NPM_PASSWORD: CREDENTIAL,
    };
    try {
      const target = {
        label: 'acme/shop#7',
        host: 'github.com',
        project: 'acme/shop',
        number: 7,
        url: 'https://github.com/acme/shop/issues/7',
      };
      const own = { GH_TOKEN: 'own-1', GITHUB_TOKEN: 'own-2', GH_ENTERPRISE_TOKEN: 'own-3' };
      await postComment(target, 'A list', {
        env: { ...process.env, PATH: gh.path, ...own, ...foreign },
      });
      const { environment = {} } = gh.asked() ?? {};
      for (const [name, value] of Object.entries(own))
        assert.equal(environment[name], value, 'control: gh gets its own');
      assert.ok(!JSON.stringify(environment).includes(CREDENTIAL));
    } finally {
      removeFolder(gh.folder);
    }
  });
});

describe('git', () => {
  const asGit: Respond = (heard, response) => respondAsGit(join(folder, 'hosted'), heard, response);
  const url = () => `${first.https.origin}/acme/shop.git`;
  const fetchWith = (credential: string | null) =>
    fetchCommit(emptyFolder(), { url: url(), ref: null }, credential);
  const clone = () => cloneRepository({ url: url(), ref: null }, emptyFolder(), { authorization });
  /** Adds lines to git's configuration until the test ends. */
  function configure(...lines: string[]): void {
    const path = join(emptyFolder(), 'gitconfig');
    const own = readFileSync(join(folder, 'gitconfig'), 'utf8');
    writeFileSync(path, `${own}${lines.join('\n')}\n`);
    process.env.GIT_CONFIG_GLOBAL = path;
  }
  function bareFolder(): string {
    const path = emptyFolder();
    git(path, 'init', '-q', '--bare');
    return path;
  }
  /** Runs plain git with the same configuration. */
  const plain = (...args: string[]) =>
    promisify(execFile)('git', args, { cwd: bareFolder(), env: { ...process.env, ...SILENT } });
  const SILENT = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    // An environment variable of the machine would override the configuration.
    GIT_SSL_CAINFO: join(folder, 'authority.pem'),
  };
  const hostedConfig = join(folder, 'hosted/acme/shop.git/config');
  let unchanged: string;
  before(() => {
    unchanged = readFileSync(hostedConfig, 'utf8');
  });
  afterEach(() => {
    process.env.GIT_CONFIG_GLOBAL = join(folder, 'gitconfig');
    writeFileSync(hostedConfig, unchanged);
  });
  const hosted = (...args: string[]) => git(join(folder, 'hosted/acme/shop.git'), ...args);
  const reached = () => other.https.heard.length > 0;

  it('reports the address of a redirect and what to do', async () => {
    respond = ({ url: path }, response) =>
      respondRaw(response, 301, [
        `Location: ${withUser(other.https, 'user:password')}/new/shop.git${path.slice('/acme/shop.git'.length)}&x=1#y`,
      ]);
    for (const credential of [authorization, null])
      await assert.rejects(fetchWith(credential), {
        code: 'bad-repository',
        message: `${first.https.host} redirects git to ${other.https.origin}/new/shop.git, and Locus does not follow it.`,
        remedy: /^If you trust the new address, add the repository by it/,
      });
    assert.ok(!reached());
  });

  const PERCENT = CREDENTIAL.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  for (const quoted of [CREDENTIAL, BASIC, CREDENTIAL.toLowerCase(), PERCENT])
    it(`does not report an address that repeats the credential (${quoted.slice(0, 8)})`, async () => {
      respond = (_, response) =>
        respondRaw(response, 302, [`Location: ${other.https.origin}/${quoted}/info/refs`]);
      await assert.rejects(fetchWith(authorization), {
        message: `${first.https.host} redirects git to another address, and Locus does not follow it.`,
      });
    });

  /** User configurations with which plain git contacts other hosts. */
  const CONFIGURED: Record<string, () => { lines: string[]; respond: Respond }> = {
    'redirects for all': () => ({
      lines: ['[http]', 'followRedirects = true'],
      respond: ({ url: path }, response) =>
        respondRaw(response, 307, [`Location: ${other.https.origin}${path}`]),
    }),
    'redirects for the repository': () => ({
      lines: [`[http "${url()}"]`, 'followRedirects = true'],
      respond: ({ url: path }, response) =>
        respondRaw(response, 307, [`Location: ${other.https.origin}${path}`]),
    }),
    'bundles of the server': () => {
      hosted('config', 'uploadpack.advertiseBundleURIs', 'true');
      hosted('config', 'bundle.version', '1');
      hosted('config', 'bundle.mode', 'all');
      hosted('config', 'bundle.x.uri', `${other.https.origin}/x.bundle`);
      return { lines: ['[transfer]', 'bundleURI = true'], respond: asGit };
    },
    'bundles from an address': () => ({
      lines: ['[fetch]', `bundleURI = ${other.https.origin}/x.bundle`],
      respond: asGit,
    }),
    'packs of the server': () => {
      const blob = hosted('rev-parse', 'HEAD:a.py');
      const uri = `${other.https.origin}/x.pack`;
      hosted('config', 'uploadpack.allowSidebandAll', 'true');
      hosted('config', 'uploadpack.blobPackfileUri', `${blob} ${'0'.repeat(40)} ${uri}`);
      return { lines: ['[fetch]', 'uriProtocols = https'], respond: asGit };
    },
    'alternates of a plain web server': () => ({
      lines: ['[http]', 'followRedirects = true'],
      respond: ({ url: path }, response) => {
        const commit = hosted('rev-parse', 'HEAD');
        const files: Record<string, string> = {
          'info/refs': `${commit}\trefs/heads/main\n`,
          HEAD: 'ref: refs/heads/main\n',
          'objects/info/http-alternates': `${other.https.origin}/git/objects\n`,
        };
        const [name = ''] = path.replace('/acme/shop.git/', '').split('?');
        respondRaw(response, files[name] === undefined ? 404 : 200, [], files[name]);
      },
    }),
  };
  const gitVersion = Number(
    /\d+\.\d+/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.[0],
  );
  for (const [what, prepare] of Object.entries(CONFIGURED))
    it(`contacts only the given address, though configured to use ${what}`, async () => {
      const { lines, respond: behave } = prepare();
      configure(...lines);
      respond = behave;
      const header = `http.${first.https.origin}/.extraHeader=Authorization: ${authorization}`;
      // One of the two git commands that Locus uses. Both fail, since their targets do not exist.
      await plain('-c', header, 'clone', '-q', url(), 'cloned').catch(() => {});
      await plain('-c', header, 'fetch', '-q', url(), 'HEAD').catch(() => {});
      // Git follows bundle URIs since 2.40.
      const isFollowed = !what.startsWith('bundles') || gitVersion >= 2.4;
      assert.equal(reached(), isFollowed, 'control: plain git contacts it');
      for (const ask of [() => fetchWith(authorization), clone]) {
        forget();
        await ask().catch(() => {});
        assert.ok(first.https.heard.some((heard) => heard.headers.authorization === authorization));
        assert.deepEqual(other.https.heard, []);
      }
    });

  it('sends no token if insteadOf leads to another host', async () => {
    respond = asGit;
    configure(`[url "${other.https.origin}/git/"]`, `insteadOf = ${first.https.origin}/acme/`);
    await fetchWith(authorization).catch(() => {});
    assert.ok(reached(), 'control: the configuration is in force');
    assert.ok(other.https.heard.every(({ headers }) => headers.authorization === undefined));
    assert.deepEqual(first.https.heard, []);
  });

  it('reveals only the host to a proxy', async () => {
    let said = '';
    const proxy = createProxy((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        said += bytes.toString('latin1');
        const through = connect(Number(new URL(first.https.origin).port), '127.0.0.1');
        through.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.on('data', (more) => {
          said += more.toString('latin1');
        });
        socket.pipe(through).pipe(socket);
      });
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    try {
      const { port } = proxy.address() as AddressInfo;
      configure('[http]', `proxy = http://user:password@127.0.0.1:${port}`);
      respond = asGit;
      await fetchWith(authorization);
      assert.match(said, new RegExp(`^CONNECT ${first.https.host} `), 'control: it is used');
      assert.ok(first.https.heard.some(({ headers }) => headers.authorization === authorization));
      for (const secret of [BASIC, CREDENTIAL, 'acme']) assert.ok(!said.includes(secret));
    } finally {
      proxy.close();
    }
  });

  it('does not write the token to a trace', async () => {
    const trace = join(emptyFolder(), 'trace');
    const variables = {
      GIT_TRACE: trace,
      GIT_TRACE_CURL: trace,
      GIT_TRACE_SETUP: trace,
      GIT_TRACE_REDACT: '0',
      GIT_CURL_VERBOSE: '1',
      GIT_TRACE2: trace,
      GIT_TRACE2_EVENT: trace,
    };
    configure(
      ...['[trace2]', `normalTarget = ${trace}`, `eventTarget = ${trace}`, `perfTarget = ${trace}`],
      ...['configParams = http.*', 'envVars = GIT_CONFIG_VALUE_0'],
    );
    const setting = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${first.https.origin}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
    };
    const written = () => (existsSync(trace) ? readFileSync(trace, 'utf8') : '');
    respond = asGit;
    Object.assign(process.env, setting);
    try {
      await plain('fetch', '-q', url(), 'HEAD');
      assert.ok(written().includes(BASIC), 'control: plain git writes it');
    } finally {
      for (const name of Object.keys(setting)) delete process.env[name];
    }
    writeFileSync(trace, '');
    Object.assign(process.env, variables);
    try {
      await fetchWith(authorization);
      await clone();
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
    assert.ok(first.https.heard.some(({ headers }) => headers.authorization === authorization));
    assert.ok(!written().includes(BASIC));
  });
});

it('a bucket that redirects is reported as moved, never as empty', async () => {
  const store = await openObjects(`s3://bucket/prefix?endpoint=${first.http.origin}`);
  const missing = (status: number): Respond => {
    const body = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>';
    return (_, response) => respondRaw(response, status, ['Content-Type: application/xml'], body);
  };
  try {
    respond = missing(404);
    assert.equal(await store.get('one'), null, 'control: an object that is missing');
    for (const status of STATUSES) {
      forget();
      respond = missing(status);
      await assert.rejects(store.get('one'), {
        code: 'bad-objects',
        message: /the bucket is in another region or at another address/,
        remedy: /\?region=/,
      });
      assert.equal(first.http.heard.length, 1, 'one request');
    }
  } finally {
    store.close();
  }
});

/** Asserts that a message contains neither the credential nor control characters. */
function checkWords(error: Error, said: string): void {
  const { remedy = '' } = error as Partial<LocusError>;
  const text = `${error.message} ${remedy}`;
  for (const secret of [CREDENTIAL, BASIC]) assert.ok(!text.includes(secret), said);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
  assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f]/, said);
}
