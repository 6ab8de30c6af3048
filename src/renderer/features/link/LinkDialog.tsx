import { FolderOpen } from 'lucide-react';
import { runCommand } from '../../platform/commands.ts';
import { Button, Dialog, Source } from '../../ui/controls.tsx';
import { forgetLink, useLink } from './follow.ts';
import styles from './link.module.css';

/** Asks where the repository of a link lies: a link opens no folder that was not opened before. */
export default function LinkDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { pending } = useLink();
  return (
    <Dialog
      title="Open a link"
      open={open}
      onClose={() => {
        forgetLink();
        onClose();
      }}
    >
      {pending && (
        <div className={styles.link}>
          <p>
            The link leads to <Source text={pending.target} /> in{' '}
            <Source text={pending.repository} />, which was not opened here before. Where does it
            lie on this machine?
          </p>
          <p className={styles.hint}>If it is not here yet, clone it first.</p>
          <Button
            look="primary"
            data-autofocus
            onClick={() => {
              onClose();
              runCommand('repository.openFolder');
            }}
          >
            <FolderOpen size={14} />
            Choose its folder …
          </Button>
        </div>
      )}
    </Dialog>
  );
}
