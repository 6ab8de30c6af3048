/** Plans what `locus setup` changes. Nothing is written here. */
import { type Failure, LocusError, toFailure } from '../../shared/errors.ts';
import type { AgentFile, CodingAgent, EntryFile, SetupContext, TextFile } from './agents.ts';
import {
  decodeConfig,
  encodeConfig,
  hashBytes,
  readConfig,
  refuseReadOnly,
} from './config-file.ts';
import { type ConfigFormat, ConfigProblem, explainProblem, isSame } from './config-format.ts';
import { takeOutEdit } from './entry.ts';
import { FORMATS } from './formats.ts';
import type { Journal, JournalEdit, JournalRecord } from './journal.ts';

/** Outcome for a file. `kept` and `failed` files are not written; `same` ones have the content already. */
type FileAction = 'create' | 'add' | 'update' | 'same' | 'kept' | 'failed';

export interface PlannedFile {
  path: string;
  project: string | null;
  agents: string[];
  what: AgentFile['what'];
  action: FileAction;
  /** Text that is added to the file, for people to see. */
  added: string;
  /** Reason for `kept`. */
  note: string | null;
  failure: Failure | null;
  /** Content to write; null if nothing is written. */
  write: FileWrite | null;
}

export interface FileWrite {
  /** Hash of the content that was planned for; null if the file is missing. */
  seen: string | null;
  /** Content without what Locus adds, to restore later; null for a file that Locus creates. */
  baseline: Uint8Array | null;
  content: Uint8Array;
  edit: JournalEdit | null;
}

/** Plans the files of several agents. A file that several share is planned once. */
export async function planSetup(
  agents: readonly CodingAgent[],
  context: SetupContext,
  journal: Journal,
): Promise<PlannedFile[]> {
  const planned = new Map<string, PlannedFile>();
  for (const agent of agents) {
    for (const file of agent.listFiles(context)) {
      const known = planned.get(file.path);
      if (known) known.agents.push(agent.id);
      else planned.set(file.path, await planFile(file, agent.id, context, journal));
    }
  }
  return [...planned.values()];
}

async function planFile(
  file: AgentFile,
  agent: string,
  { project }: SetupContext,
  journal: Journal,
): Promise<PlannedFile> {
  const { path, what } = file;
  const common = {
    path,
    what,
    project,
    agents: [agent],
    added: '',
    note: null,
    failure: null,
    write: null,
  };
  try {
    const current = await readConfig(path, project);
    const record = journal.find(path);
    const change =
      file.kind === 'text'
        ? await planText(file, current, record, journal)
        : await planEntry(file, current, record, journal);
    if (change.write) refuseReadOnly(path);
    return { ...common, ...change };
  } catch (error) {
    const explained = error instanceof ConfigProblem ? explainProblem(error, path) : error;
    if (!(explained instanceof LocusError)) throw explained;
    return { ...common, action: 'failed', failure: toFailure(explained) };
  }
}

type Change = Partial<PlannedFile> & Pick<PlannedFile, 'action'>;

const keep = (note: string): Change => ({ action: 'kept', note });

async function planText(
  { text }: TextFile,
  current: Buffer | null,
  record: JournalRecord | undefined,
  journal: Journal,
): Promise<Change> {
  const content = Buffer.from(text);
  if (current?.equals(content)) return { action: 'same' };
  const isAsWritten = current !== null && record?.after === hashBytes(current);
  if (current && record && !isAsWritten) return keep('It was edited since Locus wrote it.');
  const baseline = record && isAsWritten ? await journal.readBackup(record) : current;
  const seen = current && hashBytes(current);
  const write = { seen, baseline, content, edit: null };
  return { action: current ? 'update' : 'create', added: text, write };
}

async function planEntry(
  file: EntryFile,
  current: Buffer | null,
  record: JournalRecord | undefined,
  journal: Journal,
): Promise<Change> {
  const format = FORMATS[file.format];
  const found = current && format.find(decodeConfig(current, file.path).text, file);
  if (found != null && isSame(found, file.value)) return { action: 'same' };
  const edit = record?.edit ?? null;
  if (found != null && !(edit && isSame(found, edit.value)))
    return keep(
      file.what === 'server'
        ? 'It has another entry named locus already.'
        : 'It was edited since Locus wrote it.',
    );
  const baseline =
    current && record && edit && found != null
      ? await restoreBaseline(current, record, edit, journal)
      : current;
  const { content, inserted, created } = addEntry(baseline, file, format);
  const { keys, isInList, value } = file;
  const write: FileWrite = {
    seen: current && hashBytes(current),
    baseline,
    content,
    edit: {
      format: file.format,
      keys: [...keys],
      isInList,
      value,
      text: inserted,
      createdKeys: created,
    },
  };
  return { action: found != null ? 'update' : current ? 'add' : 'create', added: inserted, write };
}

/** Returns a file without the entry that Locus wrote; null if Locus created it and it was not edited since. */
async function restoreBaseline(
  current: Buffer,
  record: JournalRecord,
  edit: JournalEdit,
  journal: Journal,
): Promise<Buffer | null> {
  if (record.after === hashBytes(current)) return journal.readBackup(record);
  const { text, hasMark } = decodeConfig(current, record.path);
  return encodeConfig({ text: takeOutEdit(text, edit), hasMark });
}

function addEntry(baseline: Buffer | null, file: EntryFile, format: ConfigFormat) {
  const { text, hasMark } = baseline
    ? decodeConfig(baseline, file.path)
    : { text: '', hasMark: false };
  const { offset, text: inserted, createdKeys } = format.insert(text, file);
  const edited = text.slice(0, offset) + inserted + text.slice(offset);
  const found = format.find(edited, file);
  if (found === undefined || !isSame(found, file.value))
    throw new ConfigProblem('cannot be edited safely');
  return { content: encodeConfig({ text: edited, hasMark }), inserted, created: createdKeys };
}
