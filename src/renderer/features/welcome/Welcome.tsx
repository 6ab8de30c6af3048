import { Building2, CircleAlert, FlaskConical, FolderOpen, FolderTree, Lock } from 'lucide-react';
import { useState } from 'react';
import { formatFailure } from '../../../shared/errors.ts';
import { runCommand } from '../../platform/commands.ts';
import { desktop } from '../../platform/host.ts';
import { getKeys } from '../../platform/keys.ts';
import { formatRoot } from '../../platform/navigation.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import { useFileDrop } from '../../ui/file-drop.ts';
import { RecentList } from './RecentList.tsx';
import styles from './welcome.module.css';

export function Welcome() {
  const { welcome, opening, openFailure } = useApp();
  const { over, message, handlers } = useFolderDrop();
  return (
    <div className={styles.welcome} data-over={over || undefined} {...handlers}>
      <div className={styles.column}>
        <h1>Where do I edit for this issue?</h1>
        <p className={styles.lead}>
          Open a repository and paste an issue. Locus ranks the functions, methods and classes that
          a fix would most likely change, and shows why.
        </p>
        <div className={styles.actions}>
          <Button look="primary" onClick={() => runCommand('repository.openFolder')}>
            <FolderOpen size={15} />
            Open folder…
            <span className={styles.shortcut}>{getKeys('repository.openFolder').join(' ')}</span>
          </Button>
          <Button onClick={() => runCommand('repository.openSeveral')}>
            <FolderTree size={15} />
            Open workspace…
          </Button>
          {welcome?.fleet && (
            <Button onClick={() => runCommand('repository.all')}>
              <Building2 size={15} />
              Search all repositories…
            </Button>
          )}
          {welcome?.sample && (
            <Button onClick={() => runCommand('repository.openSample')}>
              <FlaskConical size={15} />
              Try a sample
            </Button>
          )}
        </div>
        <div role="status" className={styles.state}>
          {opening && (
            <>
              <Spinner /> Opening <SourceText text={formatRoot(opening)} />…
            </>
          )}
          {message && !opening && <span>{message}</span>}
          {openFailure && !message && (
            <>
              <CircleAlert size={15} className={styles.bad} />
              <span>{formatFailure(openFailure)}</span>
            </>
          )}
        </div>
        <RecentList />
        <p className={styles.privacy}>
          <Lock size={13} />
          Everything stays on this machine: code, issues, indexes and models.
          {welcome?.fleet && ' Only a search of all repositories contacts the fleet’s servers.'}
        </p>
      </div>
    </div>
  );
}

const NO_PATH =
  'A browser hides the path of a dropped folder. Use “Open folder”, or run: locus serve <folder>';

/** Opens a folder that is dropped on the window. In a browser, shows why that is impossible. */
function useFolderDrop() {
  const [message, setMessage] = useState<string | null>(null);
  const drop = useFileDrop(({ files: [file] }) => {
    const path = file && desktop?.getPath(file);
    setMessage(null);
    if (path) openRepository(path);
    else if (!desktop) setMessage(NO_PATH);
    else setMessage('This is not a folder on this machine. Drop a folder from its disk.');
  });
  return { message, ...drop };
}
