import { CircleAlert, FlaskConical, FolderOpen, Lock, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RecentRepository } from '../../../shared/rpc-protocol.ts';
import { keysOf, runCommand } from '../../app/commands.ts';
import { openRepository, useApp } from '../../app/state.ts';
import { engine } from '../../engine/engine.ts';
import { Button, IconButton, Source, Spinner } from '../../ui/controls.tsx';
import { useFolderDrop } from './drop.ts';
import styles from './welcome.module.css';

/** What stands in the window when nothing is open. */
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
            <FolderOpen size={15} aria-hidden="true" />
            Open a folder
            <span className={styles.shortcut}>{keysOf('repository.openFolder').join(' ')}</span>
          </Button>
          {welcome?.sample && (
            <Button onClick={() => runCommand('repository.openSample')}>
              <FlaskConical size={15} aria-hidden="true" />
              Try it on a sample
            </Button>
          )}
        </div>
        <div role="status" className={styles.state}>
          {opening && (
            <>
              <Spinner /> Opening <Source text={opening} /> …
            </>
          )}
          {said && !opening && <span>{said}</span>}
          {openFailure && !said && (
            <>
              <CircleAlert size={15} className={styles.bad} aria-hidden="true" />
              <span>
                {openFailure.message}. {openFailure.remedy}
              </span>
            </>
          )}
        </div>
        <Recent />
        <p className={styles.privacy}>
          <Lock size={13} aria-hidden="true" />
          Everything stays on this machine: code, issues, indexes and the models that read them.
        </p>
      </div>
    </div>
  );
}

function Recent() {
  const [recent, setRecent] = useState<RecentRepository[]>([]);
  useEffect(() => {
    engine.call('recent.list', {}).then(setRecent, () => {});
  }, []);
  const forget = async (root: string) => {
    await engine.call('recent.forget', { root });
    setRecent((before) => before.filter((repository) => repository.root !== root));
  };
  if (recent.length === 0) return null;
  return (
    <section className={styles.recent} aria-labelledby="recent">
      <h2 id="recent">Recent</h2>
      <ul>
        {recent.map(({ root, name, chunks, state, exists }) => (
          <li key={root}>
            <button type="button" disabled={!exists} onClick={() => openRepository(root)}>
              <Source className={styles.name} text={name} />
              <Source className={styles.root} text={root} />
              <span className={styles.index}>{exists ? describe(state, chunks) : 'not there'}</span>
            </button>
            <IconButton label={`Remove ${name} from the list`} onClick={() => forget(root)}>
              <X size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe(state: RecentRepository['state'], chunks: number): string {
  if (state === 'empty') return 'not indexed';
  const counted = `${new Intl.NumberFormat('en').format(chunks)} chunks`;
  return state === 'complete' ? counted : `${counted} so far`;
}
