/** The `locus` command as a child process: no part of VS Code is needed here. */
import { spawn } from 'node:child_process';

export interface Ask {
  /** The setting `locus.path`. */
  program: string;
  args: readonly string[];
  cwd: string;
  /** For standard input. */
  input?: string;
  signal?: AbortSignal;
}

/** Why there is no answer, in words; `remedy` says what to do, and `missing` that there is no such program. */
export class LocusFailure extends Error {
  readonly remedy: string;
  readonly missing: boolean;

  constructor(message: string, remedy: string, missing = false) {
    super(message);
    this.remedy = remedy;
    this.missing = missing;
  }
}

/** Bytes of an answer at most. */
const MOST = 64_000_000;

/**
 * Runs `locus` and answers what it printed; nothing found is an answer, too.
 * @throws LocusFailure with the command's own words, and the signal's reason when it is aborted.
 */
export async function askLocus({ program, args, cwd, input = '', signal }: Ask): Promise<string> {
  signal?.throwIfAborted();
  const [file, ...before] = commandOf(program);
  const child = spawn(file, [...before, ...args], { cwd, shell: false, windowsHide: true });
  const stop = () => child.kill();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const { code, out, errors } = await new Promise<Ended>((resolve, reject) => {
      const ended: Ended = { code: null, out: '', errors: '' };
      child.once('error', (error) => reject(notStarted(program, error)));
      child.once('close', (code) => resolve({ ...ended, code }));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        ended.out += text;
        if (ended.out.length > MOST) child.kill();
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        ended.errors = (ended.errors + text).slice(-20_000);
      });
      child.stdin.on('error', () => {}).end(input);
    });
    signal?.throwIfAborted();
    if (code === 0 || (code === 1 && !isFailure(out))) return out;
    throw failureIn(out, errors, code);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

interface Ended {
  code: number | null;
  out: string;
  errors: string;
}

/** A script is run by Node, as a checkout of Locus has it. */
function commandOf(program: string): [string, ...string[]] {
  return /\.(?:ts|js|mjs)$/.test(program) ? ['node', program] : [program];
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): LocusFailure {
  return code === 'ENOENT'
    ? new LocusFailure(
        `${program} was not found on this machine`,
        'install Locus, or say where its command is in the setting locus.path',
        true,
      )
    : new LocusFailure(
        `${program} did not start: ${message}`,
        'look at the setting locus.path',
        true,
      );
}

/** With `--json`, a failure is `{"error": {"message", "remedy"}}`. */
function failureIn(out: string, errors: string, code: number | null): LocusFailure {
  const said = errorOf(out);
  if (said) return new LocusFailure(said.message, said.remedy);
  const words = errors.trim().split('\n').slice(-3).join(' ');
  return new LocusFailure(
    words || `locus ended with code ${code}`,
    'run locus doctor in a terminal to see what is wrong',
  );
}

const isFailure = (out: string): boolean => errorOf(out) !== null;

function errorOf(out: string): { message: string; remedy: string } | null {
  try {
    const { error } = JSON.parse(out) as { error?: { message?: unknown; remedy?: unknown } };
    if (typeof error?.message !== 'string') return null;
    return { message: error.message, remedy: String(error.remedy ?? '') };
  } catch {
    return null;
  }
}
