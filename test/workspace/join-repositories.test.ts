import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import fitted from '../../models/ranker-1/workspace.json' with { type: 'json' };
import { SEARCH_PRIORITY } from '../../src/base/priority-gate.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { findRepositories } from '../../src/services/workspace/discover.ts';
import {
  joinRepositories,
  type WorkspaceRepository,
} from '../../src/services/workspace/join-repositories.ts';
import type { OpenableMember } from '../../src/services/workspace/search.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { QueryTarget, Repository } from '../../src/shared/repository.ts';
import type { CalibratedScore } from '../../src/shared/workspace.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

await keepThreads();

const COOKIES = `def parse_cookie(header):
    """Split a Cookie header into names and values."""
    return split_pairs(header)


def split_pairs(header):
    return dict(part.split("=", 1) for part in header.split(";"))
`;
const INVOICES = `class Invoice:
    """What a customer owes."""

    def total(self):
        """The sum of all lines, taxes included."""
        return sum(line.price for line in self.lines)
`;
const ISSUE = 'A Cookie header without names fails\n\n`parse_cookie` raises ValueError.';

/** Returns a member that is searched in another way. */
function searchedBy(
  member: OpenableMember,
  search: (
    repository: QueryTarget,
    ...asked: Parameters<QueryTarget['search']>
  ) => ReturnType<QueryTarget['search']>,
): OpenableMember {
  return {
    ...member,
    use: (run) =>
      member.use((repository) =>
        run({ search: (...asked) => search(repository, ...asked) } as QueryTarget),
      ),
  };
}

