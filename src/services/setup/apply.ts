/** Writes what was planned. Each file is entered in the journal first. */
import { badInput, type Failure, LocusError, toFailure } from '../../shared/errors.ts';
import { hashBytes, listMissingFolders, readConfig, writeConfig } from './config-file.ts';
import type { Journal, JournalRecord } from './journal.ts';
import type { FileWrite, PlannedFile } from './plan.ts';

/** Writes the planned files. Returns the failure of each file that could not be written. */
export async function applySetup(
  files: readonly PlannedFile[],
  journal: Journal,
): Promise<Map<string, Failure>> {
  const failures = new Map<string, Failure>();
  for (const file of files) {
    try {
      await applyFile(file, journal);
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      failures.set(file.path, toFailure(error));
    }
  }
  journal.removeUnusedBackups();
  return failures;
}

async function applyFile(file: PlannedFile, journal: Journal): Promise<void> {
  const record = journal.find(file.path);
  if (file.write) return await writeFile(file, file.write, record, journal);
  // Another agent uses a file that Locus wrote earlier.
  const agents = file.agents.filter((agent) => !record?.agents.includes(agent));
  if (record && file.action === 'same' && agents.length > 0)
    journal.put({ ...record, agents: [...record.agents, ...agents] });
}

async function writeFile(
  { path, project, agents }: PlannedFile,
  { seen, baseline, content, edit }: FileWrite,
  record: JournalRecord | undefined,
  journal: Journal,
): Promise<void> {
  await checkUnchanged(path, project, seen);
  const before = baseline && hashBytes(baseline);
  const hasBackup = record?.backup != null && record.before === before;
  const backup = hasBackup ? record.backup : baseline && journal.addBackup(baseline);
  journal.put({
    path,
    project,
    agents: [...new Set([...(record?.agents ?? []), ...agents])],
    before,
    after: hashBytes(content),
    backup,
    folders: [...listMissingFolders(path), ...(record?.folders ?? [])],
    edit,
  });
  await writeConfig(path, content);
}

/** @throws LocusError `bad-input` if a file is not as it was when the change was shown */
export async function checkUnchanged(
  path: string,
  project: string | null,
  seen: string | null,
): Promise<void> {
  const current = await readConfig(path, project);
  if ((current && hashBytes(current)) !== seen)
    throw badInput(
      `${path} was changed meanwhile. It was left as it is.`,
      'Run the command again.',
    );
}
