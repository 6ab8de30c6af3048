/** Runs a step of the action as the runner does: a process with inputs, an event, and files for its outputs. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { VERSION } from '../../src/shared/version.ts';
import { writeFiles } from '../support/repository.ts';
import { COMMIT, PROJECT } from './samples.ts';

const MAIN = join(import.meta.dirname, '../../src/action/main.ts');

/** Reason to skip a test that runs Locus; false where the action can. */
export const NOT_HERE =
  process.platform === 'win32' && 'the modes index and rank run on Linux and macOS';

export interface Step {
  inputs: Record<string, string>;
  /** Event; none by default. */
  event?: unknown;
  env?: Record<string, string>;
  /** Entry of the action. */
  main?: string;
}

export interface EndedStep {
  code: number | null;
  /** Log of the step. */
  log: string;
  outputs: Record<string, string>;
  summary: string;
}

/** Runs a step in a folder, which stands for the runner's folders. */
export async function runStep(folder: string, step: Step): Promise<EndedStep> {
  const at = (name: string) => join(folder, name);
  writeFiles(folder, { output: '', summary: '', 'temp/.keep': '', 'tools/.keep': '' });
  if (step.event !== undefined) writeFileSync(at('event.json'), JSON.stringify(step.event));
  const inputs = Object.entries(step.inputs).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ]);
  const child = spawn(process.execPath, [step.main ?? MAIN], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_PATH: at('event.json'),
      GITHUB_OUTPUT: at('output'),
      GITHUB_STEP_SUMMARY: at('summary'),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: PROJECT,
      GITHUB_SHA: COMMIT,
      GITHUB_WORKSPACE: at('workspace'),
      RUNNER_TEMP: at('temp'),
      RUNNER_TOOL_CACHE: at('tools'),
      ...Object.fromEntries(inputs),
      ...step.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((end) => child.on('close', end));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = readFileSync(at('output'), 'utf8').split('\n').filter(Boolean);
  const outputs = lines.map((line) => {
    const cut = line.indexOf('=');
    return [line.slice(0, cut), line.slice(cut + 1)];
  });
  return {
    code: await ended,
    log: out + err,
    outputs: Object.fromEntries(outputs),
    summary: readFileSync(at('summary'), 'utf8'),
  };
}

/** Installs a program in place of Locus in the tool cache. @param script source of an ES module */
export function installStandIn(folder: string, script: string): void {
  const place = `tools/locus-edit/${VERSION}/${process.arch}/node_modules/locus-edit`;
  writeFiles(folder, {
    [`${place}/package.json`]: '{"type": "module"}',
    [`${place}/bin/locus.js`]: script,
  });
}
