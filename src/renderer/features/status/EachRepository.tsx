import { inSentences } from '../../../shared/errors.ts';
import type { IndexingState } from '../../../shared/indexing.ts';
import { useApp } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import { number } from '../../ui/counts.ts';
import { PHASES } from './phases.ts';
import { StatusPopover } from './StatusPopover.tsx';
import styles from './status.module.css';

export function EachRepository() {
  const members = useApp((state) => state.members);
  if (!members) return null;
  const current = members.filter(({ indexing }) => indexing.phase === 'current').length;
  const failed = members.filter(({ indexing }) => indexing.phase === 'failed').length;
  const trouble = failed > 0 ? `, ${failed} failed` : '';
  return (
    <StatusPopover
      label="Repositories"
      trigger={`${current} of ${members.length} repositories${trouble}`}
    >
      <h3>Repositories</h3>
      <dl className={styles.rows}>
        {members.map(({ name, root, indexing }) => (
          <div key={root} title={root}>
            <dt>
              <Source text={name} />
            </dt>
            <dd>{describe(indexing)}</dd>
          </div>
        ))}
      </dl>
    </StatusPopover>
  );
}

function describe({ phase, progress, failure, warning }: IndexingState): string {
  if (phase === 'failed' && failure) return inSentences(failure);
  if (phase === 'current') return warning ? inSentences(warning) : 'up to date';
  if (phase === 'paused') return 'paused';
  if (!progress) return 'opening …';
  const { phase: step, done, total } = progress;
  return total > 0 ? `${PHASES[step]}: ${number(done)} of ${number(total)}` : PHASES[step];
}
