/** A colleague's list, as it was opened last; it stays while its chunks are looked at. */
import { create } from 'zustand';
import { decodeText } from '../../../shared/decode-text.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ImportedList } from '../../../shared/lists.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { issueNow, loadIssue, saveIssue } from '../search/index.ts';

interface ImportState {
  /** The repository that it was opened against. */
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

export const forgetImport = (): void => useImport.setState(NOTHING);

/** Limit of a message to the engine, less what JSON adds to a text. */
const MOST_BYTES = 6_000_000;

export async function openList(file: File): Promise<void> {
  const repository = useApp.getState().repository?.id;
  if (!repository) return;
  useImport.setState({ ...NOTHING, repository, name: file.name, reading: true });
  try {
    if (file.size > MOST_BYTES) {
      throw {
        message: `${file.name} is too large to be a list of results`,
        remedy: 'choose a list in JSON, or export fewer results',
      };
    }
    const bytes = await file.arrayBuffer().catch(() => {
      throw {
        message: `${file.name} cannot be read`,
        remedy: 'choose a file: a folder is none, and one that has changed has to be chosen anew',
      };
    });
    const text = decodeText(bytes);
    const list = await engine.call('list.import', { repository, name: file.name, text });
    useImport.setState({ list, reading: false });
  } catch (error) {
    useImport.setState({ failure: error as Failure, reading: false });
  }
}

/** Chunks whose mark or note was taken over, and those that have one but are not here. */
export interface Taken {
  taken: number;
  left: number;
}

/**
 * Puts the list's issue into the editor, as one of its own, with the marks and notes of chunks that are still here.
 * @throws RpcError (as rejection) when they could not be stored; then none of the marks is.
 */
export async function takeOver({ issue, entries }: ImportedList): Promise<Taken> {
  const repository = useApp.getState().repository?.id;
  if (!repository) return { taken: 0, left: 0 };
  loadIssue(issue.text);
  // Apart: what the user has marked for this issue before must not be overwritten.
  await saveIssue({ apart: true });
  const { id } = issueNow();
  const said = entries.filter(({ mark, note }) => mark !== null || note !== '');
  const marks = said.flatMap(({ mark, note, now }) =>
    now ? { chunk: now.address, mark, note } : [],
  );
  if (marks.length === 0) return { taken: 0, left: said.length };
  const { missing } = await engine.call('marks.set', { repository, issue: id, marks });
  const taken = marks.length - missing.length;
  return { taken, left: said.length - taken };
}
