import { ArrowLeft, ArrowRight, Moon, Search, Settings, Sun } from 'lucide-react';
import { useTravel } from '../features/preview/index.ts';
import { CommandButton } from '../platform/CommandItems.tsx';
import { runCommand } from '../platform/commands.ts';
import { keysOf } from '../platform/keys.ts';
import { useApp } from '../platform/state.ts';
import { Keys } from '../ui/controls.tsx';
import { RepositoryMenu } from './RepositoryMenu.tsx';
import styles from './shell.module.css';
import { VersionButton } from './VersionButton.tsx';
import { isDark } from './view-commands.ts';

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
        <Keys keys={keysOf('code.goTo')} />
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
