/** The process of an agent: started in an empty folder, and killed with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { killGroup } from '../../base/kill-group.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { selectVariables } from '../check/agents.ts';
import type { Investigator } from './agents.ts';
import { type Sandbox, wrapInSandbox } from './sandbox.ts';

/** Maximum length of the error output that is read, in characters. */
const MAX_ERRORS = 10_000;
/** Time that the system has to end a killed process. */
const KILL_MS = 5_000;

export interface AgentProcessOptions {
  investigator: Investigator;
  /** Real path of its program. */
  program: string;
  sandbox: Sandbox | null;
  /** Files and folders that it needs inside the sandbox. */
  readable: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

export class AgentProcess implements AsyncDisposable {
  readonly child: ChildProcess & { stdin: NodeJS.WritableStream; stdout: NodeJS.ReadableStream };
  /** Working folder, without links. */
  readonly folder: string;
  /** Resolves when the process has ended, or with an error if it did not start. */
  readonly ended: Promise<number | Error | null>;
  readonly #root: string;
  #errors = '';

  constructor({ investigator, program, sandbox, readable, env }: AgentProcessOptions) {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'locus-agent-')));
    this.folder = mkdtempSync(join(this.#root, 'work-'));
    const policyFile = join(this.#root, 'policy.toml');
    writeFileSync(policyFile, investigator.policy, { mode: PRIVATE_FILE });
    const command = [program, ...investigator.listArguments(policyFile)];
    const paths = {
      folder: this.folder,
      writable: investigator.listOwnFiles(env.HOME ?? homedir(), env),
      readable: [...readable, program, policyFile],
    };
    const [file, args] = sandbox
      ? [sandbox.program, wrapInSandbox(sandbox, paths, command)]
      : [program, command.slice(1)];
    const child = spawn(file, args, {
      cwd: this.folder,
      env: { ...selectVariables(env, investigator.variables), ...investigator.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own, which can be killed with all that the agent starts.
      detached: process.platform !== 'win32',
    });
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      this.#errors = (this.#errors + more).slice(-MAX_ERRORS);
    });
    this.child = child;
    this.ended = once(child, 'exit').then(
      ([code]) => code as number | null,
      (error: Error) => error,
    );
  }

  /** End of its error output: untrusted text. */
  get errors(): string {
    return this.#errors;
  }

  /** Kills it with everything that it started, and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    killGroup(this.child);
    await Promise.race([this.ended, sleep(KILL_MS, undefined, { ref: false })]);
    // The agent may have ended before without the processes that it started.
    killGroup(this.child);
    this.child.stdin.end();
    for (const stream of this.child.stdio) stream?.destroy();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}
