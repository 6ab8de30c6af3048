import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { addNote, useApp } from '../../platform/state.ts';
import { selectedNow } from '../search/index.ts';
import { followLinks } from './follow.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'results.copyLink',
    title: 'Copy a link for colleagues',
    group: 'Results',
    keys: '$mod+Shift+c',
    enabled: () => selectedNow() !== null,
    run: copyLink,
  },
];

/** A link that opens the result in Locus, wherever a colleague has the repository. */
async function copyLink(): Promise<void> {
  const repository = useApp.getState().repository?.id;
  const chunk = selectedNow();
  if (!repository || chunk === null) return;
  try {
    const link = await engine.call('link.make', { repository, chunk });
    await navigator.clipboard.writeText(link);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (!isCancelled(error)) addNote({ level: 'error', text: message, remedy });
  }
}

export const start = (): Stop => stopAll(registerCommands(COMMANDS), followLinks());
