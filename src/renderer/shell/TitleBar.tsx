import {
  ArrowLeft,
  ArrowRight,
  FolderGit2,
  GitCommitHorizontal,
  Moon,
  Search,
  Settings,
  Sun,
  X,
} from 'lucide-react';
import { useTravel } from '../features/preview/index.ts';
import { CommandButton } from '../platform/CommandItems.tsx';
import { runCommand } from '../platform/commands.ts';
import { getKeys } from '../platform/keys.ts';
import { useApp } from '../platform/state.ts';
import { Button, Keys, SourceText, Tooltip } from '../ui/controls.tsx';
import { RepositoryMenu } from './RepositoryMenu.tsx';
import styles from './shell.module.css';
import { isDark } from './view-commands.ts';

/** Shows the searched version, opens the list of versions, and returns to the working tree. */
function VersionButton() {
  const version = useApp((state) => state.version);
  const branch = useApp((state) => state.branch);
  // A commit is also searched in a bare repository.
  const commit = useApp((state) => state.repository?.revision)?.slice(0, 10) ?? null;
  const choose = () => runCommand('repository.version');
  if (commit === null) {
    return (
      <Tooltip text="Choose version" keys={getKeys('repository.version')}>
        <Button look="quiet" className={styles.version} onClick={choose}>
          <FolderGit2 size={14} />
          <span className={styles.versionName}>Working tree</span>
          {branch && <SourceText text={branch} className={styles.branch} />}
        </Button>
      </Tooltip>
    );
  }
  const name = version?.name ?? null;
  return (
    <span className={styles.versionChip} data-version={version ? 'commit' : undefined}>
      <Tooltip text="Choose version" keys={getKeys('repository.version')}>
        <Button look="quiet" className={styles.version} onClick={choose}>
          <GitCommitHorizontal size={14} />
          {name && name !== commit && <SourceText text={name} className={styles.versionName} />}
          <span className={styles.commit}>{commit}</span>
        </Button>
      </Tooltip>
      {version && (
        <CommandButton id="repository.workingTree" label="Back to working tree">
          <X size={13} />
        </CommandButton>
      )}
    </span>
  );
}

export function TitleBar() {
  const repository = useApp((state) => state.repository);
  useApp((state) => state.settings?.theme);
  return (
    <header className={styles.titleBar}>
      <div className={styles.titleRow}>
        <div className={styles.titleStart}>
          <Logo />
          {repository && <RepositoryMenu repository={repository} />}
          {repository && !repository.members && <VersionButton />}
        </div>
        {repository && <SearchField />}
        <div className={styles.titleEnd}>
          <CommandButton id="view.toggleTheme" label={isDark() ? 'Light theme' : 'Dark theme'}>
            {isDark() ? <Sun size={15} /> : <Moon size={15} />}
          </CommandButton>
          <CommandButton id="view.settings" label="Settings">
            <Settings size={15} />
          </CommandButton>
        </div>
      </div>
    </header>
  );
}

function SearchField() {
  const { back, forward } = useTravel();
  return (
    <div className={styles.titleMiddle}>
      <CommandButton id="code.back" label="Back" disabled={!back}>
        <ArrowLeft size={15} />
      </CommandButton>
      <CommandButton id="code.forward" label="Forward" disabled={!forward}>
        <ArrowRight size={15} />
      </CommandButton>
      <button type="button" className={styles.field} onClick={() => runCommand('code.goTo')}>
        <Search size={13} />
        <span className={styles.fieldText}>Go to a function, file or command</span>
        <Keys keys={getKeys('code.goTo')} />
      </button>
    </div>
  );
}

function Logo() {
  return (
    <span className={styles.logo}>
      <svg className={styles.mark} viewBox="0 0 32 32" fill="none" aria-hidden="true">
        <path
          d="M8 5v18.500A3.500 3.500 0 0 0 11.500 27H16"
          stroke="currentColor"
          strokeWidth="3.400"
          strokeLinecap="round"
        />
        <circle cx="21.500" cy="18.500" r="6.500" stroke="var(--accent)" strokeWidth="3.200" />
        <circle cx="21.500" cy="18.500" r="1.900" fill="var(--accent)" />
      </svg>
      <span className={styles.logoName}>Locus</span>
    </span>
  );
}
