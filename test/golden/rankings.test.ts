/**
 * Rankings as they are: the first ten for issues at small repositories, kept under `rankings/`. A change of rank fails
 * with both lists side by side. Where it is meant: `LOCUS_UPDATE_GOLDEN=1 node --test test/golden/rankings.test.ts`,
 * and look at the diff.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import { makeRepository } from '../../src/services/sample.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const HERE = import.meta.dirname;
const REPOSITORIES = join(HERE, 'repositories');
const DEMO = join(HERE, '../../demo');
const SHOWN = 10;

interface GoldenIssue {
  name: string;
  /** Addresses of the chunks that a fix edits. */
  edited: string[];
  text: string;
}

interface Row {
  score: string;
  address: string;
  edited: boolean;
}

describe('rankings', () => {
  let scratch: string;
  before(() => {
    scratch = temporaryFolder();
  });
  after(() => removeFolder(scratch));

  for (const name of readdirSync(REPOSITORIES)) {
    test(`of ${name} are as they were`, () => {
      const folder = join(REPOSITORIES, name);
      const root = gitRepository(sourcesOf(folder));
      const issues = JSON.parse(readFileSync(join(folder, 'issues.json'), 'utf8'));
      return compare(name, root, issues).finally(() => removeFolder(root));
    });
  }

  test('of the demo, with its history, are as they were', async () => {
    const root = join(scratch, 'tasklane');
    await makeRepository(root);
    const text = readFileSync(join(DEMO, 'issue.md'), 'utf8');
    const edited = ['tasklane/retry.py::RetryPolicy.backoff'];
    return compare('tasklane', root, [{ name: 'max-delay', edited, text }]);
  });

  async function compare(name: string, root: string, issues: GoldenIssue[]): Promise<void> {
    const dataDir = join(scratch, `${name}-data`);
    const repository = await openRepository(root, { dataDir, device: 'cpu' });
    try {
      await repository.index();
      const now = new Map<string, Row[]>();
      for (const issue of issues) now.set(issue.name, await rank(repository, issue));
      const path = join(HERE, 'rankings', `${name}.txt`);
      if (process.env.LOCUS_UPDATE_GOLDEN) writeFileSync(path, written(now));
      assert.ok(existsSync(path), `${path} is missing: run with LOCUS_UPDATE_GOLDEN=1`);
      const before = read(readFileSync(path, 'utf8'));
      const changed = [...now].filter(([issue, rows]) => !sameRanks(before.get(issue), rows));
      const shown = changed.map(([issue, rows]) =>
        sideBySide(issue, before.get(issue) ?? [], rows),
      );
      assert.equal(shown.join('\n'), '', `rankings changed (then, now):\n${shown.join('\n')}`);
      assert.deepEqual([...before.keys()], [...now.keys()], 'the same issues');
    } finally {
      await repository.close();
    }
  }
});

/** The files of a repository's folder by relative path; the issues are not part of it. */
function sourcesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

async function rank(repository: Repository, { text, edited }: GoldenIssue): Promise<Row[]> {
  const { results } = await repository.search({
    issue: text,
    limit: SHOWN,
    // What models read depends on how fast a machine is.
    refine: { read: 0 },
  });
  return results.map(({ score, address }) => ({
    score: score.toFixed(2),
    address,
    edited: edited.includes(address),
  }));
}

const line = ({ score, address, edited }: Row, i: number) =>
  `${String(i + 1).padStart(2)} ${score.padStart(6)} ${edited ? '*' : ' '} ${address}`;

/** One paragraph an issue; an asterisk is before what a fix edits. */
function written(rankings: Map<string, Row[]>): string {
  const parts = Array.from(rankings, ([issue, rows]) => [issue, ...rows.map(line)].join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function read(text: string): Map<string, Row[]> {
  return new Map(
    text
      .trim()
      .split('\n\n')
      .map((part) => {
        const [issue = '', ...lines] = part.split('\n');
        const rows = lines.map((one) => {
          const [, score = '', mark = '', address = ''] = /^ *\d+ +(\S+) (.) (.*)$/.exec(one) ?? [];
          return { score, address, edited: mark === '*' };
        });
        return [issue, rows];
      }),
  );
}

function sameRanks(before: Row[] | undefined, now: Row[]): boolean {
  return before?.map(({ address }) => address).join() === now.map(({ address }) => address).join();
}

function sideBySide(issue: string, before: Row[], now: Row[]): string {
  const rows = Array.from({ length: Math.max(before.length, now.length) }, (_, i) => {
    const [left, right] = [before[i], now[i]].map((row) => (row ? line(row, i) : ''));
    return `  ${left?.padEnd(72)} | ${right}`;
  });
  return [issue, ...rows].join('\n');
}
