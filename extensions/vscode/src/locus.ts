/** Runs the `locus` command as a child process. Does not depend on VS Code. */
import { spawn } from 'node:child_process';

export interface LocusRequest {
  /** Value of the setting `locus.path`. */
  program: string;
  args: readonly string[];
  cwd: string;
  /** Text for standard input. */
  input?: string;
  signal?: AbortSignal;
}

/** Failure of the command, in two sentences: message and remedy. `missing` is true if the program does not exist. */
export class LocusFailure extends Error {
  readonly remedy: string;
  readonly missing: boolean;

  constructor(message: string, remedy: string, missing = false) {
    super(message);
    this.remedy = remedy;
    this.missing = missing;
  }
}

/** Maximum length of the output. */
const MAX_OUTPUT = 64_000_000;

/**
 * Runs `locus` and returns its output, also if it found nothing.
 * @throws LocusFailure with the command's message, and the signal's reason if it is aborted
 */
export async function runLocusCommand({
  program,
  args,
  cwd,
  input = '',
  signal,
}: LocusRequest): Promise<string> {
  signal?.throwIfAborted();
  const [file, ...before] = toCommand(program);
  const child = spawn(file, [...before, ...args], { cwd, shell: false, windowsHide: true });
  const stop = () => child.kill();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const { code, out, errors } = await new Promise<Ended>((resolve, reject) => {
      const ended: Ended = { code: null, out: '', errors: '' };
      child.once('error', (error) => reject(cannotStart(program, error)));
      child.once('close', (code) => resolve({ ...ended, code }));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        ended.out += text;
        if (ended.out.length > MAX_OUTPUT) child.kill();
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        ended.errors = (ended.errors + text).slice(-20_000);
      });
      child.stdin.on('error', () => {}).end(input);
    });
    signal?.throwIfAborted();
    if (code === 0 || (code === 1 && !isFailure(out))) return out;
    throw toFailure(out, errors, code);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

interface Ended {
  code: number | null;
  out: string;
  errors: string;
}

/** Returns the command to spawn. Node runs scripts, such as the one in a checkout of Locus. */
function toCommand(program: string): [string, ...string[]] {
  return /\.(?:ts|js|mjs)$/.test(program) ? ['node', program] : [program];
}

function cannotStart(program: string, { code, message }: NodeJS.ErrnoException): LocusFailure {
  return code === 'ENOENT'
    ? new LocusFailure(
        `${program} was not found on this machine.`,
        'Install Locus, or set locus.path to its command.',
        true,
      )
    : new LocusFailure(
        `${program} did not start: ${message}.`,
        'Check the setting locus.path.',
        true,
      );
}

/** Returns the failure in the output. With `--json`, it is `{"error": {"message", "remedy"}}`. */
function toFailure(out: string, errors: string, code: number | null): LocusFailure {
  const reported = parseError(out);
  if (reported) return new LocusFailure(reported.message, reported.remedy);
  const lastLines = errors.trim().split('\n').slice(-3).join(' ');
  return new LocusFailure(
    lastLines || `locus exited with code ${code}.`,
    'Run locus doctor in a terminal to find the problem.',
  );
}

const isFailure = (out: string): boolean => parseError(out) !== null;

function parseError(out: string): { message: string; remedy: string } | null {
  try {
    const { error } = JSON.parse(out) as { error?: { message?: unknown; remedy?: unknown } };
    if (typeof error?.message !== 'string') return null;
    return { message: error.message, remedy: String(error.remedy ?? '') };
  } catch {
    return null;
  }
}
