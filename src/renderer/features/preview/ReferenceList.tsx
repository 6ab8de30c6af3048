import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { Reference } from '../../../shared/references.ts';
import { IconButton, Source, Spinner } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { EDGE_WORDS, KIND_ICONS } from '../../ui/kinds.ts';
import styles from './references.module.css';
import {
  closeReferences,
  goToSite,
  type ListedSite,
  sitesOf,
  useFoundReferences,
  useReferences,
} from './references.ts';

/** Below the code: who refers to a function, caller by caller, with the lines. */
export function ReferenceList() {
  useFoundReferences();
  const { to, found, failure } = useReferences();
  if (to === null) return null;
  const sites = found ? sitesOf(found) : [];
  return (
    <section
      className={styles.references}
      aria-label="References"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        closeReferences();
      }}
    >
      <header className={styles.header}>
        <div role="status" className={styles.summary}>
          {failure && (
            <>
              <Source text={failure.message} /> <Source text={failure.remedy} />
            </>
          )}
          {!failure && !found && (
            <>
              <Spinner /> Finding references
            </>
          )}
          {found && !failure && (
            <>
              {sites.length > 0 ? counted(sites.length, 'reference') : 'No references'} to{' '}
              <Source className={styles.to} text={found.to.qualifiedName} />
              {found.hidden > 0 && ` · ${counted(found.hidden, 'caller')} more`}
            </>
          )}
        </div>
        <IconButton label="Close the references" keys={['Esc']} onClick={closeReferences}>
          <X size={14} />
        </IconButton>
      </header>
      {found && sites.length > 0 && <Places references={found.references} sites={sites} />}
    </section>
  );
}

function Places({
  references,
  sites,
}: {
  references: readonly Reference[];
  sites: readonly ListedSite[];
}) {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = Math.min(
    useReferences((state) => state.active),
    sites.length - 1,
  );
  // The list is what was asked for.
  useEffect(() => list.current?.focus(), []);
  const go = (at: number) => {
    useReferences.setState({ active: at });
    const site = sites[at];
    if (site) goToSite(site);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepTo(event.key, active, sites.length);
    if (next !== null) {
      useReferences.setState({ active: next });
      document.getElementById(`${prefix}${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' || event.key === ' ') go(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  let at = -1;
  return (
    <div
      ref={list}
      className={styles.list}
      role="listbox"
      tabIndex={0}
      aria-label="Places"
      aria-activedescendant={prefix + active}
      onKeyDown={onKeyDown}
    >
      {references.map((reference, group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box
        <div
          key={`${reference.caller.address} ${reference.kind}`}
          role="group"
          aria-labelledby={`${prefix}g${group}`}
        >
          <Caller id={`${prefix}g${group}`} reference={reference} />
          {reference.sites.map((site) => {
            at++;
            const here = at;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
              <div
                key={`${site.line}:${site.column}`}
                id={prefix + here}
                tabIndex={-1}
                role="option"
                aria-selected={here === active}
                className={styles.site}
                onClick={() => go(here)}
              >
                <span className={styles.line}>{site.line}</span>
                <Source className={styles.code} text={site.text} />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Caller({ id, reference }: { id: string; reference: Reference }) {
  const { caller, kind, guess } = reference;
  const Icon = KIND_ICONS[caller.kind];
  const isModule = caller.kind === 'module';
  return (
    <div id={id} className={styles.caller}>
      <Icon size={13} aria-hidden="true" />
      <Source
        className={styles.name}
        text={isModule ? caller.path.slice(caller.path.lastIndexOf('/') + 1) : caller.qualifiedName}
      />
      {kind !== 'call' && <span className={styles.tag}>{EDGE_WORDS[kind]}</span>}
      {guess && <span className={`${styles.tag} ${styles.guess}`}>guessed by its name</span>}
      <Source className={styles.path} text={caller.path} />
    </div>
  );
}

/** Where a key leads in a list of `count`; null for a key that moves nothing. */
function stepTo(key: string, at: number, count: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next));
}
