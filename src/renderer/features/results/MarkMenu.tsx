import { ContextMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { MARKS } from '../../../shared/marks.ts';
import { CommandItems } from '../../platform/CommandItems.tsx';
import { focusPane } from '../../platform/panes.ts';
import menuStyles from '../../ui/menu.module.css';
import styles from './results.module.css';

/** Ids of commands; null for a line between them. */
const ITEMS = [
  ...MARKS.map((mark) => `results.mark.${mark}`),
  'results.unmark',
  'results.note',
  null,
  'results.evidence',
  'results.copy',
  'results.copyLink',
  null,
  'results.group',
  'results.selectAll',
];

/** What can be done with a chunk, on a right click or the menu key. */
export function MarkMenu({ children }: { children: ReactNode }) {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger className={styles.menuArea}>{children}</ContextMenu.Trigger>
      {/* Within the page's landmarks, which the body is not. */}
      <ContextMenu.Portal container={document.querySelector('main')}>
        <ContextMenu.Content
          className={menuStyles.menu}
          aria-label="Selected results"
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // A note that was asked for has the focus already.
            if (!document.activeElement?.closest('textarea')) focusPane('results');
          }}
        >
          <CommandItems ids={ITEMS} menu={ContextMenu} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
