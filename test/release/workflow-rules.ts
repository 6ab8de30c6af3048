/** Rules for what a workflow or an action may do. Each returns its faults. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

export interface Job {
  needs?: string | string[];
  uses?: string;
  steps?: Step[];
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
}

export interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  concurrency?: unknown;
  env?: unknown;
  jobs: Record<string, Job>;
}

export const parseWorkflow = (text: string): Workflow => parse(text);

/** A step's action with its full commit hash and, in a comment, the version. Actions of the repository itself start with `./`. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** Actions without a full commit hash. The text may be that of a workflow or an action. */
export function findUnpinned(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /\buses:/.test(line) && !/uses: \.\//.test(line) && !PINNED.test(line))
    .map((line) => `not pinned: ${line.trim()}`);
}

/** Expressions in scripts. What strangers write, such as the title of an issue, would run as code; a variable of `env` does not. */
export function findInterpolated(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const isScript = key === 'run' || key === 'script';
      if (isScript && typeof inner === 'string' && inner.includes('${' + '{'))
        found.push(`expression in a script: ${inner}`);
      visit(inner);
    }
  };
  visit(parse(text));
  return found;
}

/** Programs and files in the scripts of a workflow that do not exist. */
export function findMissing({ jobs }: Workflow, scripts: Record<string, string>): string[] {
  const texts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = '' }) => run));
  const all = (pattern: RegExp) =>
    texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name = '']) => name));
  const hasFile = (path: string) => existsSync(join(ROOT, path));
  const hasProgram = (name: string) =>
    ['', '.cmd'].some((end) => hasFile(`node_modules/.bin/${name}${end}`));
  return [
    ...all(/\bnpm run ([\w:-]+)/g).filter((name) => !Object.hasOwn(scripts, name)),
    ...all(/\bnpm (test|start)\b/g).filter((name) => !Object.hasOwn(scripts, name)),
    ...all(/\bnode ([\w./-]+)/g).filter((path) => !hasFile(path)),
    ...all(/\bnpx ([\w-]+)/g).filter((name) => !hasProgram(name)),
    ...Object.values(jobs).flatMap(({ uses = './' }) => (hasFile(uses) ? [] : [uses])),
  ].map((name) => `does not exist: ${name}`);
}

/** Programs of an action that do not exist. @param folder of its action.yml */
export function findMissingPrograms(text: string, folder: string): string[] {
  const { runs } = parse(text);
  return [runs.main, runs.pre, runs.post]
    .filter((name) => name !== undefined && !existsSync(join(folder, name)))
    .map((name) => `does not exist: ${name}`);
}

/** Permissions to write of each job that has some. Jobs without permissions of their own have those of the workflow. */
export function listWritePermissions({ jobs, permissions }: Workflow): Record<string, string[]> {
  return collect(jobs, (job) =>
    Object.entries(job.permissions ?? permissions ?? { 'everything by default': 'write' })
      .filter(([, level]) => level !== 'read' && level !== 'none')
      .map(([name]) => name),
  );
}

/** Secrets that each job reads. The token that every job has is limited by its permissions. */
export function listSecrets({ jobs }: Workflow): Record<string, string[]> {
  return collect(jobs, (job) => {
    const text = JSON.stringify(job);
    const named = Array.from(text.matchAll(/\bsecrets\.(\w+)/g), ([, name = '']) => name);
    const all = /"secrets":|\bsecrets\b(?!\.\w)/.test(text) ? ['all of them'] : [];
    return [...new Set([...named, ...all])];
  });
}

/** Jobs that may write and also run code of packages, which could use the right. */
export function findExposedJobs(workflow: Workflow): string[] {
  return Object.keys(listWritePermissions(workflow))
    .filter((name) =>
      workflow.jobs[name]?.steps?.some(({ run = '' }) => /(^|[;&|\n])\s*(npm|npx)\b/.test(run)),
    )
    .map((name) => `${name} may write, and runs packages`);
}

/** Settings that every workflow needs, or must not have. */
export function findUnsafeSettings({ on, concurrency, env, jobs }: Workflow): string[] {
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
  const keeps = steps.filter(
    ({ uses = '', with: options }) =>
      uses.startsWith('actions/checkout@') && options?.['persist-credentials'] !== false,
  );
  const endless = Object.entries(jobs).filter(
    ([, job]) => job.uses === undefined && !job['timeout-minutes'],
  );
  return [
    ...(concurrency === undefined ? ['no concurrency'] : []),
    ...(env === undefined ? [] : ['variables for all jobs']),
    ...('pull_request_target' in on ? ['runs with rights on the code of strangers'] : []),
    ...keeps.map(() => 'a checkout keeps its credentials'),
    ...endless.map(([name]) => `${name} has no timeout`),
  ];
}

/** Returns all jobs that must succeed before a job. */
export function listNeeded({ jobs }: Workflow, name: string): Set<string> {
  const needed = new Set<string>();
  const open = [name];
  for (const at of open)
    for (const one of [jobs[at]?.needs ?? []].flat()) {
      needed.add(one);
      open.push(one);
    }
  return needed;
}

function collect(
  jobs: Record<string, Job>,
  list: (job: Job) => string[],
): Record<string, string[]> {
  const entries = Object.entries(jobs).map(([name, job]) => [name, list(job).sort()] as const);
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}
