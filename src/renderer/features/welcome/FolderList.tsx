import { Folder, FolderGit2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { FolderListing } from '../../../shared/folders.ts';
import { SourceText } from '../../ui/controls.tsx';
import { findTyped } from './type-ahead.ts';
import styles from './welcome.module.css';

const PAGE = 10;
/** Milliseconds after which typing begins another name. */
const TYPING_PAUSE_MS = 800;

/** Index to move to from the selected one, which is -1 if none is. */
const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
  Home: () => 0,
  End: (_, last) => last,
};

interface Props {
  folders: FolderListing['folders'];
  /** Path of the selected folder; null for none. */
  selected: string | null;
  /** True while another folder is being listed. Keys then do nothing, since they mean its folders. */
  isBusy: boolean;
  onSelect: (path: string) => void;
  onEnter: (path: string) => void;
  onLeave: () => void;
  /** Called when the user begins to type a path. */
  onTypePath: (start: string) => void;
}

/** List of folders to choose from with arrow keys, by typing a name, or by mouse. */
export function FolderList({ folders, selected, isBusy, ...on }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const at = folders.findIndex(({ path }) => path === selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows the selected folder of each listing
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, folders]);

  function select(index: number): void {
    const folder = folders[Math.max(0, Math.min(folders.length - 1, index))];
    if (folder) on.onSelect(folder.path);
  }
  function selectTyped(character: string, timeStamp: number): void {
    const { text: before, at: lastAt } = typed.current;
    const text = timeStamp - lastAt < TYPING_PAUSE_MS ? before + character : character;
    typed.current = { text, at: timeStamp };
    const names = folders.map(({ name }) => name);
    const found = findTyped(names, text, at);
    if (found >= 0) select(found);
  }
  function press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
    if (ctrlKey || metaKey || altKey || isBusy) return;
    const move = MOVES[key];
    if (move) select(move(at, folders.length - 1));
    else if (key === 'Enter' && selected !== null && at >= 0) on.onEnter(selected);
    else if (key === 'Backspace') on.onLeave();
    else if (key === '/' || key === '\\') on.onTypePath(key);
    else if (key.length === 1) selectTyped(key, timeStamp);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={list}
      role="listbox"
      aria-label="Folders"
      aria-busy={isBusy}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      data-autofocus
      className={styles.folders}
      onKeyDown={press}
    >
      {folders.map(({ name, path, repository }, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
        <div
          key={path}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={styles.folder}
          onClick={() => on.onSelect(path)}
          onDoubleClick={() => on.onEnter(path)}
        >
          {repository ? (
            <FolderGit2 size={15} data-repository aria-label="git repository" />
          ) : (
            <Folder size={15} />
          )}
          <SourceText text={name} />
        </div>
      ))}
    </div>
  );
}
