import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Environment, readVariable } from '../../base/environment.ts';
import { log } from '../../base/log.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import type { CheckAccess, KeySource } from '../../shared/check.ts';
import { parseEndpoint } from '../../shared/check-endpoint.ts';
import { LocusError } from '../../shared/errors.ts';
import {
  readSecret,
  type SecretSlot,
  storedSecret,
  withSecretsLock,
  writeSecret,
} from '../secrets/secrets.ts';

const content = z.object({
  /** By origin: a key is only sent to its origin. */
  keys: z.record(z.string(), storedSecret).default({}),
  /** Repositories whose code may be sent to each origin. */
  agreed: z.record(z.string(), z.array(z.string())).default({}),
  /** Programs that may run without a sandbox, see `services/investigate`. */
  trusted: z.array(z.string()).default([]),
});
type Content = z.output<typeof content>;

/**
 * `check.json` in the data directory, readable by its owner alone: where API keys are stored, and where code may be sent. A key in
 * LOCUS_CHECK_API_KEY takes precedence, but only for the origin of LOCUS_CHECK_URL. Otherwise, whoever can change the address
 * in the settings could have the key sent to it.
 */
export class CheckFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #env: Environment;
  readonly #onDamage: (note: string) => void;

  /** @param onDamage called with a note if the file was damaged and moved to quarantine */
  constructor(
    dataDirectory: string,
    env: Environment,
    onDamage: (note: string) => void = () => {},
  ) {
    this.#folder = dataDirectory;
    this.#path = join(dataDirectory, 'check.json');
    this.#env = env;
    this.#onDamage = onDamage;
  }

  /** The data directory. */
  get folder(): string {
    return this.#folder;
  }

  /** Returns the state of an address, without the key itself. */
  state(origin: string): CheckAccess {
    const { agreed } = this.#read();
    return { key: this.#keySource(origin), agreed: agreed[origin] ?? [] };
  }

  /** Returns the key for requests to this origin alone; null if none exists. */
  async key(origin: string): Promise<string | null> {
    return this.#environmentKey(origin) ?? (await readSecret(this.#slot(origin)));
  }

  /** Stores a key, or removes it. */
  async setKey(origin: string, key: string | null): Promise<void> {
    await writeSecret(this.#slot(origin), key);
  }

  /** Remembers that the code of a repository may be sent to this origin. */
  agree(origin: string, root: string): void {
    withSecretsLock(this.#folder, () =>
      this.#change(({ agreed }) => {
        agreed[origin] = [...new Set([...(agreed[origin] ?? []), root])];
      }),
    );
  }

  /** Withdraws the consent to send code to this origin: the user is asked again for each repository. */
  withdraw(origin: string): void {
    withSecretsLock(this.#folder, () =>
      this.#change(({ agreed }) => {
        delete agreed[origin];
      }),
    );
  }

  /** Returns true if the user trusts a program to run without a sandbox. @param program real path */
  isTrusted(program: string): boolean {
    return this.#read().trusted.includes(program);
  }

  /** Remembers, or forgets, that the user trusts a program. @param program real path */
  trust(program: string, isTrusted = true): void {
    withSecretsLock(this.#folder, () =>
      this.#change((now) => {
        const others = now.trusted.filter((path) => path !== program);
        now.trusted = isTrusted ? [...others, program] : others;
      }),
    );
  }

  /** Lists the slots of the stored keys. */
  slots(): SecretSlot[] {
    return Object.keys(this.#read().keys).map((origin) => this.#slot(origin));
  }

  #slot(origin: string): SecretSlot {
    return {
      folder: this.#folder,
      name: `API key for ${origin}`,
      remedy: 'give the key again, in the settings of the check or in LOCUS_CHECK_API_KEY',
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
    const key = readVariable('LOCUS_CHECK_API_KEY', this.#env);
    const address = readVariable('LOCUS_CHECK_URL', this.#env);
    return key && address && parseEndpoint(address).origin === origin ? key : null;
  }

  #read(): Content {
    const text = this.#readText();
    if (text === null) return content.parse({});
    try {
      return content.parse(JSON.parse(text));
    } catch {
      log('data-damaged', { file: 'check' });
      this.#quarantine();
      return content.parse({});
    }
  }

  /** Returns the text of the file; null if it is missing. */
  #readText(): string | null {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      throw new LocusError(
        'bad-store',
        `${this.#path} cannot be read (${code}).`,
        'Check the file’s permissions.',
      );
    }
  }

  #quarantine(): void {
    const quarantined = `${this.#path}.damaged-${Date.now()}`;
    try {
      renameSync(this.#path, quarantined);
    } catch (error) {
      throw new LocusError(
        'bad-store',
        `${this.#path} is damaged and cannot be moved to quarantine (${(error as NodeJS.ErrnoException).code}).`,
        'Move the file away, then enter the key again.',
      );
    }
    // The parser's message is omitted, because it may quote a key.
    this.#onDamage(
      `The check’s API keys and consents could not be read. Enter the key again. The damaged file is now ${quarantined}.`,
    );
  }

  /** Changes the file. The data directory must be locked, because other processes change the file, too. */
  #change(change: (now: Content) => void): void {
    const now = this.#read();
    change(now);
    writePrivateFile(this.#path, JSON.stringify(now, null, 2));
  }
}
