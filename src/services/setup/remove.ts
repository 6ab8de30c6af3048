/** Undoes what `locus setup` wrote. */
import { rmSync } from 'node:fs';
import { sep } from 'node:path';
import { type Failure, LocusError, toFailure } from '../../shared/errors.ts';
import { checkUnchanged } from './apply.ts';
import {
  decodeConfig,
  encodeConfig,
  hashBytes,
  readConfig,
  refuseReadOnly,
  removeEmptyFolders,
  writeConfig,
} from './config-file.ts';
import { ConfigProblem, explainProblem } from './config-format.ts';
import { takeOutEdit } from './entry.ts';
import type { Journal, JournalRecord } from './journal.ts';

/**
 * Outcome for a file: `restore` writes the content from before, `delete` removes a file that Locus created, `take-out` removes only the
 * entry of Locus from a file that was edited since, `release` keeps it for other agents, and `forget` finds nothing of Locus in it.
 */
type RemovalAction = 'restore' | 'delete' | 'take-out' | 'release' | 'forget' | 'kept' | 'failed';

export interface PlannedRemoval {
  path: string;
  agents: string[];
  action: RemovalAction;
  note: string | null;
  failure: Failure | null;
  record: JournalRecord;
  /** Hash of the file as it was seen; null if it is missing. */
  seen: string | null;
  /** Content to write; null if none is. */
  content: Uint8Array | null;
}

export interface RemovalFilter {
  /** Ids of agents; null for all. */
  agents: readonly string[] | null;
  /** Root of a project, null for files of the user; undefined for all. */
  project: string | null | undefined;
}

export async function planRemoval(
  journal: Journal,
  { agents, project }: RemovalFilter,
): Promise<PlannedRemoval[]> {
  const records = journal.records.filter(
    (record) =>
      (project === undefined || record.project === project) &&
      (agents === null || record.agents.some((agent) => agents.includes(agent))),
  );
  return Promise.all(records.map((record) => planRecord(record, agents, journal)));
}

async function planRecord(
  record: JournalRecord,
  agents: readonly string[] | null,
  journal: Journal,
): Promise<PlannedRemoval> {
  const { path } = record;
  const removed =
    agents === null ? record.agents : record.agents.filter((id) => agents.includes(id));
  const common = {
    path,
    record,
    agents: removed,
    note: null,
    failure: null,
    seen: null,
    content: null,
  };
  if (removed.length < record.agents.length) return { ...common, action: 'release' };
  try {
    return { ...common, ...(await planContent(record, journal)) };
  } catch (error) {
    const explained = error instanceof ConfigProblem ? explainProblem(error, path) : error;
    if (!(explained instanceof LocusError)) throw explained;
    return { ...common, action: 'failed', failure: toFailure(explained) };
  }
}

async function planContent(
  record: JournalRecord,
  journal: Journal,
): Promise<Partial<PlannedRemoval> & Pick<PlannedRemoval, 'action'>> {
  const { path, before, after, edit } = record;
  const current = await readConfig(path, record.project);
  const seen = current && hashBytes(current);
  if (!current || seen === before) return { action: 'forget', seen };
  refuseReadOnly(path);
  if (seen === after) {
    if (before === null) return { action: 'delete', seen };
    const content = await journal.readBackup(record);
    // Without a backup, which somebody must have deleted, the entry alone is removed.
    if (content && hashBytes(content) === before) return { action: 'restore', seen, content };
  }
  const { text, hasMark } = decodeConfig(current, path);
  if (!edit)
    return {
      action: 'kept',
      seen,
      note: 'It was edited since Locus wrote it. Delete it yourself.',
    };
  const left = takeOutEdit(text, edit);
  if (left === text) return { action: 'forget', seen };
  return { action: 'take-out', seen, content: encodeConfig({ text: left, hasMark }) };
}

/** Undoes the planned files. Returns the failure of each file that could not be undone; the journal keeps those. */
export async function applyRemoval(
  files: readonly PlannedRemoval[],
  journal: Journal,
): Promise<Map<string, Failure>> {
  const failures = new Map<string, Failure>();
  for (const file of files) {
    try {
      await removeFile(file, journal);
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      failures.set(file.path, toFailure(error));
    }
  }
  journal.removeUnusedBackups();
  return failures;
}

/** Removes folders that Locus created and that are empty now. Files that are still in one take it over. */
function removeFolders(folders: readonly string[], journal: Journal): void {
  for (const folder of removeEmptyFolders(folders)) {
    const heir = journal.records.find(({ path }) => path.startsWith(folder + sep));
    if (heir && !heir.folders.includes(folder))
      journal.put({ ...heir, folders: [...heir.folders, folder] });
  }
}

async function removeFile(
  { path, action, record, agents, seen, content }: PlannedRemoval,
  journal: Journal,
): Promise<void> {
  if (action === 'failed') return;
  if (action === 'release') {
    const left = record.agents.filter((agent) => !agents.includes(agent));
    return journal.put({ ...record, agents: left });
  }
  if (action !== 'kept' && action !== 'forget') {
    await checkUnchanged(path, record.project, seen);
    if (content) await writeConfig(path, content);
    else rmSync(path, { force: true });
  }
  // The record may have taken over folders since it was planned.
  const { folders } = journal.find(path) ?? record;
  journal.drop(record);
  removeFolders(folders, journal);
}
