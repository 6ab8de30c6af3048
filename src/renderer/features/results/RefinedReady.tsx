import { ListRestart } from 'lucide-react';
import { runCommand } from '../../platform/commands.ts';
import { Button } from '../../ui/controls.tsx';
import { useSearch } from '../search/index.ts';
import styles from './results.module.css';

/**
 * Puts the refined order in the place of the first one, where that would have moved rows under somebody's hands; it stands in the
 * header, where its coming moves no row either.
 */
export function RefinedReady() {
  const ready = useSearch((state) => state.ready !== null);
  if (!ready) return null;
  return (
    <Button look="quiet" className={styles.refined} onClick={() => runCommand('results.refined')}>
      <ListRestart size={14} aria-hidden="true" />
      <span>Refined order ready</span>
    </Button>
  );
}
