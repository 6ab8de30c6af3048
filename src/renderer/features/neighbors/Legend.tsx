import { EDGE_KINDS, type EdgeKind } from '../../../shared/call-graph.ts';
import { EDGE_WORDS } from '../../ui/kinds.ts';
import type { NeighborGraphData } from './graph.ts';
import styles from './neighbors.module.css';

/**
 * Arrowheads, defined once for all edges. Each kind has its own shape: a hollow triangle for inheritance, as in UML, a
 * diamond for construction, and a disc for decoration.
 */
export function Arrowheads() {
  return (
    <svg className={styles.markers} aria-hidden="true">
      <title>Arrowheads</title>
      <defs>
        {EDGE_KINDS.map((kind) => (
          <marker
            key={kind}
            id={`locus-${kind}`}
            className={`${styles.marker} ${styles[kind]}`}
            viewBox="-10 -5 10 10"
            markerWidth={kind === 'inherit' ? 11 : 8}
            markerHeight={kind === 'inherit' ? 11 : 8}
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            {kind === 'construct' ? (
              <path d="M-10,0 L-5,-4 L0,0 L-5,4 Z" />
            ) : kind === 'decorate' ? (
              <path d="M-8,0 A4,4 0 0 1 0,0 A4,4 0 0 1 -8,0 Z" />
            ) : (
              <path d="M-9,-4.5 L0,0 L-9,4.5 Z" />
            )}
          </marker>
        ))}
      </defs>
    </svg>
  );
}

/** Explains the lines and boxes that occur in this graph. */
export function Legend({ graph: { links, nodes } }: { graph: NeighborGraphData }) {
  const kinds = EDGE_KINDS.filter((kind) => links.some((link) => link.kind === kind));
  return (
    <ul className={styles.legend} aria-label="Legend">
      {kinds.map((kind) => (
        <li key={kind}>
          <LineSample kind={kind} />
          {EDGE_WORDS[kind]}
        </li>
      ))}
      {links.some(({ guess }) => guess) && (
        <li>
          <LineSample kind="call" guess />
          guessed
        </li>
      )}
      {nodes.some(({ role }) => role !== 'source') && (
        <li>
          <span className={`${styles.swatch} ${styles.notSource}`} />
          test, example or docs
        </li>
      )}
      <li>
        <span className={`${styles.swatch} ${styles.top}`} />
        <span className={`${styles.swatch} ${styles.high}`} />
        <span className={`${styles.swatch} ${styles.low}`} />
        rank 1–5, 6–20, 21 and up
      </li>
    </ul>
  );
}

function LineSample({ kind, guess = false }: { kind: EdgeKind; guess?: boolean }) {
  return (
    <svg viewBox="0 0 30 10" aria-hidden="true">
      <title>{kind}</title>
      <path
        d="M1,5 H28"
        className={`${styles.edge} ${styles[kind]} ${guess ? styles.guess : ''}`}
        markerEnd={`url(#locus-${kind})`}
      />
    </svg>
  );
}
