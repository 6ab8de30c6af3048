import { Copy } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { copyText } from '../../platform/copy.ts';
import { Button } from '../../ui/controls.tsx';
import styles from './status.module.css';

interface Props {
  /** Accessible name of the popover. */
  label: string;
  trigger: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Item of the status bar that opens a popover with details. */
export function StatusPopover({ label, trigger, className = '', children }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger className={`${styles.trigger} ${className}`}>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.popover}
          aria-label={label}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          tabIndex={0} // Scrolls if it is larger than the window.
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

export function CopyButton({ text, what = 'details' }: { text: () => string; what?: string }) {
  return (
    <Button onClick={() => copyText(text(), what)}>
      <Copy size={13} />
      Copy {what}
    </Button>
  );
}

interface RowsProps {
  rows: readonly (readonly [name: string, value: string])[];
}

export const DetailRows = ({ rows }: RowsProps) => (
  <dl className={styles.rows}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
