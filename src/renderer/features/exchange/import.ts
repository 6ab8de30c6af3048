/** State of the imported list. It stays open while its chunks are shown in the preview. */
import { create } from 'zustand';
import { decodeText } from '../../../shared/decode-text.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ImportedList } from '../../../shared/lists.ts';
import { MAX_MESSAGE } from '../../../shared/rpc/messages.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { getIssue, loadIssue, saveIssue } from '../search/index.ts';

interface ImportState {
  /** Id of the repository that the list was compared with. */
  repository: string | null;
  name: string;
  list: ImportedList | null;
  failure: Pick<Failure, 'message' | 'remedy'> | null;
  reading: boolean;
}

const NOTHING: ImportState = {
  repository: null,
  name: '',
  list: null,
  failure: null,
  reading: false,
};

export const useImport = create<ImportState>(() => NOTHING);

export const closeImport = (): void => useImport.setState(NOTHING);

/** Limit of a message to the engine, minus what JSON escaping can add. */
const MAX_BYTES = MAX_MESSAGE / 2;

export async function loadImportedList(file: File): Promise<void> {
  const repository = useApp.getState().repository?.id;
  if (!repository) return;
  useImport.setState({ ...NOTHING, repository, name: file.name, reading: true });
  try {
    if (file.size > MAX_BYTES) {
      throw {
        message: `${file.name} is too large to be a list of results.`,
        remedy: 'Choose a list in JSON, or export fewer results.',
      };
    }
    const bytes = await file.arrayBuffer().catch(() => {
      throw {
        message: `${file.name} cannot be read.`,
        remedy: 'Choose a file, not a folder. If the file has changed, choose it again.',
      };
    });
    const text = decodeText(bytes);
    const list = await engine.call('list.import', { repository, name: file.name, text });
    useImport.setState({ list, reading: false });
  } catch (error) {
    useImport.setState({ failure: error as Failure, reading: false });
  }
}

/** Counts of entries with marks or notes: those that were copied, and those that were not found here. */
export interface CopiedMarks {
  copied: number;
  notFound: number;
}

/**
 * Opens the list's issue in the editor as a new issue, with the marks and notes of the chunks that still exist.
 * @throws RpcError (as rejection) if the marks could not be stored; then none of them is.
 */
export async function copyIssueAndMarks({ issue, entries }: ImportedList): Promise<CopiedMarks> {
  const repository = useApp.getState().repository?.id;
  if (!repository) return { copied: 0, notFound: 0 };
  loadIssue(issue.text);
  // As a separate issue, so that earlier marks of the user for this issue are not overwritten.
  await saveIssue({ separate: true });
  const { id } = getIssue();
  const noted = entries.filter(({ mark, note }) => mark !== null || note !== '');
  const marks = noted.flatMap(({ mark, note, now }) =>
    now ? { chunk: now.address, mark, note } : [],
  );
  if (marks.length === 0) return { copied: 0, notFound: noted.length };
  const { missing } = await engine.call('marks.set', { repository, issue: id, marks });
  const copied = marks.length - missing.length;
  return { copied: copied, notFound: noted.length - copied };
}
