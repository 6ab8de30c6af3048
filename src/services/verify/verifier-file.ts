import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Environment, readVariable } from '../../base/environment.ts';
import { log } from '../../base/log.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { LocusError } from '../../shared/errors.ts';
import { endpointOf, type KeySource, type VerifierState } from '../../shared/verifier.ts';
import {
  readSecret,
  type SecretSlot,
  storedSecret,
  whileLocked,
  writeSecret,
} from '../secrets/secrets.ts';

const content = z.object({
  /** By origin: a key is sent nowhere else. */
  keys: z.record(z.string(), storedSecret).default({}),
  /** Roots of the repositories whose code may be sent, by origin. */
  agreed: z.record(z.string(), z.array(z.string())).default({}),
});
type Content = z.output<typeof content>;

/**
 * `verifier.json` in the data directory, readable by its owner alone: where API keys are, and what the user agreed to send where.
 * A key in LOCUS_VERIFIER_API_KEY goes before it, for the origin of LOCUS_VERIFIER_URL only: whoever can change the
 * address in the settings must not get the key sent to it.
 */
export class VerifierFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #env: Environment;
  readonly #onDamage: (note: string) => void;

  /** @param onDamage told when the file could not be understood and was moved aside. */
  constructor(
    dataDirectory: string,
    env: Environment,
    onDamage: (note: string) => void = () => {},
  ) {
    this.#folder = dataDirectory;
    this.#path = join(dataDirectory, 'verifier.json');
    this.#env = env;
    this.#onDamage = onDamage;
  }

  /** What may be known of an address; never the key itself. */
  state(origin: string): VerifierState {
    const { agreed } = this.#read();
    return { key: this.#keySource(origin), agreed: agreed[origin] ?? [] };
  }

  /** For the request to this origin alone; null for none. */
  async key(origin: string): Promise<string | null> {
    return this.#environmentKey(origin) ?? (await readSecret(this.#slot(origin)));
  }

  /** Stores a key, or removes it. */
  async setKey(origin: string, key: string | null): Promise<void> {
    await writeSecret(this.#slot(origin), key);
  }

  /** Remembers that the code of a repository may be sent to this origin. */
  agree(origin: string, root: string): void {
    whileLocked(this.#folder, () =>
      this.#change(({ agreed }) => {
        agreed[origin] = [...new Set([...(agreed[origin] ?? []), root])];
      }),
    );
  }

  /** Asks anew before any repository's code is sent to this origin. */
  withdraw(origin: string): void {
    whileLocked(this.#folder, () =>
      this.#change(({ agreed }) => {
        delete agreed[origin];
      }),
    );
  }

  /** The stored keys. */
  slots(): SecretSlot[] {
    return Object.keys(this.#read().keys).map((origin) => this.#slot(origin));
  }

  #slot(origin: string): SecretSlot {
    return {
      folder: this.#folder,
      name: `API key for ${origin}`,
      remedy: 'give the key again, in the settings of the verifier or in LOCUS_VERIFIER_API_KEY',
      read: () => this.#read().keys[origin] ?? null,
      write: (stored) =>
        this.#change(({ keys }) => {
          if (stored === null) delete keys[origin];
          else keys[origin] = stored;
        }),
    };
  }

  #keySource(origin: string): KeySource {
    if (this.#environmentKey(origin) !== null) return 'environment';
    return this.#read().keys[origin] === undefined ? 'none' : 'stored';
  }

  #environmentKey(origin: string): string | null {
    const key = readVariable('LOCUS_VERIFIER_API_KEY', this.#env);
    const address = readVariable('LOCUS_VERIFIER_URL', this.#env);
    return key && address && endpointOf(address).origin === origin ? key : null;
  }

  #read(): Content {
    const text = this.#text();
    if (text === null) return content.parse({});
    try {
      return content.parse(JSON.parse(text));
    } catch {
      log('data-damaged', { file: 'verifier' });
      this.#setAside();
      return content.parse({});
    }
  }

  /** Null when there is none. */
  #text(): string | null {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      throw new LocusError(
        'bad-store',
        `${this.#path} cannot be read (${code})`,
        'check the file’s permissions',
      );
    }
  }

  #setAside(): void {
    const aside = `${this.#path}.damaged-${Date.now()}`;
    try {
      renameSync(this.#path, aside);
    } catch (error) {
      throw new LocusError(
        'bad-store',
        `${this.#path} is damaged and cannot be moved aside (${(error as NodeJS.ErrnoException).code})`,
        'move the file away, then give the key again',
      );
    }
    // What is wrong with it may quote the file, and a key with it.
    this.#onDamage(
      `the API keys and agreements of the verifier could not be read: give the key again. The damaged file is kept as ${aside}`,
    );
  }

  /** Runs while the data directory is locked: others change the file, too. */
  #change(change: (now: Content) => void): void {
    const now = this.#read();
    change(now);
    writePrivateFile(this.#path, JSON.stringify(now, null, 2));
  }
}
