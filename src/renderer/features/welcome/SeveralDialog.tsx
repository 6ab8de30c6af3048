import { FolderGit2, FolderSearch } from 'lucide-react';
import { useState } from 'react';
import { type Failure, inSentences } from '../../../shared/errors.ts';
import { MOST_REPOSITORIES } from '../../../shared/limits.ts';
import { placeOf } from '../../../shared/several.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { Button, Dialog, Source } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { FolderPicker } from './FolderPicker.tsx';
import styles from './welcome.module.css';

/** Chooses several repositories to search as one: folders are looked through for them, and the found ones ticked. */
export default function SeveralDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Open several repositories" open={open} onClose={onClose}>
      <Chooser onClose={onClose} />
    </Dialog>
  );
}

function Chooser({ onClose }: { onClose: () => void }) {
  const { path, setPath, found, ticked, setTicked, said, find } = useFound();
  const [picking, setPicking] = useState(false);
  const chosen = found.filter((root) => ticked.has(root));
  const choose = async () => {
    if (!desktop) return setPicking(true);
    const folder = await desktop.pickFolder();
    if (folder !== null) await find(folder);
  };
  const openChosen = () => {
    onClose();
    const [first] = chosen;
    openRepository(chosen.length === 1 && first ? first : placeOf(chosen));
  };
  return (
    <div className={styles.picker}>
      <form
        className={styles.where}
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim()) find(path.trim());
        }}
      >
        <input
          className="text-field"
          aria-label="A folder with repositories, or a repository"
          placeholder="A folder with repositories, or a repository"
          data-autofocus
          value={path}
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
        <Button type="submit" disabled={path.trim() === ''}>
          <FolderSearch size={14} />
          Add
        </Button>
        <Button onClick={choose}>Choose …</Button>
      </form>
      <ul className={`${styles.folders} ${styles.found}`} aria-label="Repositories">
        {found.map((root) => (
          <li key={root}>
            <label className={styles.tick}>
              <input
                type="checkbox"
                checked={ticked.has(root)}
                onChange={() => setTicked(ticked.symmetricDifference(new Set([root])))}
              />
              <FolderGit2 size={15} data-repository />
              <Source text={root} />
            </label>
          </li>
        ))}
      </ul>
      <div className={styles.pickerEnd}>
        <p role="status" className={said === null ? styles.hint : undefined}>
          {said ?? (found.length === 0 ? 'Add folders; their repositories are listed here.' : '')}
        </p>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={chosen.length === 0 || chosen.length > MOST_REPOSITORIES}
          onClick={openChosen}
        >
          {chosen.length === 0
            ? 'Open'
            : `Open ${counted(chosen.length, 'repository', 'repositories')}`}
        </Button>
      </div>
      <FolderPicker
        open={picking}
        title="A folder with repositories"
        onClose={() => setPicking(false)}
        onChoose={find}
      />
    </div>
  );
}

/** The repositories that were found so far, those that are open in this window at first. */
function useFound() {
  const members = useApp.getState().repository?.members ?? [];
  const before = members.map(({ root }) => root);
  const [path, setPath] = useState('');
  const [found, setFound] = useState<readonly string[]>(before);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(before));
  const [said, setSaid] = useState<string | null>(null);
  const find = async (folder: string) => {
    try {
      const { roots, notes } = await engine.call('folders.repositories', { path: folder });
      setFound((known) => [...new Set([...known, ...roots])]);
      setTicked((known) => new Set([...known, ...roots]));
      setSaid(notes[0] ?? null);
      setPath('');
    } catch (error) {
      setSaid(inSentences(error as Failure));
    }
  };
  return { path, setPath, found, ticked, setTicked, said, find };
}
