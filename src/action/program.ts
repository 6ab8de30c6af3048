/** Runs npm and Locus without what the job knows: no token, no address of the runner's services, no paths of its command files. */
import { execFile } from 'node:child_process';
import type { Environment } from '../base/environment.ts';

/** Variables that a program gets from the job: where it is, and how it reaches the network. */
const PASSED = [
  ...['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'LANG', 'LC_ALL'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA'],
];

const MAX_OUTPUT_BYTES = 50_000_000;

export interface EndedProgram {
  /** Exit code; null if the program did not start, was ended, or wrote too much. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  cwd: string;
  env: Environment;
  /** Variables that the program gets in addition. */
  added?: Environment;
  /** Limit in seconds. */
  seconds: number;
}

/** Runs a program to its end, without a shell. Its output is returned, not printed: the runner would obey commands in it. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, added, seconds }: ProgramOptions,
): Promise<EndedProgram> {
  const passed = Object.fromEntries(PASSED.map((name) => [name, env[name]]));
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      {
        cwd,
        env: { ...passed, CI: '1', NO_COLOR: '1', ...added },
        timeout: 1000 * seconds,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
      },
    );
  });
}
