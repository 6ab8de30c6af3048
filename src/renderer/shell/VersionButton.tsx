import { FolderGit2, GitCommitHorizontal, X } from 'lucide-react';
import { CommandButton } from '../platform/CommandItems.tsx';
import { runCommand } from '../platform/commands.ts';
import { keysOf } from '../platform/keys.ts';
import { useApp } from '../platform/state.ts';
import { Button, Source, Tooltip } from '../ui/controls.tsx';
import styles from './shell.module.css';

/** Names the version that is searched, offers others, and leads back to the working tree. */
export function VersionButton() {
  const version = useApp((state) => state.version);
  const branch = useApp((state) => state.branch);
  // Of a bare repository, too, a commit is searched.
  const commit = useApp((state) => state.repository?.revision)?.slice(0, 10) ?? null;
  const choose = () => runCommand('repository.version');
  if (commit === null) {
    return (
      <Tooltip text="What is searched" keys={keysOf('repository.version')}>
        <Button look="quiet" className={styles.version} onClick={choose}>
          <FolderGit2 size={14} />
          <span className={styles.versionName}>Working tree</span>
          {branch && <Source text={branch} className={styles.branch} />}
        </Button>
      </Tooltip>
    );
  }
  const name = version?.name ?? null;
  return (
    <span className={styles.versionChip} data-version={version ? 'commit' : undefined}>
      <Tooltip text="What is searched" keys={keysOf('repository.version')}>
        <Button look="quiet" className={styles.version} onClick={choose}>
          <GitCommitHorizontal size={14} />
          {name && name !== commit && <Source text={name} className={styles.versionName} />}
          <span className={styles.commit}>{commit}</span>
        </Button>
      </Tooltip>
      {version && (
        <CommandButton id="repository.workingTree" label="Back to the working tree">
          <X size={13} />
        </CommandButton>
      )}
    </span>
  );
}
