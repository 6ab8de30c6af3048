/** Messages between the page and the desktop app: menus, the open repository, the theme. */
import type { DesktopHost } from '../../shared/desktop.ts';
import { createCrashNote } from '../../shared/rpc/events.ts';
import { openDeepLink } from '../features/deep-link/index.ts';
import { getCommand, getGroup, isInReach, listCommands } from '../platform/commands.ts';
import { listen, type Stop, stopAll, Timer } from '../platform/lifetime.ts';
import { addNote, openRepository, useApp } from '../platform/state.ts';

/** Follows the desktop app. To be called after all commands are registered. */
export function followDesktop(desktop: DesktopHost): Stop {
  desktop.onEvent((event) => {
    if (event.type === 'command') runFromMenu(event.command);
    if (event.type === 'open') openRepository(event.root);
    if (event.type === 'link') openDeepLink(event.link);
    if (event.type === 'engine-lost')
      addNote({ ...createCrashNote(event.reason), repository: null });
  });
  const unsubscribe = useApp.subscribe(({ repository, settings }, before) => {
    if (repository && repository.id !== before.repository?.id) {
      // The system's recent folders get only the first folder of a workspace.
      const root = repository.members?.[0]?.root ?? repository.root;
      desktop.reportOpened({ root, name: repository.name });
    }
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of the desktop app, no React hook
    if (settings && settings.theme !== before.settings?.theme) desktop.useTheme(settings.theme);
  });
  return stopAll(unsubscribe, followCommands(desktop));
}

/** Runs a menu command, if it is still enabled: the menu is updated with a short delay. */
function runFromMenu(id: string): void {
  const found = getCommand(id);
  if (found && isInReach(found)) found.run();
}

/** Updates the menus after every user action, since any can enable or disable commands. */
function followCommands(desktop: DesktopHost): Stop {
  let shown = '';
  const timer = new Timer();
  const scheduleUpdate = () => timer.set(update, 100);
  function update(): void {
    const commands = listCommands().map((command) => ({
      id: command.id,
      title: command.title,
      group: getGroup(command),
      // Keys of a single pane are left out, since a menu's keys work everywhere.
      ...(command.keys && !command.within && { keys: command.keys }),
      enabled: isInReach(command),
    }));
    const now = JSON.stringify(commands);
    if (now === shown) return;
    shown = now;
    desktop.showMenu(commands);
  }
  scheduleUpdate();
  return stopAll(
    ...(['pointerup', 'keyup', 'focusin'] as const).map((type) => listen(type, scheduleUpdate)),
    useApp.subscribe(scheduleUpdate),
    () => timer.clear(),
  );
}
