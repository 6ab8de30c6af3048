/** The same list for the same input, from the command, an agent's tool and a window, on an idle and on a busy machine. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { readLog } from '../../src/base/log-files.ts';
import { listReasons } from '../../src/shared/evidence.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { createRepository, type GoldenRepository } from '../golden/repositories.ts';
import { LOCUS, stdioAgent } from '../mcp/agent.ts';
import { Daemons } from '../resident/daemon-process.ts';
import { scaleRounds } from '../support/effort.ts';
import { EngineWindow } from '../support/engine-window.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

/** Number of threads that use a processor each, while all searches run at once. */
const BUSY = scaleRounds(1) > 1 ? 16 : 0;
const LIMIT = 20;

interface Lists {
  command: unknown;
  tool: unknown;
  window: unknown;
  /** The command, answered by the daemon. */
  daemon: unknown;
}

describe('the list for an issue', () => {
  const scratch = temporaryFolder();
  let repository: GoldenRepository;
  let idle: Lists;
  let folders = 0;

  before(async () => {
    repository = await createRepository('courier', scratch);
    idle = await collectLists();
  });
  after(() => removeFolder(scratch));

  /** Searches from everywhere, each with an index of its own, so that nothing is cached. */
  async function collectLists(): Promise<Lists> {
    return {
      command: await askCommand(),
      tool: await askTool(),
      window: await askWindow(),
      daemon: await askDaemon(),
    };
  }

  const newDataDir = () => join(scratch, `data-${folders++}`);
  const issue = () => repository.issues[0]!.text;

  async function askCommand(): Promise<unknown> {
    const args = ['search', repository.root, '--json', '--limit', `${LIMIT}`];
    const { stdout } = await promisify(execFile)(process.execPath, [
      LOCUS,
      ...args,
      '--data-dir',
      newDataDir(),
      '--issue',
      issue(),
    ]);
    return summarize(JSON.parse(stdout));
  }

  async function askDaemon(): Promise<unknown> {
    const daemons = new Daemons();
    const search = (...options: string[]) =>
      daemons.run([
        ...['search', repository.root, '--issue', issue(), '--json', '--limit', `${LIMIT}`],
        ...options,
      ]);
    try {
      await search('--fast');
      await daemons.waitUntilOpen();
      const { stdout } = await search();
      assert.match(readLog(daemons.data, 100).lines.at(-1) ?? '', / engine\[\d+\] searched /);
      return summarize(JSON.parse(stdout));
    } finally {
      await daemons.close();
    }
  }

  async function askTool(): Promise<unknown> {
    const agent = await stdioAgent({
      dataDir: newDataDir(),
      cwd: scratch,
      args: ['--repo', repository.root],
    });
    try {
      await agent.ready(issue());
      const { value, text } = await agent.call('locate', { query: issue(), limit: LIMIT });
      return value?.results ?? assert.fail(text);
    } finally {
      await agent.close();
    }
  }

  async function askWindow(): Promise<unknown> {
    const window = await EngineWindow.open(newDataDir(), repository.root);
    try {
      for (;;) {
        const response = await window.search({ issue: issue(), limit: LIMIT });
        if (!response.partial) return summarize(response);
        await sleep(100);
      }
    } finally {
      await window.close();
    }
  }

  it('is the same from the command, the daemon and a window, and has the order of the tool', () => {
    assert.deepEqual(idle.window, idle.command);
    assert.deepEqual(idle.daemon, idle.command);
    const { results } = idle.command as ReturnType<typeof summarize>;
    const rows = idle.tool as { path: string; name: string; twins: string[] }[];
    const ranked = rows.map(({ path, name }) => `${path}::${name}`);
    assert.ok(ranked.length > 5);
    const twins = new Set(rows.flatMap((row) => row.twins));
    const own = results
      .map(({ path, qualifiedName }) => `${path}::${qualifiedName}`)
      .filter((address) => !twins.has(address));
    assert.deepEqual(ranked, own.slice(0, ranked.length));
  });

  it(`is the same, byte for byte, while all are made at once and ${BUSY} threads use processors`, async () => {
    const busy = Array.from({ length: BUSY }, () => new Worker('for (;;);', { eval: true }));
    const asked = [askCommand(), askTool(), askWindow(), askDaemon()];
    try {
      const [command, tool, window, daemon] = await Promise.all(asked);
      assert.equal(JSON.stringify({ command, tool, window, daemon }), JSON.stringify(idle));
    } finally {
      await Promise.all(busy.map((worker) => worker.terminate()));
      await Promise.allSettled(asked);
    }
  });
});

/** Returns all that must be the same: everything except times. */
function summarize({ results, issue, reranking, confidence }: SearchResponse) {
  assert.equal(reranking.state, 'reranked');
  const { milliseconds: _, ...reranked } = reranking;
  return {
    results: results.map((one) => ({ reasons: listReasons(one), ...one })),
    issue,
    reranking: reranked,
    confidence,
  };
}
