import { FlaskConical } from 'lucide-react';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { escapeHidden } from '../../../shared/quote.ts';
import { getLanguage } from '../../platform/state.ts';
import { SourceText } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { splitName } from '../../ui/names.ts';
import rows from '../../ui/rows.module.css';
import styles from './neighbors.module.css';

/**
 * Shows the icon and name of a chunk: `Cart.total`, or the file name for module code.
 * @param description Text for screen readers, instead of the icon and the position on the screen.
 */
export function ChunkName({
  chunk,
  description = describeKind(chunk),
}: {
  chunk: ChunkSummary;
  description?: string;
}) {
  const Icon = chunk.role === 'test' ? FlaskConical : KIND_ICONS[chunk.kind];
  const [owner, name] = splitName(chunk);
  return (
    <span className={styles.chunkName}>
      <Icon size={13} aria-hidden="true" />
      {owner && <SourceText className={styles.owner} text={owner} />}
      <SourceText className={rows.simple} text={name} />
      <span className="visually-hidden"> {description}</span>
    </span>
  );
}

export const describeKind = ({ kind, role }: ChunkSummary): string =>
  role === 'source' ? kind : `${role} ${kind}`;

/**
 * Shows the location of a chunk: `shop/cart.py:12`.
 * @param short True for the file name alone, or with its folder for files like `__init__.py`.
 */
export function ChunkLocation({ chunk, short = false }: { chunk: ChunkSummary; short?: boolean }) {
  const parts = chunk.path.split('/');
  const stem = parts.at(-1)?.replace(/\.[^.]*$/, '');
  const from = stem === getLanguage(chunk)?.index ? -2 : -1;
  const path = short ? parts.slice(from).join('/') : chunk.path;
  return (
    <span className={styles.location} title={escapeHidden(chunk.path)}>
      <SourceText className="ellipsis" text={path} />
      <span>:{chunk.startLine}</span>
    </span>
  );
}

export function RankBadge({ rank }: { rank: number | null | undefined }) {
  if (rank == null) return null;
  return (
    <span className={styles.badge} title="Rank in the list">
      {rank}
    </span>
  );
}
