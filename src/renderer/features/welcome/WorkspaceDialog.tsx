import { FolderGit2, FolderSearch } from 'lucide-react';
import { useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { MAX_REPOSITORIES } from '../../../shared/limits.ts';
import { encodeWorkspace } from '../../../shared/workspace.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { Button, Dialog, SourceText } from '../../ui/controls.tsx';
import { FolderPicker } from './FolderPicker.tsx';
import styles from './welcome.module.css';

/** Chooses the repositories of a workspace. Repositories in added folders are listed and selected. */
export default function WorkspaceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Open workspace" open={open} onClose={onClose}>
      <Chooser onClose={onClose} />
    </Dialog>
  );
}

function Chooser({ onClose }: { onClose: () => void }) {
  const { path, setPath, found, selected, setSelected, message, addFolder } = useFound();
  const [isPicking, setPicking] = useState(false);
  const chosen = found.filter((root) => selected.has(root));
  const choose = async () => {
    if (!desktop) return setPicking(true);
    const folder = await desktop.pickFolder();
    if (folder !== null) await addFolder(folder);
  };
  const openChosen = () => {
    onClose();
    const [first] = chosen;
    openRepository(chosen.length === 1 && first ? first : encodeWorkspace(chosen));
  };
  return (
    <div className={styles.picker}>
      <form
        className={styles.where}
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim()) addFolder(path.trim());
        }}
      >
        <input
          className="text-field"
          aria-label="Folder with repositories, or a repository"
          placeholder="Folder with repositories, or a repository"
          data-autofocus
          value={path}
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
        <Button type="submit" disabled={path.trim() === ''}>
          <FolderSearch size={14} />
          Add
        </Button>
        <Button onClick={choose}>Choose…</Button>
      </form>
      <ul className={styles.folders} aria-label="Repositories">
        {found.map((root) => (
          <li key={root}>
            <label className={styles.repository}>
              <input
                type="checkbox"
                checked={selected.has(root)}
                onChange={() => setSelected(selected.symmetricDifference(new Set([root])))}
              />
              <FolderGit2 size={15} data-repository />
              <SourceText text={root} />
            </label>
          </li>
        ))}
      </ul>
      <div className={styles.pickerEnd}>
        <p role="status" className={message === null ? styles.hint : undefined}>
          {message ?? (found.length === 0 ? 'Add folders to list their repositories here.' : '')}
        </p>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={chosen.length === 0 || chosen.length > MAX_REPOSITORIES}
          onClick={openChosen}
        >
          {chosen.length === 0
            ? 'Open'
            : `Open ${formatCounted(chosen.length, 'repository', 'repositories')}`}
        </Button>
      </div>
      <FolderPicker
        open={isPicking}
        title="Choose a folder with repositories"
        offersCurrent={false}
        onClose={() => setPicking(false)}
        onChoose={addFolder}
      />
    </div>
  );
}

/** State of the dialog. It starts with the repositories of the open workspace. */
function useFound() {
  const members = useApp.getState().repository?.members ?? [];
  const initial = members.map(({ root }) => root);
  const [path, setPath] = useState('');
  const [found, setFound] = useState<readonly string[]>(initial);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(initial));
  const [message, setMessage] = useState<string | null>(null);
  const addFolder = async (folder: string) => {
    try {
      const { roots, notes } = await engine.call('folders.repositories', { path: folder });
      setFound((listed) => [...new Set([...listed, ...roots])]);
      setSelected((listed) => new Set([...listed, ...roots]));
      setMessage(notes[0] ?? null);
      setPath('');
    } catch (error) {
      setMessage(formatFailure(error as Failure));
    }
  };
  return { path, setPath, found, selected, setSelected, message, addFolder };
}
