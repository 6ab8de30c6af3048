import { Command as Cmdk } from 'cmdk';
import { Popover } from 'radix-ui';
import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react';
import type { FileDetail, OutlinedChunk } from '../../../shared/detail.ts';
import { focusPane } from '../../platform/panes.ts';
import { trackActiveOption } from '../../ui/active-option.ts';
import { SourceText } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import rowStyles from '../../ui/rows.module.css';
import { getResponse, useSearch } from '../search/index.ts';
import { listResultsIn } from './candidates.ts';
import styles from './crumbs.module.css';
import { buildOutline, listEnclosing, showDefinition, useOutline } from './nesting.ts';

interface OutlineProps {
  file: FileDetail;
  line: number | null;
}

/** Menu of a file's definitions, opened from the file name in the breadcrumbs. Typing filters it. */
export function OutlineMenu({ children, ...rest }: OutlineProps & { children: ReactNode }) {
  const { open } = useOutline();
  const chosen = useRef<OutlinedChunk | null>(null);
  return (
    <Popover.Root open={open} onOpenChange={(open) => useOutline.setState({ open })}>
      <Popover.Trigger asChild>{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.menu}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Outline of the file"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (chosen.current) showDefinition(chosen.current);
            chosen.current = null;
            focusPane('side');
          }}
        >
          <Definitions
            {...rest}
            onChoose={(chunk) => {
              chosen.current = chunk;
              useOutline.setState({ open: false });
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface DefinitionsProps extends OutlineProps {
  onChoose: (chunk: OutlinedChunk) => void;
}

function Definitions({ file, line, onChoose }: DefinitionsProps) {
  const rows = useMemo(() => buildOutline(file.chunks), [file]);
  const results = useSearch((state) => getResponse(state)?.results);
  const ranks = new Map(
    listResultsIn(results ?? [], file.path).map(({ address, rank }) => [address, rank]),
  );
  const current = line === null ? undefined : listEnclosing(file.chunks, line).at(-1);
  return (
    <Cmdk ref={trackActiveOption} label="Outline" loop defaultValue={current?.address}>
      <Cmdk.Input
        className={styles.input}
        placeholder="Function or class in this file…"
        maxLength={200}
      />
      <Cmdk.List className={styles.list} label="Definitions">
        <Cmdk.Empty className={styles.empty}>
          {rows.length === 0 ? 'No functions or classes in this file' : 'No matches'}
        </Cmdk.Empty>
        {rows.map(({ chunk, depth }) => {
          const Icon = KIND_ICONS[chunk.kind];
          const rank = ranks.get(chunk.address);
          return (
            <Cmdk.Item
              key={chunk.address}
              value={chunk.address}
              keywords={[chunk.name]}
              className={styles.item}
              style={{ '--depth': depth } as CSSProperties}
              onSelect={() => onChoose(chunk)}
            >
              <Icon size={13} aria-hidden="true" />
              <SourceText className="grow ellipsis" text={chunk.name} />
              {rank !== undefined && (
                <span className={styles.rank}>
                  <span className="visually-hidden">Rank </span>
                  {rank}
                </span>
              )}
              <span className={rowStyles.number}>
                <span className="visually-hidden">line </span>
                {chunk.headerLine}
              </span>
            </Cmdk.Item>
          );
        })}
      </Cmdk.List>
    </Cmdk>
  );
}