describe('a workspace', () => {
  let dataDir: string;
  let roots: string[];
  let repositories: Repository[];
  let several: WorkspaceRepository;
  let members: OpenableMember[];

  before(async () => {
    dataDir = temporaryFolder();
    roots = [gitRepository({ 'web/cookies.py': COOKIES }), gitRepository({ 'shop.py': INVOICES })];
    repositories = [];
    for (const root of roots) {
      const repository = await openRepository(root, { dataDir, device: 'cpu' });
      await repository.index();
      repositories.push(repository);
    }
    members = ['web', 'shop'].map((name, i) => ({
      name,
      root: roots[i]!,
      staysOpen: true,
      use: (run) => run(repositories[i]!),
    }));
    several = joinRepositories(members);
  });
  after(async () => {
    for (const repository of repositories) await repository.close();
    for (const folder of [dataDir, ...roots]) removeFolder(folder);
  });

  it('answers who refers to a function, and who changed a line, from its repository', async () => {
    const { to, references, hidden } = await several.references({
      chunk: 'web/web/cookies.py::split_pairs',
    });
    assert.equal(to.address, 'web/web/cookies.py::split_pairs');
    assert.equal(hidden, 0);
    assert.deepEqual(
      references.map(({ caller, kind, guess, sites }) => ({
        caller: caller.address,
        kind,
        guess,
        sites,
      })),
      [
        {
          caller: 'web/web/cookies.py::parse_cookie',
          kind: 'call',
          guess: false,
          sites: [{ line: 3, column: 11, text: 'return split_pairs(header)' }],
        },
      ],
    );
    const { commit } = await several.blame({ path: 'shop/shop.py', line: 1 });
    assert.equal(commit?.message, 'First');
  });

  it('lists related functions under their names in the workspace', async () => {
    const repository = repositories[0]!;
    const search: Repository['search'] = async (...asked) => {
      const response = await repository.search(...asked);
      const { address, path, qualifiedName, startLine } = response.results[1]!;
      const companion = { relation: 'changed' as const, address, path, qualifiedName, startLine };
      response.results[0]!.related = [companion];
      return response;
    };
    const use: OpenableMember['use'] = (run) => run({ search } as Repository);
    const { results } = await joinRepositories([{ ...members[0]!, use }]).search({
      issue: ISSUE,
    });
    assert.equal(results[0]?.related?.[0]?.address, results[1]?.address);
    assert.match(results[1]?.address ?? '', /^web\/web\//);
  });

  it('makes one list, each result with its repository, and the same list again', async () => {
    const first = await several.search({ issue: ISSUE });
    assert.equal(first.results[0]?.address, 'web/web/cookies.py::parse_cookie');
    assert.equal(first.results[0]?.repository, 'web');
    assert.deepEqual(
      first.repositories?.map(({ name }) => name),
      ['web', 'shop'],
    );
    assert.equal(first.partial, null);
    const again = await several.search({ issue: ISSUE });
    assert.deepEqual(again.results, first.results);
    const reversed = joinRepositories(members.toReversed());
    assert.deepEqual((await reversed.search({ issue: ISSUE })).results, first.results);
  });

  it('updates members that are opened for the search, although indexing pauses for searches', async () => {
    const opened = members.map((member) => ({
      ...member,
      staysOpen: false,
      use: async <T>(run: (repository: QueryTarget) => Promise<T>) => {
        await SEARCH_PRIORITY.waitUntilFree(AbortSignal.timeout(5000));
        return member.use(run);
      },
    }));
    const start = performance.now();
    const { results } = await joinRepositories(opened).search({ issue: ISSUE });
    assert.equal(results[0]?.address, 'web/web/cookies.py::parse_cookie');
    assert.ok(performance.now() - start < 5000, 'the search waits for itself');
  });

  it('ranks only members that can have a result in the list, without changing the list', async () => {
    const whole = await several.search({ issue: ISSUE, limit: 100 });
    assert.ok(whole.results.some(({ repository }) => repository === 'shop'));
    const ranked: string[] = [];
    const counted = members.map((member) =>
      searchedBy(member, (repository, request, options) => {
        if (!options?.estimateOnly) ranked.push(member.name);
        return repository.search(request, options);
      }),
    );
    const first = await joinRepositories(counted).search({ issue: ISSUE, limit: 1 });
    assert.deepEqual(ranked, ['web']);
    assert.deepEqual(
      first.results.map(({ address }) => address),
      [whole.results[0]?.address],
    );
    const closed = counted.map((member) => ({ ...member, staysOpen: false }));
    await joinRepositories(closed).search({ issue: ISSUE, limit: 1 });
    assert.deepEqual(ranked, ['web', 'web', 'shop'], 'a reopened repository is ranked at once');
    const [web, shop] = first.repositories ?? [];
    assert.deepEqual([web?.name, web?.results, shop?.name, shop?.results], ['web', 1, 'shop', 0]);
    assert.equal(first.considered, whole.considered);
    assert.deepEqual(first.issue, whole.issue);
  });

  it('skips members less likely than one in a hundred once the list is full', async () => {
    const rankedAt = async (odds: number, limit: number) => {
      const ranked: string[] = [];
      const standing = (name: string): CalibratedScore => ({
        chunks: 10,
        words: {},
        named: [],
        evidence: {
          likeness: name === 'web' ? 0.9 : 0.9 - Math.log(odds) / fitted.weights.likeness,
        },
        probabilities: [1, 1e-9],
      });
      const set = members.map((member) =>
        searchedBy(member, (repository, request, options) => {
          if (!options?.estimateOnly) ranked.push(member.name);
          const onStanding = () => options?.onCalibratedScore?.(standing(member.name));
          return repository.search(request, { ...options, onCalibratedScore: onStanding });
        }),
      );
      await joinRepositories(set).search({ issue: ISSUE, limit, rerank: { count: 0 } });
      return ranked;
    };
    assert.deepEqual(await rankedAt(200, 2), ['web']);
    assert.deepEqual(await rankedAt(50, 2), ['web', 'shop']);
    assert.deepEqual(await rankedAt(200, 100), ['web', 'shop'], 'there is room in the list');
  });

  it('searches the chosen repositories, and the chosen paths in them', async () => {
    const only = await several.search({ issue: ISSUE, repositories: ['shop'] });
    assert.ok(only.results.every(({ repository }) => repository === 'shop'));
    const path = await several.search({ issue: ISSUE, paths: ['web/**'] });
    assert.ok(path.results.length > 0);
    assert.ok(path.results.every(({ repository }) => repository === 'web'));
    const everywhere = await several.search({ issue: ISSUE, paths: ['*.py'] });
    assert.deepEqual(new Set(everywhere.results.map(({ repository }) => repository)).size, 2);
    await assert.rejects(several.search({ issue: ISSUE, repositories: ['wbe'] }), {
      code: 'bad-input',
      message: 'No repository is called `wbe`.',
    });
    await assert.rejects(repositories[0]!.search({ issue: ISSUE, repositories: ['web'] }), {
      code: 'bad-input',
    });
  });

  it('sends a question about a chunk or a file to its repository', async () => {
    const detail = await several.show({ chunk: 'web/web/cookies.py::parse_cookie' });
    assert.match(detail.code, /^def parse_cookie/);
    assert.equal(detail.callees[0]?.callee, 'web/web/cookies.py::split_pairs');
    assert.equal(
      (await several.show({ chunk: 'Invoice.total' })).address,
      'shop/shop.py::Invoice.total',
    );
    assert.equal((await several.file({ path: 'shop/shop.py' })).text, INVOICES);
    const around = await several.neighbors({ chunk: 'web/web/cookies.py::split_pairs' });
    assert.ok(around.nodes.some(({ address }) => address === 'web/web/cookies.py::parse_cookie'));
    assert.deepEqual(
      (await several.find({ query: 'total', limit: 5 })).map(({ address }) => address),
      ['shop/shop.py::Invoice.total'],
    );
    assert.deepEqual(
      (await several.find({ query: 'web/web/ck.py:1' })).map(({ path }) => path),
      ['web/web/cookies.py'],
    );
    await assert.rejects(several.file({ path: 'shop.py' }), { code: 'not-found' });
    await assert.rejects(several.show({ chunk: 'nothing_of_this_name' }), { code: 'not-found' });
  });

  it('finds anchors with and without the name of the repository', async () => {
    const anchor = { qualifiedName: 'parse_cookie', ordinal: 0, contentHash: null };
    const [own, alone, other] = await several.resolveAnchors({
      anchors: [
        { ...anchor, path: 'web/web/cookies.py' },
        { ...anchor, path: 'web/cookies.py' },
        { ...anchor, path: 'shop/gone.py' },
      ],
    });
    assert.equal(own?.sameAddress?.address, 'web/web/cookies.py::parse_cookie');
    assert.equal(alone?.sameAddress?.address, 'web/web/cookies.py::parse_cookie');
    assert.equal(other?.sameAddress, null);
  });

  it('applies marks in their own repository', async () => {
    const { results } = await several.search({
      issue: ISSUE,
      feedback: { edit: ['web/web/cookies.py::split_pairs'] },
    });
    const marked = results.find(({ name }) => name === 'split_pairs');
    assert.notEqual(marked?.rankWithoutMarks, undefined);
    assert.equal(
      results.find(({ repository }) => repository === 'shop')?.rankWithoutMarks,
      undefined,
    );
  });

  it('continues if a member fails, and stops when a newer search replaces it', async () => {
    const failing: OpenableMember = {
      name: 'gone',
      root: '/gone',
      staysOpen: true,
      use: () => Promise.reject(new LocusError('bad-repository', 'it is gone', 'put it back')),
    };
    const some = joinRepositories([failing, ...members]);
    const { results, repositories: told } = await some.search({ issue: ISSUE });
    assert.equal(results[0]?.repository, 'web');
    assert.equal(told?.find(({ name }) => name === 'gone')?.failure?.code, 'bad-repository');
    await assert.rejects(joinRepositories([failing]).search({ issue: ISSUE }), /is gone/);
    assert.equal((await some.status()).chunks, (await several.status()).chunks);

    const controller = new AbortController();
    let asked = 0;
    const counting = members.map((member) => ({
      ...member,
      use: <T>(run: (repository: Repository) => Promise<T>) => {
        asked++;
        controller.abort();
        return member.use(run as never) as Promise<T>;
      },
    }));
    const given = joinRepositories(counting as OpenableMember[]);
    await assert.rejects(given.search({ issue: ISSUE }, { signal: controller.signal }), {
      code: 'cancelled',
    });
    assert.equal(asked, 1);
  });
});

test('finds repositories a few folders deep, but not inside repositories, hidden folders or node_modules', async () => {
  const top = temporaryFolder();
  try {
    const make = (path: string) => {
      const root = join(top, path);
      mkdirSync(root, { recursive: true });
      writeFiles(root, { 'a.py': 'A = 1\n' });
      git(root, 'init', '-q');
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'First');
      return root;
    };
    const web = make('web');
    const deep = make('github.com/ann/tool');
    make('web/nested');
    make('.hidden/secret');
    make('node_modules/dependency');
    make('a/b/c/d/e/too-deep');
    git(web, 'worktree', 'add', '-q', join(top, 'web-fix'));
    git(top, 'clone', '-q', '--bare', web, join(top, 'mirror.git'));
    symlinkSync(web, join(top, 'link'));
    const { roots, notes } = await findRepositories(top);
    assert.deepEqual(roots, [deep, join(top, 'mirror.git'), web].sort());
    assert.deepEqual(notes, [
      `\`${join(top, 'web-fix')}\` was skipped: it is a worktree of \`${web}\`.`,
    ]);
    assert.deepEqual((await findRepositories(web)).roots, [web]);
    await assert.rejects(findRepositories(join(top, 'a')), { code: 'bad-repository' });
    await assert.rejects(findRepositories(join(top, 'none')), /cannot be listed/);
  } finally {
    removeFolder(top);
  }
});
