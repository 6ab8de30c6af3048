import { CornerLeftUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Failure, formatFailure } from '../../../shared/errors.ts';
import type { FolderListing } from '../../../shared/folders.ts';
import { engine } from '../../platform/client.ts';
import { getKeyLabels } from '../../platform/keys.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { Button, Dialog, IconButton } from '../../ui/controls.tsx';
import { FolderList } from './FolderList.tsx';
import styles from './welcome.module.css';

interface FolderPickerProps {
  open: boolean;
  onClose: () => void;
  title?: string;
  /** Label of the button. */
  action?: string;
  /** False if the open repository is no choice; its parent folder is then the first one. */
  offersCurrent?: boolean;
  onChoose?: (folder: string) => void;
}

/** Dialog to choose a folder on the engine's machine, for hosts that have no such dialog. */
export function FolderPicker({
  open,
  onClose,
  title = 'Open folder',
  action = 'Open this folder',
  offersCurrent = true,
  onChoose = openRepository,
}: FolderPickerProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <Picker action={action} offersCurrent={offersCurrent} onClose={onClose} onChoose={onChoose} />
    </Dialog>
  );
}

type PickerProps = Required<Omit<FolderPickerProps, 'open' | 'title'>>;

function Picker({ action, offersCurrent, onClose, onChoose }: PickerProps) {
  const field = useRef<HTMLInputElement>(null);
  const [listing, setListing] = useState<FolderListing | null>(null);
  /** The folder to open: the selected one, the listed one, or one that is being typed. */
  const [path, setPath] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  /** Incremented by each request and each edit, so that a late response does not overwrite them. */
  const revision = useRef(0);

  /** Sets the folder to open. */
  function set(folder: string): void {
    revision.current++;
    setBusy(false);
    setPath(folder);
  }

  /** Lists a folder, and selects the folder `inside` it. Returns true if it succeeded and is still wanted. */
  async function enter(folder: string | null, inside = folder): Promise<boolean> {
    const own = ++revision.current;
    // Set at once, so that “Open” uses the folder that was chosen last.
    if (inside !== null) setPath(inside);
    return list(folder, own, folder === inside ? null : inside);
  }

  /** Lists the parent of the open repository and selects it there; without a repository, lists the first folder. */
  async function enterNear(root: string | null): Promise<void> {
    const own = ++revision.current;
    const found = root === null ? null : await listFolders(root).catch(() => null);
    const inside = found?.parent && offersCurrent ? found.path : null;
    await list(found?.parent ?? found?.path ?? null, own, inside);
  }

  /**
   * Loads and shows a listing. If something else was requested or typed since `own`, shows it only if the dialog is still empty.
   * Returns true if it succeeded and is still wanted.
   */
  async function list(folder: string | null, own: number, inside: string | null): Promise<boolean> {
    setBusy(true);
    try {
      const found = await listFolders(folder);
      setListing((shown) => (own === revision.current ? found : (shown ?? found)));
      if (own !== revision.current) return false;
      setPath(inside ?? found.path);
      setFailure(null);
      return true;
    } catch (error) {
      if (own === revision.current) setFailure(error as Failure);
      return false;
    } finally {
      if (own === revision.current) setBusy(false);
    }
  }
  const leave = () => {
    if (listing?.parent) enter(listing.parent, listing.path);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the initial folder
  useEffect(() => {
    enterNear(getCurrentRoot());
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
      className={`${styles.picker} ${styles.tall}`}
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
        <IconButton label="Parent folder" disabled={!listing?.parent} onClick={leave}>
          <CornerLeftUp size={15} />
        </IconButton>
        <input
          ref={field}
          className="text-field"
          aria-label="Folder"
          value={path}
          spellCheck={false}
          onChange={(event) => set(event.target.value)}
        />
      </form>
      <FolderList
        folders={listing?.folders ?? []}
        selected={path}
        isBusy={isBusy}
        onSelect={set}
        onEnter={enter}
        onLeave={leave}
        onTypePath={(start) => {
          set(start);
          field.current?.focus();
        }}
      />
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

const listFolders = (path: string | null): Promise<FolderListing> =>
  engine.call('folders.list', { path });

/** Returns the folder of the open repository, or of a workspace's first one. Returns null if nothing is open. */
function getCurrentRoot(): string | null {
  const { repository } = useApp.getState();
  return repository?.members?.[0]?.root ?? repository?.root ?? null;
}
