/** Runs `locus` as users do: outside of a test runner, so that it may start a daemon. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readLog } from '../../src/base/log-files.ts';
import { describeDaemon, stopDaemon } from '../../src/services/resident/control.ts';
import type { EngineDescription } from '../../src/services/resident/protocol.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

export const LOCUS = fileURLToPath(new URL('../../src/cli/locus.ts', import.meta.url));

export const FILES = {
  'shop/cart.py':
    'def total(items):\n    return sum(price(item) for item in items)\n\n\ndef price(item):\n    return item.price\n',
  'shop/cookies.py': 'def parse_cookie(header):\n    return header.split(";")\n',
};

/** Attempts to see a change of another process, each after a pause. */
const ATTEMPTS = 600;
const PAUSE_MS = 50;

/** Note of a command that waits for another one, which only a slow machine prints. */
const WAITING = /^locus: Another Locus process.* is writing this index\. Waiting for it.*\n/gm;

export interface CommandResult {
  code: number | null;
  stdout: string;
  /** Standard error without notes that the command waits. */
  stderr: string;
}

export class Daemons {
  readonly data = temporaryFolder();
  readonly root = gitRepository(FILES);

  /** @param t the test after which the daemon is stopped */
  constructor(t?: Pick<TestContext, 'after'>) {
    t?.after(() => this.close());
  }

  async close(): Promise<void> {
    // A busy daemon may not answer at once, and is asked again.
    await poll(async () => !(await this.#stop()) && (await this.describe()) === null);
    removeFolder(this.data);
    removeFolder(this.root);
  }

  /** Starts a command. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const { CI: _ci, NODE_TEST_CONTEXT: _test, LOCUS_NO_DAEMON: _no, ...others } = process.env;
    return spawn(process.execPath, [LOCUS, ...args], {
      env: { ...others, LOCUS_DATA_DIR: this.data, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult> {
    return finish(this.start(args, env));
  }

  search(...options: string[]): Promise<CommandResult> {
    return this.run(['search', this.root, 'the total of the cart is wrong', ...options]);
  }

  describe(): Promise<EngineDescription | null> {
    return describeDaemon(this.data);
  }

  /** Waits until a daemon has the repository open. */
  waitUntilOpen(): Promise<EngineDescription> {
    return poll(async () => {
      const daemon = await this.describe();
      return daemon?.roots.length ? daemon : null;
    });
  }

  /** Waits until a daemon has answered a search, and so has finished the update with which it starts. */
  async waitUntilIdle(): Promise<EngineDescription> {
    const before = this.countAnswers();
    await poll(async () => {
      await this.search('--fast');
      return this.countAnswers() > before;
    });
    return this.waitUntilOpen();
  }

  /** Counts the searches that engines have answered for commands. */
  countAnswers(): number {
    const { lines } = readLog(this.data, 1000);
    return lines.filter((line) => / engine\[\d+\] searched /.test(line)).length;
  }

  /** Returns false if no daemon answers. */
  #stop(): Promise<boolean> {
    return stopDaemon(this.data).catch(() => false);
  }
}

export async function finish(child: ChildProcess): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    written.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    written.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout: written.stdout, stderr: written.stderr.replace(WAITING, '') };
}

/** Returns the first result that is not false or null. */
export async function poll<T>(look: () => Promise<T | null | false>): Promise<T> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen as T;
    await sleep(PAUSE_MS);
  }
  throw new Error('It did not happen.');
}

/** Returns the output without what is measured. */
export function withoutTimes({ stdout }: CommandResult): string {
  return stdout
    .replace(/(· |in )[\d.,]+ m?s\b/g, '$1')
    .replace(/"(tookMs|milliseconds)": [\d.e-]+/g, '"$1": 0');
}
