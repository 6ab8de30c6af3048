import { ListFilter, Search, Share, Sparkles, X } from 'lucide-react';
import { Popover, Switch, ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { CHUNK_KINDS, type ChunkKind } from '../../../shared/chunk-kind.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import type { Settings } from '../../../shared/settings.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { focusPane } from '../../platform/panes.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button, IconButton, SourceText, Tooltip } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import {
  clearFilters,
  isFiltered,
  parseGlobs,
  TESTS_TITLES,
  toggleKind,
  togglePackage,
  toggleRepository,
  useFilters,
  useMarks,
} from '../search/index.ts';
import styles from './filters.module.css';
import { countMarks } from './marked.ts';

/** Controls above the list: ranked or marked results, a text filter, and the filter form. */
export function FilterBar() {
  const { view, text } = useFilters();
  const marked = useMarks(countMarks);
  return (
    <>
      <div className={styles.bar}>
        <ToggleGroup.Root
          type="single"
          className={styles.views}
          aria-label="Listed results"
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
            aria-label="Filter by name or path"
            placeholder="Filter"
            value={text}
            spellCheck={false}
            data-results-filter
            className="grow"
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
              className={styles.remove}
              aria-label="Clear text"
              onClick={() => useFilters.setState({ text: '' })}
            >
              <X size={13} />
            </button>
          )}
        </div>
        <FilterForm />
        <IconButton
          label="Export list…"
          keys={getKeys('results.export')}
          onClick={() => runCommand('results.export')}
        >
          <Share size={15} />
        </IconButton>
      </div>
      <Chips />
    </>
  );
}

function FilterForm() {
  const { open, paths, kinds, repositories, packages } = useFilters();
  const tests = useApp((state) => state.settings?.tests);
  const members = useApp((state) => state.repository?.members) ?? [];
  const status = useApp((state) => state.status);
  // Chosen packages are listed too, even if they no longer exist.
  const packageNames = new Set(status?.packages.map(({ name }) => name));
  return (
    <Popover.Root open={open} onOpenChange={(now) => useFilters.setState({ open: now })}>
      <Popover.Anchor asChild>
        <span>
          <IconButton
            label="Edit filters…"
            keys={getKeys('results.filters')}
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
          aria-label="Filters"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusPane('results');
          }}
        >
          <label className={styles.field}>
            <span>Paths</span>
            <input
              className="field-box"
              value={paths}
              spellCheck={false}
              placeholder="src/**  *.py  django/http/"
              onChange={(event) => useFilters.setState({ paths: event.target.value })}
            />
          </label>
          <Choices
            legend="Repositories"
            name="repository"
            className={styles.names}
            values={members.map(({ name }) => name)}
            isChosen={(name) => repositories.has(name)}
            onChoose={toggleRepository}
          />
          <Choices
            legend="Packages"
            name="package"
            className={styles.names}
            values={packageNames.union(packages).values().toArray().sort()}
            isChosen={(name) => packages.has(name)}
            onChoose={togglePackage}
          />
          <Choices
            legend="Kinds"
            name="kind"
            values={CHUNK_KINDS}
            isChosen={(kind) => kinds.has(kind)}
            onChoose={toggleKind}
          >
            {(kind) => <KindLabel kind={kind} />}
          </Choices>
          <Choices
            legend="Tests, examples, docs, vendored, generated"
            type="radio"
            name="tests"
            values={Object.keys(TESTS_TITLES) as Settings['tests'][]}
            isChosen={(choice) => tests === choice}
            onChoose={(choice) => changeSettings({ tests: choice })}
          >
            {(choice) => TESTS_TITLES[choice]}
          </Choices>
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

interface ChoicesProps<Value extends string> {
  legend: string;
  name: string;
  values: readonly Value[];
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value) => void;
  children?: (value: Value) => ReactNode;
  type?: 'checkbox' | 'radio';
  className?: string;
}

function Choices<Value extends string>({
  legend,
  values,
  isChosen,
  onChoose,
  children = (value) => <SourceText text={value} />,
  className = styles.options,
  ...input
}: ChoicesProps<Value>) {
  if (values.length === 0) return null;
  return (
    <fieldset className={styles.field}>
      <legend>{legend}</legend>
      <div className={className}>
        {values.map((value) => (
          <label key={value} className={styles.option}>
            <input
              type="checkbox"
              {...input}
              checked={isChosen(value)}
              onChange={() => onChoose(value)}
            />
            {children(value)}
          </label>
        ))}
      </div>
    </fieldset>
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

/** Shows active filters, each with a button to remove it, and the switch for ranking by marks. */
function Chips() {
  const filters = useFilters();
  const tests = useApp((state) => state.settings?.tests);
  const hasMarks = useMarks(({ marks }) => marks.values().some(({ mark, now }) => mark && now));
  const chips = [
    ['paths', parseGlobs(filters.paths).join(' '), () => useFilters.setState({ paths: '' })],
    ...(['repositories', 'packages', 'kinds'] as const).map(
      (what) =>
        [
          what,
          [...filters[what]].join(', '),
          () => useFilters.setState({ [what]: new Set() }),
        ] as const,
    ),
    [
      'tests',
      tests && tests !== 'demote' && `Tests ${TESTS_TITLES[tests].toLowerCase()}`,
      () => changeSettings({ tests: 'demote' }),
    ],
  ] as const;
  if (!hasMarks && chips.every(([, text]) => !text)) return null;
  return (
    <div className={styles.chips}>
      {hasMarks && <RerankSwitch />}
      {chips.map(
        ([what, text, onRemove]) =>
          text && (
            <span key={what} className={styles.chip}>
              <SourceText className={styles.chipText} text={text} />
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove filter by ${what}`}
                onClick={onRemove}
              >
                <X size={12} />
              </button>
            </span>
          ),
      )}
      {isFiltered(filters, tests) && (
        <button type="button" className={styles.clear} onClick={clearFilters}>
          Clear
        </button>
      )}
    </div>
  );
}

function RerankSwitch() {
  const refine = useFilters((state) => state.rerank);
  const count = useMarks(countMarks);
  const label = `Adjusted by ${formatCounted(count, 'mark')}`;
  return (
    <Tooltip text="Marks move similar results up or down" keys={getKeys('results.byMarks')}>
      <span className={styles.marksSwitch} data-on={refine}>
        <Sparkles size={13} aria-hidden="true" />
        <span id="marks-switch">{label}</span>
        {refine && <span className="hint">↑↓ ranks moved</span>}
        <Switch.Root
          className={styles.switch}
          aria-labelledby="marks-switch"
          checked={refine}
          onCheckedChange={(on) => useFilters.setState({ rerank: on })}
        >
          <Switch.Thumb className={styles.thumb} />
        </Switch.Root>
      </span>
    </Tooltip>
  );
}
