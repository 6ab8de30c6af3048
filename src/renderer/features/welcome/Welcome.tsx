import { Building2, CircleAlert, FlaskConical, FolderOpen, FolderTree, Lock } from 'lucide-react';
import { useState } from 'react';
import { inSentences } from '../../../shared/errors.ts';
import { runCommand } from '../../platform/commands.ts';
import { desktop } from '../../platform/host.ts';
import { keysOf } from '../../platform/keys.ts';
import { titleOfPlace } from '../../platform/navigation.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { Button, Source, Spinner } from '../../ui/controls.tsx';
import { useFileDrop } from '../../ui/file-drop.ts';
import { Recent } from './Recent.tsx';
import styles from './welcome.module.css';

export function Welcome() {
  const { welcome, opening, openFailure } = useApp();
  const { over, said, handlers } = useFolderDrop();
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
            Open a folder
            <span className={styles.shortcut}>{keysOf('repository.openFolder').join(' ')}</span>
          </Button>
          <Button onClick={() => runCommand('repository.openSeveral')}>
            <FolderTree size={15} />
            Open several …
          </Button>
          {welcome?.fleet && (
            <Button onClick={() => runCommand('repository.all')}>
              <Building2 size={15} />
              Search all repositories …
            </Button>
          )}
          {welcome?.sample && (
            <Button onClick={() => runCommand('repository.openSample')}>
              <FlaskConical size={15} />
              Try it on a sample
            </Button>
          )}
        </div>
        <div role="status" className={styles.state}>
          {opening && (
            <>
              <Spinner /> Opening <Source text={titleOfPlace(opening)} /> …
            </>
          )}
          {said && !opening && <span>{said}</span>}
          {openFailure && !said && (
            <>
              <CircleAlert size={15} className={styles.bad} />
              <span>{inSentences(openFailure)}</span>
            </>
          )}
        </div>
        <Recent />
        <p className={styles.privacy}>
          <Lock size={13} />
          Everything stays on this machine: code, issues, indexes and the models that read them.
          {welcome?.fleet && ' Only a search of all repositories asks the fleet’s servers.'}
        </p>
      </div>
    </div>
  );
}

const NO_PATH =
  'A browser does not say where a dropped folder lies. Use “Open a folder”, or start Locus with: locus serve <folder>';

/** Opens a folder that is dropped on the window; a page in a browser can only say why it cannot. */
function useFolderDrop() {
  const [said, setSaid] = useState<string | null>(null);
  const drop = useFileDrop(({ files: [file] }) => {
    const path = file && desktop?.pathOf(file);
    setSaid(null);
    if (path) openRepository(path);
    else if (!desktop) setSaid(NO_PATH);
    else setSaid('That is not on this machine’s disk. Drop a folder of it.');
  });
  return { said, ...drop };
}
