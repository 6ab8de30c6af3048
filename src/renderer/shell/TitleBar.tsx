import { ChevronDown, FolderGit2, GitCommitHorizontal, Moon, Sun } from 'lucide-react';
import { visible } from '../../shared/visible.ts';
import { runCommand } from '../platform/commands.ts';
import { keysOf } from '../platform/keys.ts';
import { titleOfPlace } from '../platform/places.ts';
import { useApp } from '../platform/state.ts';
import { Button, IconButton, Source } from '../ui/controls.tsx';
import styles from './shell.module.css';
import { isDark } from './view-commands.ts';

export function TitleBar() {
  const repository = useApp((state) => state.repository);
  useApp((state) => state.settings?.theme);
  return (
    <header className={styles.titleBar}>
      <Logo />
      {repository && (
        <Button
          look="quiet"
          onClick={() => runCommand('repository.close')}
          title={visible(titleOfPlace(repository.root))}
        >
          <FolderGit2 size={14} aria-hidden="true" />
          <Source text={repository.name} />
          {repository.revision && (
            <span className={styles.revision}>
              <GitCommitHorizontal size={14} aria-hidden="true" />
              {repository.revision.slice(0, 10)}
            </span>
          )}
          <ChevronDown size={13} aria-hidden="true" />
        </Button>
      )}
      <div className={styles.spring} />
      <IconButton
        label={isDark() ? 'Light theme' : 'Dark theme'}
        keys={keysOf('view.toggleTheme')}
        onClick={() => runCommand('view.toggleTheme')}
      >
        {isDark() ? <Sun size={15} /> : <Moon size={15} />}
      </IconButton>
    </header>
  );
}

function Logo() {
  return (
    <span className={styles.logo}>
      <svg width="18" height="18" viewBox="0 0 32 32" fill="none" aria-hidden="true">
        <path
          d="M8 5v18.500A3.500 3.500 0 0 0 11.500 27H16"
          stroke="currentColor"
          strokeWidth="3.400"
          strokeLinecap="round"
        />
        <circle cx="21.500" cy="18.500" r="6.500" stroke="var(--accent)" strokeWidth="3.200" />
        <circle cx="21.500" cy="18.500" r="1.900" fill="var(--accent)" />
      </svg>
      Locus
    </span>
  );
}
