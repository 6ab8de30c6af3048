import { FlaskConical } from 'lucide-react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { visible } from '../../../shared/quoted.ts';
import { getLanguage } from '../../platform/state.ts';
import { Source } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { splitName } from '../../ui/names.ts';
import rows from '../../ui/rows.module.css';
import styles from './neighbors.module.css';

/**
 * A chunk by its icon and name: `Cart.total`; a module goes by its file's name. `said` is for those who do not see the
 * icon and where it stands.
 */
export function ChunkName({ chunk, said = kindOf(chunk) }: { chunk: ChunkSummary; said?: string }) {
  const Icon = chunk.role === 'test' ? FlaskConical : KIND_ICONS[chunk.kind];
  const [owner, name] = splitName(chunk);
  return (
    <span className={styles.chunkName}>
      <Icon size={13} aria-hidden="true" />
      {owner && <Source className={styles.owner} text={owner} />}
      <Source className={rows.simple} text={name} />
      <span className="unseen"> {said}</span>
    </span>
  );
}

export const kindOf = ({ kind, role }: ChunkSummary): string =>
  role === 'source' ? kind : `${role} ${kind}`;

/** `shop/cart.py:12`; `short` for the file alone, or with its folder where files are called after that. */
export function ChunkPlace({ chunk, short = false }: { chunk: ChunkSummary; short?: boolean }) {
  const parts = chunk.path.split('/');
  const stem = parts.at(-1)?.replace(/\.[^.]*$/, '');
  const shown = stem === getLanguage(chunk)?.index ? -2 : -1;
  const path = short ? parts.slice(shown).join('/') : chunk.path;
  return (
    <span className={styles.place} title={visible(chunk.path)}>
      <Source className="ellipsis" text={path} />
      <span>:{chunk.startLine}</span>
    </span>
  );
}

export function Rank({ rank }: { rank: number | null | undefined }) {
  if (rank == null) return null;
  return (
    <span className={styles.badge} title="Rank in the list">
      {rank}
    </span>
  );
}
