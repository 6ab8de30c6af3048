import { ExternalLink, FolderDown, FolderOpen, X } from 'lucide-react';
import { useState } from 'react';
import type { CloneProgress, FleetResult } from '../../../shared/fleet.ts';
import { parseRemote } from '../../../shared/remote-url.ts';
import { desktop } from '../../platform/host.ts';
import { Button, Source, Spinner } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import { FolderPicker } from '../welcome/index.ts';
import styles from './fleet.module.css';
import { cloneFor, openHere, useFleet } from './fleet.ts';

interface Props {
  result: FleetResult;
  /** A folder that has its repository. */
  here: string | null;
  onOpened: () => void;
}

/** The ways to open a result: in its repository where that is here, else by cloning it, or on its host. */
export function OpenResult({ result, here, onOpened }: Props) {
  const { url, link, qualifiedName } = result;
  const clone = useFleet((state) => state.clone);
  const [picking, setPicking] = useState(false);
  const canClone = parseRemote(url) !== null;
  const open = (root: string) => {
    onOpened();
    openHere(result, root);
  };
  const into = async (folder: string) => {
    const root = await cloneFor(result, folder);
    if (root !== null) open(root);
  };
  const choose = async () => {
    if (!desktop) return setPicking(true);
    const folder = await desktop.pickFolder();
    if (folder !== null) await into(folder);
  };
  const isCloning = clone !== null && clone.failure === null;
  return (
    <section className={styles.open} aria-label={`Open ${qualifiedName}`}>
      {here !== null && (
        <Button look="primary" title={here} onClick={() => open(here)}>
          <FolderOpen size={14} />
          Open here
        </Button>
      )}
      {here === null && canClone && !isCloning && (
        <Button look="primary" onClick={choose}>
          <FolderDown size={14} />
          Clone and open …
        </Button>
      )}
      {isCloning && (
        <Button onClick={clone.stop}>
          <X size={14} />
          Cancel cloning
        </Button>
      )}
      {link !== null && (
        <a className={styles.link} href={link} target="_blank" rel="noreferrer">
          <ExternalLink size={14} />
          Open on {new URL(link).host}
        </a>
      )}
      <div role="status" className={styles.said}>
        {isCloning ? (
          <Progress repository={clone.result.repository} progress={clone.progress} />
        ) : here !== null ? (
          <Source text={here} />
        ) : canClone ? (
          <>
            Cloned from <Source text={url} /> with your own credentials
          </>
        ) : (
          'This folder is on the machine that indexed it'
        )}
      </div>
      <p role="alert">
        {clone?.failure &&
          `${clone.result.repository} was not cloned: ${clone.failure.message}. ${clone.failure.remedy}`}
      </p>
      <FolderPicker
        open={picking}
        title="Clone into which folder?"
        action="Clone into this folder"
        onClose={() => setPicking(false)}
        onChoose={into}
      />
    </section>
  );
}

const WORDS: Record<CloneProgress['phase'], string> = {
  asking: 'asking its host',
  receiving: 'receiving objects',
  resolving: 'resolving deltas',
  writing: 'writing files',
};

function Progress({
  repository,
  progress,
}: {
  repository: string;
  progress: CloneProgress | null;
}) {
  const { phase, done, total } = progress ?? { phase: 'asking', done: 0, total: 0 };
  return (
    <>
      <Spinner />
      <span>
        Cloning <Source text={repository} />: {WORDS[phase]}
      </span>
      {total > 0 && (
        <>
          <progress value={done} max={total} aria-label={WORDS[phase]} />
          {/* Screen readers have it from the bar, not with every object. */}
          <span aria-hidden="true">
            {number(done)} of {number(total)}
          </span>
        </>
      )}
    </>
  );
}
