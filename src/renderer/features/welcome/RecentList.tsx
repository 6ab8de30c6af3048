import { FolderX, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Failure } from '../../../shared/errors.ts';
import type { FolderState, RecentRepository } from '../../../shared/folders.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { decodeWorkspace } from '../../../shared/workspace.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { formatRoot } from '../../platform/navigation.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { Button, IconButton, SourceText } from '../../ui/controls.tsx';
import { FolderPicker } from './FolderPicker.tsx';
import styles from './welcome.module.css';

const PROBLEMS: Record<Exclude<FolderState, 'there'>, string> = {
  missing: 'The folder is missing. It was deleted or moved, or its drive is not connected.',
  'not-a-folder': 'This is no longer a folder.',
  unreadable: 'The folder cannot be read. Check its permissions.',
  'not-allowed': 'This server may not open the folder.',
  'no-repository': 'This is no longer a Git repository. It opens as a plain folder.',
};

export function RecentList() {
  const { recent, list } = useRecent();
  const [relocating, setRelocating] = useState<RecentRepository | null>(null);
  const forget = async ({ root }: RecentRepository) => {
    await engine.call('recent.forget', { root });
    await list();
  };
  const relocate = async ({ root }: RecentRepository, to: string) => {
    try {
      const place = await engine.call('recent.relocate', { root, to });
      await openRepository(place.root);
    } catch (error) {
      useApp.setState({ openFailure: error as Failure });
    }
  };
  const locate = async (repository: RecentRepository) => {
    if (!desktop) return setRelocating(repository);
    const folder = await desktop.pickFolder();
    if (folder !== null) await relocate(repository, folder);
  };
  if (recent.length === 0) return null;
  return (
    <section className={styles.recent} aria-labelledby="recent">
      <h2 id="recent">Recent</h2>
      <ul>
        {recent.map((repository) => (
          <li key={repository.root} data-problem={repository.folder !== 'there' || undefined}>
            <RecentItem
              repository={repository}
              onLocate={() => locate(repository)}
              onForget={() => forget(repository)}
            />
          </li>
        ))}
      </ul>
      <FolderPicker
        open={relocating !== null}
        title={`Locate ${relocating?.name}`}
        onClose={() => setRelocating(null)}
        onChoose={(folder) => relocating && relocate(relocating, folder)}
      />
    </section>
  );
}

/** Returns the list, and reloads it when the window gets the focus, since a drive may be connected again. */
function useRecent() {
  const [recent, setRecent] = useState<RecentRepository[]>([]);
  // After a failure the list stays as it is.
  const list = () => engine.call('recent.list', {}).then(setRecent, () => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: `list` does the same in every render
  useEffect(() => {
    list();
    window.addEventListener('focus', list);
    return () => window.removeEventListener('focus', list);
  }, []);
  return { recent, list };
}

interface Props {
  repository: RecentRepository;
  onLocate: () => void;
  onForget: () => void;
}

function RecentItem({ repository, onLocate, onForget }: Props) {
  const { root, name, chunks, state, folder } = repository;
  const what = (
    <>
      <SourceText className={styles.name} text={name} />
      <SourceText className={styles.root} text={formatRoot(root)} />
    </>
  );
  if (folder === 'there') {
    return (
      <>
        <button type="button" className={styles.entry} onClick={() => openRepository(root)}>
          {what}
          <span className={styles.index}>{describe(state, chunks)}</span>
        </button>
        <IconButton label={`Remove ${name} from the list`} onClick={onForget}>
          <X size={14} />
        </IconButton>
      </>
    );
  }
  return (
    <>
      <FolderX size={16} className={styles.problemIcon} />
      <div className={styles.unavailable}>
        {folder === 'no-repository' ? (
          <button type="button" className={styles.entry} onClick={() => openRepository(root)}>
            {what}
          </button>
        ) : (
          <span className={styles.entry}>{what}</span>
        )}
        <span className={styles.problem}>{PROBLEMS[folder]}</span>
      </div>
      {decodeWorkspace(root) === null && (
        <Button look="quiet" onClick={onLocate}>
          Locate… <span className="visually-hidden">{name}</span>
        </Button>
      )}
      <Button look="quiet" onClick={onForget}>
        Remove from list <span className="visually-hidden">{name}</span>
      </Button>
    </>
  );
}

function describe(state: RecentRepository['state'], chunks: number): string {
  if (state === 'empty') return 'not indexed';
  const indexed = formatCounted(chunks, 'function');
  return state === 'complete' ? indexed : `${indexed} so far`;
}
