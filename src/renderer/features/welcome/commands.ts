import { registerCommands } from '../../app/commands.ts';
import { openOverlay } from '../../app/overlays.tsx';
import { closeRepository, openRepository, useApp } from '../../app/state.ts';
import { desktop } from '../../engine/host.ts';

registerCommands([
  {
    id: 'repository.openFolder',
    title: 'Open a folder …',
    group: 'Repository',
    keys: '$mod+O',
    run: openFolder,
  },
  {
    id: 'repository.openSample',
    title: 'Open the sample repository',
    group: 'Repository',
    enabled: () => useApp.getState().welcome?.sample != null,
    run: () => openRepository(useApp.getState().welcome!.sample!.root),
  },
  {
    id: 'repository.close',
    title: 'Close the repository',
    group: 'Repository',
    enabled: () => useApp.getState().repository !== null,
    run: closeRepository,
  },
]);

/** The operating system's dialog where there is one, else our own. */
async function openFolder(): Promise<void> {
  if (!desktop) return openOverlay('folders');
  const folder = await desktop.pickFolder();
  if (folder !== null) await openRepository(folder);
}
