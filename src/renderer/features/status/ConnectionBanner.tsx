import { Unplug } from 'lucide-react';
import { useHost } from '../../platform/host.ts';
import { useApp } from '../../platform/state.ts';
import styles from './status.module.css';

/** Banner while no server answers: what the window shows may be out of date. */
export function ConnectionBanner() {
  const connection = useApp((state) => state.connection);
  const isTokenRejected = useHost((state) => state.isTokenRejected);
  if (connection !== 'lost') return null;
  return (
    <p className={styles.banner} role="alert">
      <Unplug size={14} aria-hidden="true" />
      {isTokenRejected
        ? 'Locus was restarted. Open the address that it printed: your text is kept and comes back there.'
        : 'Locus does not answer, so this list may be out of date. Your text is kept. If Locus has ended, start it again with locus serve.'}
    </p>
  );
}
