/** Controls shared by all views. */
import { CircleAlert, X } from 'lucide-react';
import { Dialog as RadixDialog, Tooltip as RadixTooltip } from 'radix-ui';
import { type ButtonHTMLAttributes, type ReactNode, useRef } from 'react';
import type { Failure } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';
import styles from './controls.module.css';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: 'plain' | 'primary' | 'quiet';
};

export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  const looks = { plain: '', primary: styles.primary, quiet: styles.quiet };
  return (
    <button type="button" className={`${styles.button} ${looks[look]} ${className}`} {...rest} />
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'> & {
  /** Accessible name and tooltip. */
  label: string;
  keys?: string[];
  children: ReactNode;
};

export function IconButton({ label, keys, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        className={`${styles.button} ${styles.icon} ${className}`}
        {...rest}
      />
    </Tooltip>
  );
}

interface TooltipProps {
  text: string;
  keys?: string[];
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export function Tooltip({ text, keys, onOpenChange, children }: TooltipProps) {
  return (
    <RadixTooltip.Root onOpenChange={onOpenChange}>
      <RadixTooltip.Trigger
        asChild
        // Not when a dialog that the mouse closed returns the focus.
        onFocus={(event) => event.target.matches(':focus-visible') || event.preventDefault()}
      >
        {children}
      </RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content className={styles.tooltip} sideOffset={4} collisionPadding={8}>
          {text}
          {keys && keys.length > 0 && <Keys keys={keys} />}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

/** A key combination, see `getKeys` in platform/keys.ts. */
export function Keys({ keys }: { keys: string[] }) {
  return (
    <span className={styles.kbd}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

interface PaneProps {
  name: string;
  title: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
  /** Called when the pointer leaves the pane, header included. */
  onPointerLeave?: () => void;
  children: ReactNode;
}

/** A region with a header. F6 moves between panes. */
export function Pane({ name, title, detail, actions, onPointerLeave, children }: PaneProps) {
  return (
    <section
      className={styles.pane}
      data-pane={name}
      aria-labelledby={`pane-${name}`}
      tabIndex={-1}
      onPointerLeave={onPointerLeave}
    >
      <header className={styles.paneHeader}>
        <h2 id={`pane-${name}`}>{title}</h2>
        <div className={styles.paneDetail}>{detail}</div>
        {actions}
      </header>
      <div className={styles.paneBody}>{children}</div>
    </section>
  );
}

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
}

/** Empty state: explains why there is no content, and what to do. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon}
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** Shows a failure instead of content that could not be loaded. */
export function Failed({
  failure: { message, remedy },
  children,
}: {
  failure: Pick<Failure, 'message' | 'remedy'>;
  children?: ReactNode;
}) {
  return (
    <Empty icon={<CircleAlert size={28} />} title={message}>
      <p>{remedy}</p>
      {children}
    </Empty>
  );
}

interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  /** Called after the dialog has closed and the focus has returned to where it was. */
  onClosed?: () => void;
  size?: 'medium' | 'large';
  children: ReactNode;
}

export function Dialog({ title, open, onClose, onClosed, size = 'medium', children }: DialogProps) {
  const focus = useFocusReturn(onClosed);
  return (
    <RadixDialog.Root open={open} onOpenChange={(now) => !now && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.scrim} />
        <RadixDialog.Content
          className={`${styles.dialog} ${size === 'large' ? styles.large : ''}`}
          aria-describedby={undefined}
          data-dialog
          {...focus}
        >
          <RadixDialog.Title className={styles.dialogTitle}>{title}</RadixDialog.Title>
          {children}
          {/* After the content, so that the content gets the focus first. */}
          <RadixDialog.Close
            aria-label="Close"
            className={`${styles.button} ${styles.icon} ${styles.close}`}
          >
            <X size={15} />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/**
 * Returns props of a dialog's content that return the focus to where it was when the dialog closes. `then` is called after
 * that, so that it can move the focus elsewhere. When the dialog opens, an element marked `data-autofocus` gets the focus.
 */
export function useFocusReturn(then?: () => void) {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      before.current = document.activeElement;
      const wanted = (event.target as HTMLElement).querySelector<HTMLElement>('[data-autofocus]');
      if (!wanted) return;
      event.preventDefault();
      wanted.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus();
      then?.();
    },
  };
}

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/**
 * Shows untrusted text from a repository, such as a name or a path. Control and invisible characters are escaped, and
 * bidirectional text cannot reorder its surroundings.
 */
export function SourceText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <span className={`${styles.source} ${className}`}>{escapeHidden(text.slice(0, 2000))}</span>
  );
}
