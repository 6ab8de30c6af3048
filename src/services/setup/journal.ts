/**
 * Journal of the files that `locus setup` wrote, in the data directory. A file is entered before it is written, so that a run that was
 * killed at any moment can be undone: the hash of a file says whether it was written.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FileLock } from '../../base/file-lock.ts';
import { createFolder, PRIVATE_FILE } from '../../base/private.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { createFile, writePrivateFile } from '../../base/write-file.ts';
import { LocusError } from '../../shared/errors.ts';
import { MAX_CONFIG_BYTES } from './config-file.ts';
import type { JsonValue } from './config-format.ts';

const EDIT = z.object({
  format: z.enum(['json', 'toml', 'yaml']),
  keys: z.array(z.string()),
  isInList: z.boolean(),
  value: z.json(),
  /** Inserted text. It is removed as it is, if the file still has it exactly once. */
  text: z.string(),
  createdKeys: z.int().min(0),
});

const RECORD = z.object({
  path: z.string(),
  /** Root of the project; null for a file of the user. */
  project: z.string().nullable(),
  /** Ids of the agents that use the file. */
  agents: z.array(z.string()),
  /** SHA-256 of the file before and after the change; null if it did not exist. */
  before: z.string().nullable(),
  after: z.string(),
  /** Name of the backup; null if the file did not exist. */
  backup: z.string().nullable(),
  /** Created folders, the innermost first. */
  folders: z.array(z.string()),
  /** Entry in a configuration file; null for a file that is Locus's as a whole. */
  edit: EDIT.nullable(),
});

const JOURNAL = z.object({ version: z.literal(1), files: z.array(RECORD) });

export type JournalEdit = Omit<z.infer<typeof EDIT>, 'value'> & { value: JsonValue };
export type JournalRecord = Omit<z.infer<typeof RECORD>, 'edit'> & { edit: JournalEdit | null };

/** Folder in the data directory. */
const SETUP_FOLDER = 'setup';
const JOURNAL_FILE = 'journal.json';
const LOCK_FILE = 'lock';
const BACKUP = /^[0-9a-f]{16}\.backup$/;

export class Journal {
  readonly #folder: string;
  #records: JournalRecord[];

  private constructor(folder: string, records: JournalRecord[]) {
    this.#folder = folder;
    this.#records = records;
  }

  /** Reads the journal. @throws LocusError `bad-store` if it is damaged */
  static async read(dataDir: string): Promise<Journal> {
    const folder = join(dataDir, SETUP_FOLDER);
    const bytes = await new UntrustedFolder(folder, 'bad-store').read(JOURNAL_FILE, {
      maxBytes: MAX_CONFIG_BYTES,
    });
    if (!bytes) return new Journal(folder, []);
    try {
      const { files } = JOURNAL.parse(JSON.parse(bytes.toString()));
      return new Journal(folder, files as JournalRecord[]);
    } catch (error) {
      throw new LocusError(
        'bad-store',
        `The journal ${join(folder, JOURNAL_FILE)} is damaged.`,
        'Move it away. Entries that an earlier setup wrote then have to be removed by hand.',
        { cause: error },
      );
    }
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  find(path: string): JournalRecord | undefined {
    return this.#records.find((record) => record.path === path);
  }

  /** Stores a record in place of the one with the same path. */
  put(record: JournalRecord): void {
    this.#records = [...this.#records.filter(({ path }) => path !== record.path), record];
    this.#save();
  }

  /** Removes a record and its backup. */
  drop(record: JournalRecord): void {
    this.#records = this.#records.filter(({ path }) => path !== record.path);
    this.#save();
    this.removeUnusedBackups();
  }

  async readBackup(record: JournalRecord): Promise<Buffer | null> {
    if (record.backup === null || !BACKUP.test(record.backup)) return null;
    const folder = new UntrustedFolder(this.#folder, 'bad-store');
    return folder.read(record.backup, { maxBytes: MAX_CONFIG_BYTES });
  }

  /** Stores the content of a file. Returns the name of the backup. */
  addBackup(bytes: Uint8Array): string {
    createFolder(this.#folder);
    const name = `${randomBytes(8).toString('hex')}.backup`;
    createFile(join(this.#folder, name), bytes, PRIVATE_FILE);
    return name;
  }

  /** Removes backups that no record names, such as those of a run that was killed. */
  removeUnusedBackups(): void {
    if (!existsSync(this.#folder)) return;
    const used = new Set(this.#records.map(({ backup }) => backup));
    for (const name of readdirSync(this.#folder))
      if (BACKUP.test(name) && !used.has(name)) rmSync(join(this.#folder, name), { force: true });
  }

  #save(): void {
    createFolder(this.#folder);
    const path = join(this.#folder, JOURNAL_FILE);
    if (this.#records.length === 0) rmSync(path, { force: true });
    else writePrivateFile(path, JSON.stringify({ version: 1, files: this.#records }, null, 1));
  }
}

/** Runs `work` alone. @throws LocusError `busy` if another setup is running */
export async function runAlone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const folder = join(dataDir, SETUP_FOLDER);
  createFolder(folder);
  using lock = new FileLock(join(folder, LOCK_FILE));
  if (!lock.acquire())
    throw new LocusError('busy', 'Another locus setup is running.', 'Wait until it has ended.');
  return await work();
}
