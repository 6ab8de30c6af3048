import { createSilenceError, getGitTimeout, spawnGit } from '../../base/git/git.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteText } from '../../shared/quote.ts';
import { MAX_FILE_BYTES } from './limits.ts';

/** Content of a git blob. `bytes` is null if it is larger than any file that is indexed. */
export interface GitBlob {
  size: number;
  bytes: Buffer | null;
}

/** Request that waits for its answer; `resolve(null)` if the object is missing. */
interface PendingRead {
  id: string;
  resolve(blob: GitBlob | null): void;
  reject(error: Error): void;
}

/**
 * Reads blobs through one long-lived `git cat-file --batch`, which answers in the order of the requests.
 * Callers limit the number of requests at a time, because each answer stays in memory until it is complete.
 */
export class BlobReader {
  readonly #folder: string;
  #child: ReturnType<typeof spawnGit>;
  #waiting: PendingRead[] = [];
  #next = 0;
  #silence: NodeJS.Timeout | undefined;
  /** Pieces of the answer that is arriving, and how many bytes of it are missing, the final newline included. */
  #pieces: Buffer[] = [];
  #missing = 0;
  #failure: Error | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#child = this.#start();
  }

  /** True until a failure or `close`. */
  get isUsable(): boolean {
    return this.#failure === null;
  }

  /** Returns a blob by its full id, or null if the repository lacks it. Rejects with `LocusError`. */
  read(id: string): Promise<GitBlob | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ id, resolve, reject });
      this.#silence ??= setTimeout(
        () => this.#end(createSilenceError(this.#folder, 'cat-file')),
        getGitTimeout(),
      );
      this.#child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#end(createStoppedError('the repository was closed'));
  }

  #start(): ReturnType<typeof spawnGit> {
    const child = spawnGit(this.#folder, ['cat-file', '--batch']);
    const current = () => child === this.#child;
    child.stdout.on('data', (data: Buffer) => current() && this.#receive(data));
    child.stderr.resume();
    // The event `close` follows, which reports the failure.
    child.stdin.on('error', () => {});
    child.on('error', (error) => current() && this.#end(createStoppedError(error.message)));
    child.on('close', () => current() && this.#end(createStoppedError('git cat-file ended')));
    return child;
  }

  #receive(data: Buffer): void {
    this.#silence?.refresh();
    let rest = data;
    const child = this.#child;
    // A blob that is skipped replaces the child, so the rest of its output is dropped.
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
        this.#readHeader(this.#joinPieces().toString('latin1'));
      }
    }
  }

  /** Reads `<id> blob <size>`, which the body and a newline follow, or `<id> missing`. */
  #readHeader(line: string): void {
    const found = / \w+ (\d+)$/.exec(line)?.[1];
    if (found === undefined) {
      this.#answer(null);
      return;
    }
    const size = Number(found);
    if (size <= MAX_FILE_BYTES) this.#missing = size + 1;
    else this.#skipLarge(size);
  }

  /** Skips a large blob without reading it: kills git, and sends the remaining requests to a new process. */
  #skipLarge(size: number): void {
    const before = this.#child;
    this.#answer({ size, bytes: null });
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
    this.#child = this.#start();
    before.kill('SIGKILL');
    for (const { id } of this.#waiting) this.#child.stdin.write(`${id}\n`);
  }

  #joinPieces(): Buffer {
    const [only] = this.#pieces;
    const whole = only && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }

  #takeBlob(): GitBlob {
    const bytes = this.#joinPieces().subarray(0, -1);
    return { size: bytes.length, bytes };
  }

  #answer(blob: GitBlob | null): void {
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

function createStoppedError(cause: string): LocusError {
  return new LocusError(
    'bad-repository',
    `Reading from git's object store stopped: ${quoteText(cause)}.`,
    'Open the repository again. If it happens again, check it with git fsck.',
  );
}
