/** Makes one attempt: an agent, an issue, an arm. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteIndex } from '../../src/engine/index.ts';
import type { EvaluationInstance } from '../../src/services/evaluation/dataset.ts';
import { findPatchedChunks } from '../../src/services/evaluation/evaluate.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import {
  type AgentOptions,
  type AgentRun,
  type AgentTask,
  askQueue,
  fillCommand,
  getQueue,
  runCommandLine,
} from './agents.ts';
import { findRanks, readNames } from './answer.ts';
import { AttemptFolder } from './attempt-folder.ts';
import { joinPipelines, readLog } from './call-log.ts';
import { diffCheckout } from './limited-clone.ts';
import type { Outcome } from './outcome.ts';
import { describeQueue, describeShell, writePrompt } from './prompt.ts';
import { serveTools } from './tool-socket.ts';
import { type Arm, getServerCommand, ToolServer } from './tools.ts';

export interface TrialOptions extends AgentOptions {
  /** Folder with all attempts. */
  out: string;
  dataDir: string;
  /** Command line of an agent, or `queue:<folder>`. */
  agent: string;
  serverOptions: string;
}

/** An issue whose repository is ready: its base commit is copied and indexed. */
export interface PreparedIssue {
  instance: EvaluationInstance;
  /** Bare repository with the base commit and its ancestors. */
  source: string;
  /** Addresses of the functions that the fix edits. */
  edited: string[];
}

/** Returns a name for the folder of an issue, without characters that a shell or a file system treats in a special way. */
export function nameFolder(instance: string): string {
  const plain = instance.replace(/[^\w.-]+/g, '-').slice(-60);
  const isPlain = plain === instance && !/^[.-]/.test(plain);
  if (isPlain) return plain;
  return `${plain.replace(/^[.-]+/, '')}-${createHash('sha256').update(instance).digest('hex').slice(0, 6)}`;
}

export async function makeAttempt(
  issue: PreparedIssue,
  arm: Arm,
  options: TrialOptions,
): Promise<Outcome> {
  const { out, dataDir } = options;
  const { instance_id, repo } = issue.instance;
  const folder = nameFolder(instance_id);
  const place = new AttemptFolder(join(out, folder, arm));
  place.make(issue.source);
  const command = getServerCommand(arm, place.checkout, dataDir);
  if (command) await index(place.checkout, dataDir);
  const task = { name: `${folder}.${arm}`, instance: instance_id, arm, place };
  const run = await runAgent(issue, task, command, options);
  const changed = await findChanged(issue, place.checkout, dataDir);
  const named = readNames(run.answer, place.checkout);
  const calls = run.calls ?? joinPipelines(readLog(place.log));
  await removeCheckout(place, dataDir);
  const outcome: Outcome = {
    ...{ instance: instance_id, repo, arm, ending: run.ending, edited: issue.edited },
    ...{ named, changed, ranks: findRanks(issue.edited, named, changed) },
    calls: calls.length,
    bytes: calls.reduce((sum, { bytes }) => sum + bytes, 0),
    tools: Object.fromEntries(
      [...Map.groupBy(calls, ({ tool }) => tool)].map(([tool, some]) => [tool, some.length]),
    ),
    ...{ tokens: run.tokens, seconds: run.seconds },
  };
  writeFileSync(join(place.folder, 'outcome.json'), JSON.stringify(outcome, null, 2));
  return outcome;
}

async function runAgent(
  { instance }: PreparedIssue,
  task: AgentTask,
  command: readonly string[] | null,
  options: TrialOptions,
): Promise<AgentRun> {
  const { place } = task;
  const queue = getQueue(options.agent);
  if (queue === null) {
    const prompt = writePrompt(instance, place.checkout, describeShell(command !== null));
    writeFileSync(place.prompt, prompt);
    place.writePrograms(command);
    const line = fillCommand(options.agent, options.serverOptions, task);
    return runCommandLine(line, task, options);
  }
  const server = command && (await ToolServer.start(command, place.checkout));
  // The path of a socket may have about 100 characters.
  const sockets = mkdtempSync(join(tmpdir(), 'locus-trial-'));
  const socket = server && join(sockets, 'tools');
  try {
    await server?.warmUp();
    const listener = server && socket ? await serveTools(socket, server) : null;
    place.writeRun(socket);
    const tools = describeQueue(place.run, place.answer, server);
    writeFileSync(place.prompt, writePrompt(instance, place.checkout, tools));
    try {
      return await askQueue(queue, task, options);
    } finally {
      listener?.close();
    }
  } finally {
    await server?.close();
    rmSync(sockets, { recursive: true, force: true });
  }
}

/** Brings the index of a checkout up to date, so that no attempt pays for it. */
async function index(checkout: string, dataDir: string): Promise<void> {
  const repository = await openRepository(checkout, { dataDir });
  try {
    await repository.index();
  } finally {
    await repository.close();
  }
}

/** Removes a checkout and its index. */
async function removeCheckout(place: AttemptFolder, dataDir: string): Promise<void> {
  const indexed = getIndexFolder(dataDir, place.checkout);
  place.removeCheckout();
  // A server that an agent left running still has it open. It is only a copy.
  if (existsSync(indexed)) await deleteIndex(indexed).catch(() => {});
}

/** Returns the addresses of the existing functions that were edited in a checkout. */
async function findChanged(
  { source, instance }: PreparedIssue,
  checkout: string,
  dataDir: string,
): Promise<string[]> {
  const diff = diffCheckout(checkout);
  if (diff === '') return [];
  const revision = instance.base_commit;
  const repository = await openRepository(source, { dataDir, revision, readOnly: true });
  try {
    return (await findPatchedChunks(diff, repository)).map(({ address }) => address);
  } finally {
    await repository.close();
  }
}
