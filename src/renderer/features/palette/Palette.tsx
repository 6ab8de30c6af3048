import { Command as Cmdk } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useRef, useState } from 'react';
import dialogStyles from '../../ui/controls.module.css';
import { useFocusReturn } from '../../ui/controls.tsx';
import { CommandItems } from './CommandItems.tsx';
import { NameItems } from './NameItems.tsx';
import styles from './palette.module.css';
import { scoreCommand } from './score.ts';

const MODES = {
  commands: {
    title: 'Commands',
    placeholder: 'What do you want to do?',
  },
  names: {
    title: 'Go to code',
    placeholder: 'Name of a function, class or file …',
  },
};

interface Props {
  /** `commands`: everything that can be done; `names`: chunks and files by name. */
  mode: keyof typeof MODES;
  open: boolean;
  onClose: () => void;
}

/** One line to type into, and what fits it: the arrow keys choose, Enter does it, Escape leaves. */
export function Palette({ mode, open, onClose }: Props) {
  const chosen = useRef<(() => void) | null>(null);
  const focus = useFocusReturn(() => {
    const run = chosen.current;
    chosen.current = null;
    run?.();
  });
  return (
    <Dialog.Root open={open} onOpenChange={(now) => !now && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={dialogStyles.scrim} />
        <Dialog.Content className={styles.palette} aria-describedby={undefined} {...focus}>
          <Dialog.Title className="unseen">{MODES[mode].title}</Dialog.Title>
          <Lines
            mode={mode}
            onChoose={(run) => {
              chosen.current = run;
              onClose();
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Lines({ mode, onChoose }: { mode: Props['mode']; onChoose: (run: () => void) => void }) {
  const [text, setText] = useState('');
  const { title, placeholder } = MODES[mode];
  return (
    <Cmdk
      label={title}
      loop
      shouldFilter={mode === 'commands'}
      filter={scoreCommand}
      className={styles.lines}
    >
      <Cmdk.Input
        className={styles.input}
        placeholder={placeholder}
        value={text}
        onValueChange={setText}
        maxLength={200}
        data-autofocus
      />
      {mode === 'commands' ? (
        <CommandItems onChoose={onChoose} />
      ) : (
        <NameItems text={text} onChoose={onChoose} />
      )}
    </Cmdk>
  );
}
