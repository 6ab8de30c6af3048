/** Messages between the page and the desktop app: menus, the open repository, the theme. */
import type { DesktopHost } from '../../shared/desktop.ts';
import { crashNote } from '../../shared/rpc/events.ts';
import { followLink } from '../features/link/index.ts';
import { allCommands, command, getGroup, isInReach } from '../platform/commands.ts';
import { listen, type Stop, stopAll, Timer } from '../platform/lifetime.ts';
import { addNote, openRepository, useApp } from '../platform/state.ts';

/** Follows the desktop app, once all commands are registered. */
export function followDesktop(desktop: DesktopHost): Stop {
  desktop.onEvent((event) => {
    if (event.type === 'command') runFromMenu(event.command);
    if (event.type === 'open') openRepository(event.root);
    if (event.type === 'link') followLink(event.link);
    if (event.type === 'engine-lost') addNote(crashNote(event.reason));
  });
  const unsubscribe = useApp.subscribe(({ repository, settings }, before) => {
    if (repository && repository.id !== before.repository?.id) {
      // Of several, the system remembers the first folder; Locus itself, all.
      const root = repository.members?.[0]?.root ?? repository.root;
      desktop.opened({ root, name: repository.name });
    }
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of the desktop app, no React hook
    if (settings && settings.theme !== before.settings?.theme) desktop.useTheme(settings.theme);
  });
  return stopAll(unsubscribe, keepMenus(desktop));
}

/** The menu may be a moment behind what is in reach. */
function runFromMenu(id: string): void {
  const found = command(id);
  if (found && isInReach(found)) found.run();
}

/** Updates the menus after whatever the user does: any of it can enable or disable a command. */
function keepMenus(desktop: DesktopHost): Stop {
  let shown = '';
  const showing = new Timer();
  const look = () => showing.set(show, 100);
  function show(): void {
    const commands = allCommands().map((command) => ({
      id: command.id,
      title: command.title,
      group: getGroup(command),
      // Single letters act only where the focus is; a menu would take them everywhere.
      ...(command.keys && !command.within && { keys: command.keys }),
      enabled: isInReach(command),
    }));
    const now = JSON.stringify(commands);
    if (now === shown) return;
    shown = now;
    desktop.showMenu(commands);
  }
  look();
  return stopAll(
    ...(['pointerup', 'keyup', 'focusin'] as const).map((type) => listen(type, look)),
    useApp.subscribe(look),
    () => showing.clear(),
  );
}
