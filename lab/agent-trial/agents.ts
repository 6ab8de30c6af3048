/** Runs agents: a command line, or whoever answers the requests in a folder. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killGroup } from '../../src/base/kill-group.ts';
import { type AttemptFolder, quoteWord } from './attempt-folder.ts';
import { readLog } from './call-log.ts';
import type { Arm } from './tools.ts';
import { readTranscript, type Transcript } from './transcript.ts';

/** End of an attempt. One that failed or was stopped counts with what it had named or edited by then. */
export type Ending = 'answered' | 'failed' | 'timed out';

export interface AgentRun extends Transcript {
  ending: Ending;
  seconds: number;
}

/** An attempt as an agent sees it. */
export interface AgentTask {
  name: string;
  instance: string;
  arm: Arm;
  place: AttemptFolder;
}

export interface AgentOptions {
  /** Milliseconds after which an attempt is stopped. */
  limitMs: number;
  signal: AbortSignal;
}

/** Start of an `--agent` that names the folder of a queue. */
const QUEUE = 'queue:';

/** Returns the folder of a queue; null for a command line. */
export const getQueue = (agent: string): string | null =>
  agent.startsWith(QUEUE) ? resolve(agent.slice(QUEUE.length)) : null;

/**
 * Fills in a command line. `{mcp}` is the MCP configuration, `{server}` the program that starts the server, `{prompt}` the file with the
 * prompt and `{checkout}` the folder. `{server-options}` is `serverOptions`, or nothing in the arm without a server.
 */
export function fillCommand(
  template: string,
  serverOptions: string,
  { arm, place }: Pick<AgentTask, 'arm' | 'place'>,
): string {
  const values = { mcp: place.mcp, server: place.server, prompt: place.prompt };
  return Object.entries({ ...values, checkout: place.checkout }).reduce(
    (command, [name, value]) => command.replaceAll(`{${name}}`, quoteWord(value)),
    template.replaceAll('{server-options}', arm === 'rg' ? '' : serverOptions),
  );
}

/** Runs a command line in the checkout, with the prompt on its standard input. Ends it with everything that it started. */
export async function runCommandLine(
  command: string,
  { place }: AgentTask,
  { limitMs, signal }: AgentOptions,
): Promise<AgentRun> {
  const files = [place.prompt, place.transcript, place.errors].map((file, i) =>
    openSync(file, i === 0 ? 'r' : 'w'),
  );
  const start = performance.now();
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: place.checkout,
    detached: true,
    env: { ...process.env, PATH: [place.bin, process.env.PATH ?? ''].join(delimiter) },
    stdio: files as [number, number, number],
  });
  for (const file of files) closeSync(file);
  let isLate = false;
  const stop = () => killGroup(child);
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, limitMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    signal.throwIfAborted();
    const transcript = readTranscript(readFileSync(place.transcript, 'utf8'));
    const ending = isLate ? 'timed out' : code === 0 ? 'answered' : 'failed';
    return { ...transcript, ending, seconds: (performance.now() - start) / 1000 };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Milliseconds between two looks for an answer. */
const LOOK_MS = 200;
/** Milliseconds for which an answer has to be unchanged. */
const SETTLED_MS = 1000;

/**
 * Writes a request to the folder of a queue and waits until `answer.json` is written. The time starts with the first command of whoever
 * answers. A request is removed when it is answered.
 */
export async function askQueue(
  queue: string,
  { name, instance, arm, place }: AgentTask,
  { limitMs, signal }: AgentOptions,
): Promise<AgentRun> {
  const { prompt, checkout, run, answer } = place;
  const request = { instance, arm, prompt, checkout, run, answer, minutes: limitMs / 60_000 };
  const file = join(queue, `${name}.json`);
  mkdirSync(queue, { recursive: true });
  // Renamed so that nobody reads half a request.
  writeFileSync(`${file}.part`, JSON.stringify(request, null, 2));
  renameSync(`${file}.part`, file);
  try {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal });
      const first = readLog(place.log)[0]?.at;
      const written = existsSync(answer) ? statSync(answer).mtimeMs : null;
      if (written !== null && Date.now() - written > SETTLED_MS) {
        const seconds = (written - (first ?? written)) / 1000;
        return { ...readAnswer(answer), ending: 'answered', seconds };
      }
      if (written === null && first !== undefined && Date.now() - first > limitMs)
        return { ...readAnswer(answer), ending: 'timed out', seconds: limitMs / 1000 };
    }
  } finally {
    rmSync(file, { force: true });
  }
}

function readAnswer(file: string): Transcript {
  const answer = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { answer, tokens: null, calls: null };
}
