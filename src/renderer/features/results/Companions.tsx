import { useMemo } from 'react';
import { COMPANIONS_SAID, type Companion, ranksOf, standing } from '../../../shared/companions.ts';
import { Source } from '../../ui/controls.tsx';
import { select, useSearch } from '../search/index.ts';
import styles from './evidence.module.css';

/** What a fix that edits this result may have to edit too. Each leads to its code, whether it is in the list or not. */
export function Companions({ companions }: { companions: readonly Companion[] }) {
  const results = useSearch(({ response }) => response?.results);
  const rankOf = useMemo(() => ranksOf(results ?? []), [results]);
  return (
    <section className={styles.companions} aria-label="Goes with">
      <h4>Goes with</h4>
      <ul>
        {companions.map((companion) => (
          <li key={`${companion.relation} ${companion.address}`}>
            {COMPANIONS_SAID[companion.relation]}{' '}
            <button
              type="button"
              className={styles.quote}
              onClick={() => select(companion.address)}
            >
              <Source text={companion.qualifiedName} />
            </button>{' '}
            {standing(companion, rankOf)}
          </li>
        ))}
      </ul>
    </section>
  );
}
