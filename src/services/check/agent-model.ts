/** Runs an agent of this machine that answers one prompt. What it prints is not trusted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defer } from '../../base/defer.ts';
import { killGroup } from '../../base/kill-group.ts';
import { PRIVATE_FILE } from '../../base/private.ts';
import { findProgram } from '../../base/programs.ts';
import type { AgentName, Endpoint } from '../../shared/check-endpoint.ts';
import { cancelled } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';
import {
  AGENTS,
  type Agent,
  type AgentFiles,
  assertHeldBack,
  DENY_ALL,
  selectVariables,
} from './agents.ts';
import {
  type ChatMessage,
  countCharacters,
  EndpointFailure,
  explainTimeout,
  type LanguageModel,
  type LanguageModelOptions,
} from './client.ts';

const MAX_ANSWER = 2_000_000;
const HELP_MS = 30_000;

export interface AgentModelOptions extends LanguageModelOptions {
  env: Readonly<Record<string, string | undefined>>;
}

/** An agent as a language model: `agent:claude`, or a program that reads a prompt and prints an answer. */
export class AgentModel implements LanguageModel {
  readonly #options: AgentModelOptions;
  /** Null for a program that Locus does not know. */
  readonly #agent: Agent | null;

  constructor(options: AgentModelOptions) {
    this.#options = options;
    this.#agent = findAgent(options.endpoint);
  }

  /**
   * Runs the agent in an empty folder.
   * @throws EndpointFailure if it is missing, fails, or takes too long
   * @throws LocusError `bad-input` if it cannot be kept from using tools; `cancelled` if the signal aborts
   */
  async ask(
    messages: readonly ChatMessage[],
    schema: object,
    signal: AbortSignal,
  ): Promise<string> {
    const { endpoint, model, budget, env } = this.#options;
    const agent = this.#agent;
    const program = findProgram([agent?.program ?? endpoint.agent ?? ''], env, process.platform);
    if (program === null)
      throw new EndpointFailure(
        `${endpoint.host} is not installed.`,
        'Install it, or correct the address in the settings of the check.',
      );
    // Without links, so that the agent's own check of its folder agrees.
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'locus-agent-')));
    using _end = defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    if (agent) assertHeldBack(agent, await this.#run(program, agent.help, '', folder, signal));
    const files = writeFiles(schema);
    using _files = defer(() => rmSync(files.folder, { recursive: true, force: true }));
    budget.spend(countCharacters(messages));
    const prompt = messages.map(({ content }) => content).join('\n\n');
    const args = agent?.listArguments(model, files) ?? [];
    const printed = await this.#run(program, args, prompt, folder, signal);
    return agent?.writesFile ? readAnswer(files.answer) : printed;
  }

  async #run(
    program: string,
    args: readonly string[],
    input: string,
    cwd: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { endpoint, timeoutMs, env } = this.#options;
    const isHelp = input === '';
    const timeout = AbortSignal.timeout(isHelp ? HELP_MS : timeoutMs);
    const child = spawn(program, args, {
      cwd,
      env: selectVariables(env, this.#agent?.variables ?? null),
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own, which can be killed with all that the agent starts.
      detached: process.platform !== 'win32',
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (more: string) => {
        output[name] = (output[name] + more).slice(0, MAX_ANSWER);
      });
    // A program that ends without reading its input says why when it ends.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = AbortSignal.any([signal, timeout]);
    const kill = () => killGroup(child);
    ended.addEventListener('abort', kill, { once: true });
    if (ended.aborted) kill();
    try {
      const [code] = await once(child, 'close');
      if (signal.aborted) throw cancelled('The check');
      if (timeout.aborted) throw explainTimeout(endpoint, timeoutMs);
      if (code !== 0) throw explainExit(endpoint, code, output.stderr || output.stdout);
      return output.stdout;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw new EndpointFailure(
        `${endpoint.host} did not start: ${escapeHidden((error as Error).message)}.`,
        'Check that it runs in a terminal.',
      );
    } finally {
      ended.removeEventListener('abort', kill);
      // The program may have ended without the processes that it started.
      kill();
    }
  }
}

function findAgent({ agent = '' }: Endpoint): Agent | null {
  return Object.hasOwn(AGENTS, agent) ? AGENTS[agent as AgentName] : null;
}

function writeFiles(schema: object): AgentFiles & { folder: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'locus-agent-')));
  const files = {
    folder,
    schema: join(folder, 'schema.json'),
    answer: join(folder, 'answer.txt'),
    policy: join(folder, 'policy.toml'),
  };
  writeFileSync(files.schema, JSON.stringify(schema), { mode: PRIVATE_FILE });
  writeFileSync(files.policy, DENY_ALL, { mode: PRIVATE_FILE });
  return files;
}

function readAnswer(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MAX_ANSWER ? readFileSync(path, 'utf8') : '';
}

function explainExit({ host }: Endpoint, code: number | null, text: string): EndpointFailure {
  const said = escapeHidden(text.replace(/\s+/g, ' ').trim()).slice(0, 200);
  return new EndpointFailure(
    `${host} ended with ${code ?? 'a signal'}${said ? `: ${said.replace(/\.$/, '')}` : ''}.`,
    'Check that it is signed in and runs in a terminal.',
  );
}
