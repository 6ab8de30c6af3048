import { ListFilter, Search, Share, Sparkles, X } from 'lucide-react';
import { Popover, Switch, ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { CHUNK_KINDS, type ChunkKind } from '../../../shared/chunk.ts';
import type { Settings } from '../../../shared/settings.ts';
import { runCommand } from '../../platform/commands.ts';
import { keysOf } from '../../platform/keys.ts';
import { focusPane } from '../../platform/panes.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button, IconButton, Source, Tooltip } from '../../ui/controls.tsx';
import { counted } from '../../ui/counts.ts';
import { KIND_ICONS } from '../../ui/kinds.ts';
import {
  clearFilters,
  globsOf,
  isFiltered,
  TESTS_TITLES,
  toggleKind,
  togglePackage,
  toggleRepository,
  useFilters,
  useMarks,
} from '../search/index.ts';
import styles from './filters.module.css';

/** Above the list: the ranking or the marked chunks, words to find in it, and what the engine is asked to rank. */
export function FilterBar() {
  const { view, text } = useFilters();
  const marked = useMarks((state) => state.marks.size);
  return (
    <>
      <div className={styles.bar}>
        <ToggleGroup.Root
          type="single"
          className={styles.views}
          aria-label="What is listed"
          value={view}
          onValueChange={(value) =>
            value && useFilters.setState({ view: value as 'ranked' | 'marked' })
          }
        >
          <ToggleGroup.Item value="ranked">Ranked</ToggleGroup.Item>
          <ToggleGroup.Item value="marked">
            Marked {marked > 0 && <span className={styles.count}>{marked}</span>}
          </ToggleGroup.Item>
        </ToggleGroup.Root>
        <div className={styles.find}>
          <Search size={13} aria-hidden="true" />
          <input
            aria-label="Filter the list by name or path"
            placeholder="Filter"
            value={text}
            spellCheck={false}
            data-results-filter
            onChange={(event) => useFilters.setState({ text: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && text) useFilters.setState({ text: '' });
              else if (['Escape', 'Enter', 'ArrowDown'].includes(event.key)) focusPane('results');
              else return;
              event.preventDefault();
            }}
          />
          {text && (
            <button
              type="button"
              aria-label="Clear the text"
              onClick={() => useFilters.setState({ text: '' })}
            >
              <X size={13} />
            </button>
          )}
        </div>
        <FilterForm />
        <IconButton
          label="Export the list …"
          keys={keysOf('results.export')}
          onClick={() => runCommand('results.export')}
        >
          <Share size={15} />
        </IconButton>
      </div>
      <Chips />
    </>
  );
}

/** What is ranked: paths, kinds, tests. */
function FilterForm() {
  const { open, paths, kinds } = useFilters();
  const tests = useApp((state) => state.settings?.tests);
  return (
    <Popover.Root open={open} onOpenChange={(now) => useFilters.setState({ open: now })}>
      <Popover.Anchor asChild>
        <span>
          <IconButton
            label="Filter by path, kind, tests …"
            keys={keysOf('results.filters')}
            aria-expanded={open}
            onClick={() => useFilters.setState({ open: !open })}
          >
            <ListFilter size={15} />
          </IconButton>
        </span>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          className={styles.form}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="What is ranked"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusPane('results');
          }}
        >
          <label className={styles.field}>
            <span>Paths</span>
            <input
              value={paths}
              spellCheck={false}
              placeholder="src/**  *.py  django/http/"
              onChange={(event) => useFilters.setState({ paths: event.target.value })}
            />
          </label>
          <Repositories />
          <Packages />
          <fieldset className={styles.field}>
            <legend>Kinds</legend>
            <div className={styles.options}>
              {CHUNK_KINDS.map((kind) => (
                <Option
                  key={kind}
                  type="checkbox"
                  name="kind"
                  checked={kinds.has(kind)}
                  onChange={() => toggleKind(kind)}
                >
                  <KindLabel kind={kind} />
                </Option>
              ))}
            </div>
          </fieldset>
          <fieldset className={styles.field}>
            <legend>Tests, examples, docs, vendored, generated</legend>
            <div className={styles.options}>
              {(Object.keys(TESTS_TITLES) as Settings['tests'][]).map((choice) => (
                <Option
                  key={choice}
                  type="radio"
                  name="tests"
                  checked={tests === choice}
                  onChange={() => changeSettings({ tests: choice })}
                >
                  {TESTS_TITLES[choice]}
                </Option>
              ))}
            </div>
          </fieldset>
          <div className={styles.formEnd}>
            <Button look="quiet" onClick={clearFilters}>
              Clear all
            </Button>
            <Popover.Close asChild>
              <Button look="primary">Done</Button>
            </Popover.Close>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Where several are open. */
function Repositories() {
  const members = useApp((state) => state.repository?.members);
  const chosen = useFilters((state) => state.repositories);
  if (!members) return null;
  const names = members.map(({ name }) => name);
  return (
    <Names
      legend="Repositories"
      what="repository"
      names={names}
      chosen={chosen}
      onToggle={toggleRepository}
    />
  );
}

/** Where there are several, and those that were chosen and are gone. */
function Packages() {
  const packages = useApp((state) => state.status?.packages);
  const chosen = useFilters((state) => state.packages);
  const names = [...new Set([...(packages ?? []).map(({ name }) => name), ...chosen])].sort();
  if (names.length === 0) return null;
  return (
    <Names
      legend="Packages"
      what="package"
      names={names}
      chosen={chosen}
      onToggle={togglePackage}
    />
  );
}

function Names({
  legend,
  what,
  names,
  chosen,
  onToggle,
}: {
  legend: string;
  what: string;
  names: readonly string[];
  chosen: ReadonlySet<string>;
  onToggle: (name: string) => void;
}) {
  return (
    <fieldset className={styles.field}>
      <legend>{legend}</legend>
      <div className={`${styles.options} ${styles.names}`}>
        {names.map((name) => (
          <Option
            key={name}
            type="checkbox"
            name={what}
            checked={chosen.has(name)}
            onChange={() => onToggle(name)}
          >
            <Source text={name} />
          </Option>
        ))}
      </div>
    </fieldset>
  );
}

function Option({
  children,
  ...rest
}: {
  type: 'checkbox' | 'radio';
  name: string;
  checked: boolean;
  onChange: () => void;
  children: ReactNode;
}) {
  return (
    <label className={styles.option}>
      <input {...rest} />
      {children}
    </label>
  );
}

function KindLabel({ kind }: { kind: ChunkKind }) {
  const Icon = KIND_ICONS[kind];
  return (
    <>
      <Icon size={14} aria-hidden="true" />
      {kind}
    </>
  );
}

/** The filters that are on, each with a way to take it off, and whether marks refine the ranking. */
function Chips() {
  const filters = useFilters();
  const tests = useApp((state) => state.settings?.tests);
  const globs = globsOf(filters.paths);
  const nothing =
    globs.length === 0 &&
    filters.kinds.size + filters.repositories.size + filters.packages.size === 0 &&
    (tests ?? 'demote') === 'demote';
  const refined = useMarks(({ marks }) => marks.values().some(({ mark, now }) => mark && now));
  if (nothing && !refined) return null;
  return (
    <div className={styles.chips}>
      {refined && <Refined />}
      {globs.length > 0 && (
        <Chip what="paths" onRemove={() => useFilters.setState({ paths: '' })}>
          <Source text={globs.join(' ')} />
        </Chip>
      )}
      {filters.repositories.size > 0 && (
        <Chip what="repositories" onRemove={() => useFilters.setState({ repositories: new Set() })}>
          <Source text={[...filters.repositories].join(', ')} />
        </Chip>
      )}
      {filters.packages.size > 0 && (
        <Chip what="packages" onRemove={() => useFilters.setState({ packages: new Set() })}>
          <Source text={[...filters.packages].join(', ')} />
        </Chip>
      )}
      {filters.kinds.size > 0 && (
        <Chip what="kinds" onRemove={() => useFilters.setState({ kinds: new Set() })}>
          {[...filters.kinds].join(', ')}
        </Chip>
      )}
      {tests && tests !== 'demote' && (
        <Chip what="tests" onRemove={() => changeSettings({ tests: 'demote' })}>
          Tests {TESTS_TITLES[tests].toLowerCase()}
        </Chip>
      )}
      {isFiltered(filters, tests) && (
        <button type="button" className={styles.clear} onClick={clearFilters}>
          Clear
        </button>
      )}
    </div>
  );
}

function Chip({
  what,
  onRemove,
  children,
}: {
  what: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <span className={styles.chip}>
      <span className={styles.chipText}>{children}</span>
      <button type="button" aria-label={`No filter by ${what}`} onClick={onRemove}>
        <X size={12} />
      </button>
    </span>
  );
}

function Refined() {
  const refine = useFilters((state) => state.refine);
  const count = useMarks(
    ({ marks }) => [...marks.values()].filter(({ mark, now }) => mark && now).length,
  );
  const label = `Refined by ${counted(count, 'mark')}`;
  return (
    <Tooltip
      text="Marked results move what is like them up or down"
      keys={keysOf('results.refine')}
    >
      <span className={styles.refined} data-on={refine}>
        <Sparkles size={13} aria-hidden="true" />
        <span id="refined">{label}</span>
        <Switch.Root
          className={styles.switch}
          aria-labelledby="refined"
          checked={refine}
          onCheckedChange={(on) => useFilters.setState({ refine: on })}
        >
          <Switch.Thumb className={styles.thumb} />
        </Switch.Root>
      </span>
    </Tooltip>
  );
}
