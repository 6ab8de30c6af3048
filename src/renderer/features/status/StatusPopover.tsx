import { Copy } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/controls.tsx';
import styles from './status.module.css';

interface Props {
  /** Accessible name of the popover. */
  label: string;
  trigger: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Something in the status bar that says more when it is pressed. */
export function StatusPopover({ label, trigger, className = '', children }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger className={`${styles.notesButton} ${className}`}>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.notes}
          aria-label={label}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          tabIndex={0} // It scrolls where it is larger than the window.
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

export function CopyButton({
  text,
  label = 'Copy details',
}: {
  text: () => string;
  label?: string;
}) {
  const [done, setDone] = useState(false);
  return (
    <Button
      onClick={async () => {
        await navigator.clipboard.writeText(text());
        setDone(true);
      }}
    >
      <Copy size={13} />
      <span aria-live="polite">{done ? 'Copied' : label}</span>
    </Button>
  );
}

interface RowsProps {
  rows: readonly (readonly [name: string, value: string])[];
}

export const Rows = ({ rows }: RowsProps) => (
  <dl className={styles.rows}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
