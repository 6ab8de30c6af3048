import { gitSilence, silenceFailure, spawnGit } from '../../base/git/git.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoted } from '../../shared/quoted.ts';
import { LARGEST_FILE } from './limits.ts';

/** What a blob holds; `bytes` is null for one over the limit of files that are indexed. */
export interface Blob {
  size: number;
  bytes: Buffer | null;
}

/** A request that waits for its answer; `resolve(null)`: there is no such object. */
interface Waiting {
  id: string;
  resolve(blob: Blob | null): void;
  reject(error: Error): void;
}

/**
 * Reads blobs through one long-lived `git cat-file --batch`, which answers in the order of the questions.
 * Callers bound how many they ask for at a time (git's output waits in memory until it is complete).
 */
export class BlobReader {
  readonly #folder: string;
  #child: ReturnType<typeof spawnGit>;
  #waiting: Waiting[] = [];
  #next = 0;
  #silence: NodeJS.Timeout | undefined;
  /** The answer that is arriving: pieces of its body and how many bytes (with the final newline) are missing. */
  #pieces: Buffer[] = [];
  #missing = 0;
  #failure: Error | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#child = this.#start();
  }

  /** False after a failure or `close`. */
  get works(): boolean {
    return this.#failure === null;
  }

  /** A blob by its full id, or null when the repository lacks it. Rejects with `LocusError`. */
  read(id: string): Promise<Blob | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ id, resolve, reject });
      this.#silence ??= setTimeout(
        () => this.#end(silenceFailure(this.#folder, 'cat-file')),
        gitSilence(),
      );
      this.#child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#end(stopped('the repository was closed'));
  }

  #start(): ReturnType<typeof spawnGit> {
    const child = spawnGit(this.#folder, ['cat-file', '--batch']);
    const current = () => child === this.#child;
    child.stdout.on('data', (data: Buffer) => current() && this.#receive(data));
    child.stderr.resume();
    // The event `close` follows.
    child.stdin.on('error', () => {});
    child.on('error', (error) => current() && this.#end(stopped(error.message)));
    child.on('close', () => current() && this.#end(stopped('git cat-file ended')));
    return child;
  }

  #receive(data: Buffer): void {
    this.#silence?.refresh();
    let rest = data;
    const child = this.#child;
    // An answer that is not wanted begins anew, and with it the output.
    while (rest.length > 0 && child === this.#child) {
      if (this.#missing > 0) {
        const piece = rest.subarray(0, this.#missing);
        rest = rest.subarray(piece.length);
        this.#pieces.push(piece);
        this.#missing -= piece.length;
        if (this.#missing === 0) this.#answer(this.#takeBlob());
      } else {
        const end = rest.indexOf(0x0a);
        if (end < 0) {
          this.#pieces.push(rest);
          return;
        }
        this.#pieces.push(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
        this.#header(this.#takePieces().toString('latin1'));
      }
    }
  }

  /** `<id> blob <size>`, followed by the body and a newline, or `<id> missing`. */
  #header(line: string): void {
    const found = / \w+ (\d+)$/.exec(line)?.[1];
    if (found === undefined) {
      this.#answer(null);
      return;
    }
    const size = Number(found);
    if (size <= LARGEST_FILE) this.#missing = size + 1;
    else this.#pass(size);
  }

  /** Leaves a large blob out without reading it: ends git, and asks a new one for what is still owed. */
  #pass(size: number): void {
    const before = this.#child;
    this.#answer({ size, bytes: null });
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
    this.#child = this.#start();
    before.kill('SIGKILL');
    for (const { id } of this.#waiting) this.#child.stdin.write(`${id}\n`);
  }

  #takePieces(): Buffer {
    const [only] = this.#pieces;
    const whole = only && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }

  #takeBlob(): Blob {
    const bytes = this.#takePieces().subarray(0, -1);
    return { size: bytes.length, bytes };
  }

  #answer(blob: Blob | null): void {
    this.#waiting[this.#next++]?.resolve(blob);
    if (this.#next < this.#waiting.length) return;
    this.#waiting.length = 0;
    this.#next = 0;
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #end(failure: LocusError): void {
    this.#failure ??= failure;
    clearTimeout(this.#silence);
    this.#child.kill('SIGKILL');
    const waiting = this.#waiting.splice(0).slice(this.#next);
    this.#next = 0;
    for (const request of waiting) request.reject(this.#failure);
  }
}

function stopped(why: string): LocusError {
  return new LocusError(
    'bad-repository',
    `Reading from git's object store stopped: ${quoted(why)}`,
    'Open the repository again; if it stops again, check it with git fsck.',
  );
}
