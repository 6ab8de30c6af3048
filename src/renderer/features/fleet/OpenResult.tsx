import { ExternalLink, FolderDown, FolderOpen, X } from 'lucide-react';
import { useState } from 'react';
import { formatFailure } from '../../../shared/errors.ts';
import type { CloneProgress, FleetResult } from '../../../shared/fleet.ts';
import { formatCount } from '../../../shared/format-count.ts';
import { parseRemote } from '../../../shared/remote-url.ts';
import { desktop } from '../../platform/host.ts';
import { Button, SourceText, Spinner } from '../../ui/controls.tsx';
import { FolderPicker } from '../welcome/index.ts';
import styles from './fleet.module.css';
import { cloneResultRepository, openInFolder, useFleet } from './fleet.ts';

interface Props {
  result: FleetResult;
  /** Folder on this machine with a clone of the result's repository; null if none exists. */
  here: string | null;
  onOpened: () => void;
}

/** Offers ways to open a result: in its repository on this machine, in a new clone, or on its code host. */
export function OpenResult({ result, here, onOpened }: Props) {
  const { url, link, qualifiedName } = result;
  const clone = useFleet((state) => state.clone);
  const [picking, setPicking] = useState(false);
  const canClone = parseRemote(url) !== null;
  const open = (root: string) => {
    onOpened();
    openInFolder(result, root);
  };
  const cloneInto = async (folder: string) => {
    const root = await cloneResultRepository(result, folder);
    if (root !== null) open(root);
  };
  const chooseFolder = async () => {
    if (!desktop) return setPicking(true);
    const folder = await desktop.pickFolder();
    if (folder !== null) await cloneInto(folder);
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
        <Button look="primary" onClick={chooseFolder}>
          <FolderDown size={14} />
          Clone and open…
        </Button>
      )}
      {isCloning && (
        <Button onClick={clone.stop}>
          <X size={14} />
          Cancel clone
        </Button>
      )}
      {link !== null && (
        <a className={styles.link} href={link} target="_blank" rel="noreferrer">
          <ExternalLink size={14} />
          Open on {new URL(link).host}
        </a>
      )}
      <div role="status" className={styles.status}>
        {isCloning ? (
          <Progress repository={clone.result.repository} progress={clone.progress} />
        ) : here !== null ? (
          <SourceText text={here} />
        ) : canClone ? (
          <>
            To be cloned from <SourceText text={url} /> with your own credentials
          </>
        ) : (
          'The folder is on the machine that indexed it'
        )}
      </div>
      <p role="alert">
        {clone?.failure &&
          `${clone.result.repository} was not cloned. ${formatFailure(clone.failure)}`}
      </p>
      <FolderPicker
        open={picking}
        title="Choose a folder for the clone"
        action="Clone here"
        offersCurrent={false}
        onClose={() => setPicking(false)}
        onChoose={cloneInto}
      />
    </section>
  );
}

const PHASE_LABELS: Record<CloneProgress['phase'], string> = {
  asking: 'contacting its host',
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
        Cloning <SourceText text={repository} />: {PHASE_LABELS[phase]}
      </span>
      {total > 0 && (
        <>
          <progress value={done} max={total} aria-label={PHASE_LABELS[phase]} />
          {/* Hidden from screen readers, which would otherwise announce every object. The bar has the value. */}
          <span aria-hidden="true">
            {formatCount(done)} of {formatCount(total)}
          </span>
        </>
      )}
    </>
  );
}
