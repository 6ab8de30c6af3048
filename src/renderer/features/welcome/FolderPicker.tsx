import { CornerLeftUp, Folder, FolderGit2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Failure } from '../../../shared/rpc.ts';
import type { FolderListing } from '../../../shared/rpc-protocol.ts';
import { openRepository } from '../../app/state.ts';
import { engine } from '../../engine/engine.ts';
import { Button, Dialog, IconButton, Source } from '../../ui/controls.tsx';
import styles from './welcome.module.css';

/** Chooses a folder of the machine that the engine runs on, where the host has no dialog for that. */
export function FolderPicker({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Open a folder" open={open} onClose={onClose}>
      <Picker onClose={onClose} />
    </Dialog>
  );
}

function Picker({ onClose }: { onClose: () => void }) {
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [path, setPath] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);

  async function enter(folder: string | null): Promise<void> {
    try {
      const found = await engine.call('folders.list', { path: folder });
      setListing(found);
      setPath(found.path);
      setFailure(null);
    } catch (error) {
      setFailure(error as Failure);
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where the picker begins
  useEffect(() => {
    enter(null);
  }, []);
  const choose = (folder: string) => {
    onClose();
    openRepository(folder);
  };

  return (
    <div className={styles.picker}>
      <form
        className={styles.where}
        onSubmit={(event) => {
          event.preventDefault();
          enter(path);
        }}
      >
        <IconButton
          label="To the parent folder"
          disabled={!listing?.parent}
          onClick={() => enter(listing!.parent)}
        >
          <CornerLeftUp size={15} />
        </IconButton>
        <input
          aria-label="Folder"
          value={path}
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
      </form>
      <ul className={styles.folders} aria-label="Folders">
        {listing?.folders.map(({ name, path: folder, repository }) => (
          <li key={folder}>
            <button
              type="button"
              onClick={() => enter(folder)}
              onDoubleClick={() => choose(folder)}
            >
              {repository ? (
                <FolderGit2 size={15} data-repository aria-label="git repository" />
              ) : (
                <Folder size={15} aria-hidden="true" />
              )}
              <Source text={name} />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.pickerEnd}>
        <p role="alert">{failure && `${failure.message}. ${failure.remedy}`}</p>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!listing} onClick={() => choose(path)}>
          Open this folder
        </Button>
      </div>
    </div>
  );
}
