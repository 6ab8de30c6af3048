import { Box, FileCode, type LucideIcon, SquareFunction, Workflow } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { ChunkKind, RankedChunk } from '../../../shared/types.ts';
import { Source } from '../../ui/controls.tsx';
import { EvidenceBar } from './EvidenceBar.tsx';
import styles from './results.module.css';
import { select } from './search.ts';

export const KIND_ICONS: Record<ChunkKind, LucideIcon> = {
  function: SquareFunction,
  method: Workflow,
  class: Box,
  module: FileCode,
};

interface Props {
  id: string;
  chunk: RankedChunk;
  /** Rows in the whole list, of which only some are in the page. */
  count: number;
  most: number;
  selected: boolean;
  style: CSSProperties;
}

export function ResultRow({ id, chunk, count, most, selected, style }: Props) {
  const { address, rank, path, startLine, kind, role, evidence, score } = chunk;
  const Icon = KIND_ICONS[kind];
  const [owner, name] = splitName(chunk);
  const [folder, file] = splitPath(path);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active row
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-posinset={rank}
      aria-setsize={count}
      className={styles.row}
      data-name={chunk.qualifiedName}
      style={style}
      onClick={() => select(address)}
    >
      <span className={styles.rank}>{rank}</span>
      <span className={styles.kind} title={kind}>
        <Icon size={15} aria-label={kind} />
      </span>
      <span className={styles.name}>
        {owner && <Source className={styles.owner} text={owner} />}
        <Source className={styles.simple} text={name} />
        {role !== 'source' && <span className={styles.role}>{role}</span>}
      </span>
      <span className={styles.path}>
        <Source className={styles.folder} text={folder} />
        <Source className={styles.file} text={file} />
        <span className={styles.line}>:{startLine}</span>
      </span>
      <EvidenceBar evidence={evidence} most={most} />
      <span className={styles.score}>{score.toFixed(1)}</span>
    </div>
  );
}

/** `['Cart.', 'total']`; a module goes by its file's name. */
function splitName({ qualifiedName, kind, path }: RankedChunk): [string, string] {
  if (kind === 'module') return ['', path.slice(path.lastIndexOf('/') + 1)];
  const at = qualifiedName.lastIndexOf('.') + 1;
  return [qualifiedName.slice(0, at), qualifiedName.slice(at)];
}

function splitPath(path: string): [string, string] {
  const at = path.lastIndexOf('/') + 1;
  return [path.slice(0, at), path.slice(at)];
}
