import { FolderOpen } from 'lucide-react';
import { runCommand } from '../../platform/commands.ts';
import { Button, Dialog, SourceText } from '../../ui/controls.tsx';
import styles from './deep-link.module.css';
import { clearPendingLink, usePendingLink } from './open-deep-link.ts';

/** Asks for the folder of a deep link's repository. A link never opens a folder that the user did not open before. */
export default function DeepLinkDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { pending } = usePendingLink();
  return (
    <Dialog
      title="Open deep link"
      open={open}
      onClose={() => {
        clearPendingLink();
        onClose();
      }}
    >
      {pending && (
        <div className={styles.link}>
          <p>
            The link points to <SourceText text={pending.target} /> in{' '}
            <SourceText text={pending.repository} />, which you have not opened in Locus yet. Choose
            its folder on this machine.
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
