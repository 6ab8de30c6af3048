import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { registerCommands } from '../../platform/commands.ts';
import { addNote, isCancelled, useApp } from '../../platform/state.ts';
import { useSearch } from '../search/index.ts';
import './follow.ts';

registerCommands([
  {
    id: 'results.copyLink',
    title: 'Copy a link for colleagues',
    group: 'Results',
    keys: '$mod+Shift+c',
    enabled: () => useSearch.getState().selected !== null,
    run: copyLink,
  },
]);

/** A link that opens the result in Locus, wherever a colleague has the repository. */
async function copyLink(): Promise<void> {
  const repository = useApp.getState().repository?.id;
  const { selected: chunk } = useSearch.getState();
  if (!repository || chunk === null) return;
  try {
    const link = await engine.call('link.make', { repository, chunk });
    await navigator.clipboard.writeText(link);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (!isCancelled(error)) addNote({ level: 'error', text: message, remedy });
  }
}
