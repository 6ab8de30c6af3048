import { FolderOpen } from 'lucide-react';
import { runCommand } from '../../platform/commands.ts';
import { Button, Dialog, Source } from '../../ui/controls.tsx';
import { forgetLink, useLink } from './follow.ts';
import styles from './link.module.css';

/** Asks for the folder of a deep link's repository. A link never opens a folder that the user did not open before. */
export default function LinkDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { pending } = useLink();
  return (
    <Dialog
      title="Open deep link"
      open={open}
      onClose={() => {
        forgetLink();
        onClose();
      }}
    >
      {pending && (
        <div className={styles.link}>
          <p>
            The link points to <Source text={pending.target} /> in{' '}
            <Source text={pending.repository} />, which you have not opened in Locus yet. Choose its
            folder on this machine.
          </p>
          <p className={styles.hint}>If you don’t have the repository yet, clone it first.</p>
          <Button
            look="primary"
            data-autofocus
            onClick={() => {
              onClose();
              runCommand('repository.openFolder');
            }}
          >
            <FolderOpen size={14} />
            Choose folder…
          </Button>
        </div>
      )}
    </Dialog>
  );
}
