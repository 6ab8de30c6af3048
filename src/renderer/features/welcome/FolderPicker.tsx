import { CornerLeftUp, Folder, FolderGit2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import type { FolderListing } from '../../../shared/folders.ts';
import { engine } from '../../platform/client.ts';
import { getKeyLabels } from '../../platform/keys.ts';
import { openRepository } from '../../platform/state.ts';
import { Button, Dialog, IconButton, SourceText } from '../../ui/controls.tsx';
import styles from './welcome.module.css';

interface FolderPickerProps {
  open: boolean;
  onClose: () => void;
  title?: string;
  /** Label of the button. */
  action?: string;
  onChoose?: (folder: string) => void;
}

/** Dialog to choose a folder on the engine's machine, for hosts that have no such dialog. */
export function FolderPicker({
  open,
  onClose,
  title = 'Open folder',
  action = 'Open this folder',
  onChoose = openRepository,
}: FolderPickerProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <Picker action={action} onClose={onClose} onChoose={onChoose} />
    </Dialog>
  );
}

interface PickerProps {
  action: string;
  onClose: () => void;
  onChoose: (folder: string) => void;
}

function Picker({ action, onClose, onChoose }: PickerProps) {
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [path, setPath] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);

  /** Incremented by each request and each edit, so that a late response does not overwrite them. */
  const revision = useRef(0);

  /** Lists a folder. Returns true if it succeeded, and nothing else was requested or typed in the meantime. */
  async function enter(folder: string | null): Promise<boolean> {
    const own = ++revision.current;
    // Set at once, so that “Open” uses the folder that was chosen last.
    if (folder !== null) setPath(folder);
    try {
      const found = await engine.call('folders.list', { path: folder });
      setListing((shown) => (own === revision.current ? found : (shown ?? found)));
      if (own !== revision.current) return false;
      setPath(found.path);
      setFailure(null);
      return true;
    } catch (error) {
      if (own === revision.current) setFailure(error as Failure);
      return false;
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the initial folder
  useEffect(() => {
    enter(null);
    return () => {
      revision.current++;
    };
  }, []);
  // Check the folder first, so that the dialog stays open if it is invalid.
  const choose = async (folder: string) => {
    if (!(await enter(folder))) return;
    onClose();
    onChoose(folder);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button at the end does the same
    <div
      className={styles.picker}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        choose(path);
      }}
    >
      <form
        className={styles.where}
        onSubmit={(event) => {
          event.preventDefault();
          enter(path);
        }}
      >
        <IconButton
          label="Parent folder"
          disabled={!listing?.parent}
          onClick={() => enter(listing?.parent ?? null)}
        >
          <CornerLeftUp size={15} />
        </IconButton>
        <input
          className="text-field"
          aria-label="Folder"
          data-autofocus
          value={path}
          spellCheck={false}
          onChange={(event) => {
            revision.current++;
            setPath(event.target.value);
          }}
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
                <Folder size={15} />
              )}
              <SourceText text={name} />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.pickerEnd}>
        <p role="alert">{failure && formatFailure(failure)}</p>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!path} onClick={() => choose(path)}>
          {action}
          <span className={styles.shortcut} aria-hidden="true">
            {getKeyLabels('$mod+Enter').join(' ')}
          </span>
        </Button>
      </div>
    </div>
  );
}
