/** Installs scripted agents as programs. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const SCRIPTS = pathToFileURL(join(import.meta.dirname, 'scripted-agent.ts')).href;

/** Everything that an agent was told. */
export interface AgentRecord {
  args: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  pid: number;
  prompts: string[];
  cancelled: boolean;
  session: { cwd: string; mcpServers: object[]; _meta?: object };
  initialize: { clientCapabilities: { fs?: object; terminal?: boolean } };
  /** Results or errors of its requests, by name. */
  results: Record<string, string>;
}

const NOTHING: AgentRecord = {
  args: [],
  env: {},
  cwd: '',
  pid: 0,
  prompts: [],
  cancelled: false,
  session: { cwd: '', mcpServers: [] },
  initialize: { clientCapabilities: {} },
  results: {},
};

export interface InstalledAgent {
  path: string;
  /** Returns what the agent recorded; empty if it was not started. */
  read(): AgentRecord;
}

/**
 * Writes a program that acts as a script of `scripted-agent.ts`.
 * @param argument passed to the script
 */
export function installAgent(
  folder: string,
  script: string,
  { name = 'agent.mjs', argument = '' } = {},
): InstalledAgent {
  const path = join(folder, name);
  const log = join(folder, `${name}.log`);
  writeFileSync(
    path,
    `#!${process.execPath}
import(${JSON.stringify(SCRIPTS)}).then(({ serve, SCRIPTS }) =>
  serve(SCRIPTS[${JSON.stringify(script)}](${JSON.stringify(log)}, ${JSON.stringify(argument)}), ${JSON.stringify(log)}));
`,
  );
  chmodSync(path, 0o755);
  return { path, read: () => readRecord(log) };
}

/** Returns a PATH on which the sandboxes do not work. */
export function breakSandboxes(folder: string, path = process.env.PATH ?? ''): string {
  for (const name of ['bwrap', 'sandbox-exec']) {
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, name), 0o755);
  }
  return [folder, path].join(delimiter);
}

/** Reads what an agent recorded in its log. */
export function readRecord(log: string): AgentRecord {
  try {
    return { ...NOTHING, ...JSON.parse(readFileSync(log, 'utf8')) };
  } catch {
    // The agent has not written it yet, or is writing it.
    return NOTHING;
  }
}

/** Waits until a process is gone. A killed one may stay as a zombie until its parent has read its status. */
export async function waitUntilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await sleep(20);
  }
}
