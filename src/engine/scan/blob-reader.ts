import { LocusError } from '../../shared/errors.ts';
import { spawnGit } from './git.ts';

/** A request that waits for its answer; `resolve(null)`: there is no such object. */
interface Waiting {
  resolve(blob: Buffer | null): void;
  reject(error: Error): void;
}

/**
 * Reads blobs through one long-lived `git cat-file --batch`, which answers in the order of the questions.
 * Callers bound how many they ask for at a time (git's output waits in memory until it is complete).
 */
export class BlobReader {
  readonly #child: ReturnType<typeof spawnGit>;
  readonly #waiting: Waiting[] = [];
  #next = 0;
  /** The answer that is arriving: pieces of its body and how many bytes (with the final newline) are missing. */
  #pieces: Buffer[] = [];
  #missing = 0;
  #failure: Error | null = null;

  constructor(folder: string) {
    this.#child = spawnGit(folder, ['cat-file', '--batch']);
    this.#child.stdout.on('data', (data: Buffer) => this.#receive(data));
    this.#child.stderr.resume();
    this.#child.stdin.on('error', () => {});
    this.#child.on('error', (error) => this.#fail(error.message));
    this.#child.on('close', () => this.#fail('git cat-file ended'));
  }

  /** The bytes of a blob by its full id, or null when the repository lacks it. Rejects with `LocusError`. */
  read(id: string): Promise<Buffer | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#fail('the repository was closed');
    this.#child.stdin.end();
    this.#child.kill();
  }

  #receive(data: Buffer): void {
    let rest = data;
    while (rest.length > 0) {
      if (this.#missing > 0) {
        const piece = rest.subarray(0, this.#missing);
        rest = rest.subarray(piece.length);
        this.#pieces.push(piece);
        this.#missing -= piece.length;
        if (this.#missing === 0) this.#answer(this.#takePieces());
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
    const size = / \w+ (\d+)$/.exec(line)?.[1];
    if (size === undefined) this.#answer(null);
    else this.#missing = Number(size) + 1;
  }

  #takePieces(): Buffer {
    const whole = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }

  #answer(body: Buffer | null): void {
    this.#waiting[this.#next++]?.resolve(body?.subarray(0, -1) ?? null);
    if (this.#next === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#next = 0;
    }
  }

  #fail(message: string): void {
    this.#failure ??= new LocusError(
      'bad-repository',
      `Reading from git's object store stopped: ${message}`,
      'Open the repository again; if it stops again, check it with git fsck.',
    );
    const waiting = this.#waiting.splice(0).slice(this.#next);
    this.#next = 0;
    for (const request of waiting) request.reject(this.#failure);
  }
}
