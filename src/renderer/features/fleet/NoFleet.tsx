import { Building2 } from 'lucide-react';
import styles from './fleet.module.css';
import { SetUp } from './SetUp.tsx';

/** What stands where no fleet is set up: what one is, and the way to one. */
export function NoFleet() {
  return (
    <div className={styles.none}>
      <Building2 size={28} className={styles.noneIcon} aria-hidden="true" />
      <h3>No fleet is set up on this machine</h3>
      <p>
        A fleet keeps the functions of all repositories of a company in Milvus, and its list in a
        folder or a bucket of S3. Until one is set up, nothing of this is loaded or reached.
      </p>
      <SetUp places={null} />
    </div>
  );
}
