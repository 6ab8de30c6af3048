import { Command as Cmdk } from 'cmdk';
import { Dialog } from 'radix-ui';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Version } from '../../platform/navigation.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { trackActiveOption } from '../../ui/active-option.ts';
import dialogStyles from '../../ui/controls.module.css';
import { useFocusReturn } from '../../ui/controls.tsx';
import { compareWithVersion } from '../compare/index.ts';
import { CommandItems } from './CommandItems.tsx';
import styles from './palette.module.css';
import { scoreCommand } from './score.ts';
import { VersionItems } from './VersionItems.tsx';

// Has the matching of names, which the start page does not need.
const NameItems = lazy(() => import('./NameItems.tsx'));

const MODES = {
  commands: {
    title: 'Commands',
    placeholder: 'What do you want to do?',
  },
  names: {
    title: 'Go to code',
    placeholder: 'Function, class or file, such as config.ts:12 (> for commands)',
  },
  versions: {
    title: 'Choose version',
    placeholder: 'Branch, tag, commit or words of its message…',
  },
  compare: {
    title: 'Compare with',
    placeholder: 'Branch, tag or commit to compare the list with…',
  },
};

interface Props {
  /** `commands`: all commands; `names`: functions and files by name; `versions`: versions to search; `compare`: versions to compare with. */
  mode: keyof typeof MODES;
  open: boolean;
  onClose: () => void;
}

/** A text field with a list of matches. Arrow keys choose, Enter runs the choice, Escape closes the palette. */
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
        <Dialog.Content
          className={styles.palette}
          aria-describedby={undefined}
          data-dialog
          {...focus}
        >
          <Dialog.Title className="visually-hidden">{MODES[mode].title}</Dialog.Title>
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
  const [typed, setTyped] = useState('');
  const { title, placeholder } = MODES[mode];
  // As in other editors, a command can be typed after `>`.
  const asCommand = mode === 'names' && typed.startsWith('>');
  const commands = mode === 'commands' || asCommand;
  const text = asCommand ? typed.slice(1) : typed;
  return (
    <Cmdk
      ref={trackActiveOption}
      label={title}
      loop
      shouldFilter={commands}
      filter={(id, search, texts) => scoreCommand(id, asCommand ? search.slice(1) : search, texts)}
      className={styles.lines}
    >
      <Cmdk.Input
        className={styles.input}
        placeholder={placeholder}
        value={typed}
        onValueChange={setTyped}
        maxLength={200}
        data-autofocus
      />
      {commands && <CommandItems text={text} onChoose={onChoose} />}
      {mode === 'names' && !asCommand && (
        <Suspense fallback={null}>
          <NameItems text={text} onChoose={onChoose} />
        </Suspense>
      )}
      {mode === 'versions' && (
        <VersionItems text={text} onChoose={onChoose} then={searchVersion} workingTree />
      )}
      {mode === 'compare' && (
        <VersionItems text={text} onChoose={onChoose} then={compareWithVersion} />
      )}
    </Cmdk>
  );
}

function searchVersion(version: Version): void {
  const { repository } = useApp.getState();
  if (repository) openRepository(repository.root, version);
}
