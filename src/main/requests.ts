import { basename, extname } from 'node:path';
import type { BrowserWindow, IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import type { z } from 'zod';
import { openInEditor } from '../backend/editor.ts';
import { writeFileAtomically } from '../base/write-file.ts';
import { assertPresent } from '../shared/assert-present.ts';
import { CONNECT_CHANNEL, type DesktopAnswer } from '../shared/desktop.ts';
import { desktopRequests, type MenuCommand } from '../shared/desktop-requests.ts';
import { isCustomEditor } from '../shared/editor-command.ts';
import { badInput, LocusError, toFailure } from '../shared/errors.ts';
import { isOwnPage } from './confinement.ts';
import type { ElectronApi } from './electron-api.ts';
import { installUpdate } from './install-update.ts';
import type { WindowMemory } from './window-memory.ts';
import type { AppWindows } from './windows.ts';

type Api = Pick<ElectronApi, 'app' | 'dialog' | 'ipcMain' | 'nativeTheme'>;
type Channel = keyof typeof desktopRequests;

interface Actions {
  connect(window: BrowserWindow): void;
  showMenu(commands: MenuCommand[]): void;
  onDefect(error: unknown, channel: string): void;
}

/** Answers requests of pages to the desktop app. Accepts only the app's own pages, and only requests in `desktopRequests`. */
export function answerRequests(
  api: Api,
  windows: AppWindows,
  memory: WindowMemory,
  actions: Actions,
): void {
  const { app, dialog, ipcMain, nativeTheme } = api;

  ipcMain.on(CONNECT_CHANNEL, (event) => {
    const window = findSender(event);
    if (window) actions.connect(window);
  });

  handle('locus:pick-folder', async (_, window) => {
    const { filePaths } = await dialog.showOpenDialog(window, {
      title: 'Open folder',
      properties: ['openDirectory'],
    });
    return filePaths[0] ?? null;
  });

  handle('locus:save-file', async ({ name, text }, window) => {
    const defaultPath = basename(name);
    const extension = extname(defaultPath).slice(1);
    const { filePath } = await dialog.showSaveDialog(window, {
      defaultPath,
      filters: extension ? [{ name: extension.toUpperCase(), extensions: [extension] }] : [],
    });
    if (!filePath) return null;
    await writeFileAtomically(filePath, text);
    return filePath;
  });

  handle('locus:open-in-editor', async (request, window) =>
    (await confirmEditor(request.editor, window)) ? openInEditor(request) : null,
  );

  handle('locus:opened', ({ root, name }, window) => {
    app.addRecentDocument(root);
    window.setTitle(`${name} — Locus`);
    window.setRepresentedFilename(root);
    return null;
  });

  handle('locus:show-menu', (commands) => {
    actions.showMenu(commands);
    return null;
  });

  handle('locus:install-update', (version, window) => installUpdate(api, window, version));

  handle('locus:use-theme', (theme) => {
    nativeTheme.themeSource = theme;
    return null;
  });

  function findSender({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent) {
    return isOwnPage(senderFrame) ? windows.findByContents(sender) : undefined;
  }

  function handle<Name extends Channel>(
    channel: Name,
    answer: (request: z.output<(typeof desktopRequests)[Name]>, window: BrowserWindow) => unknown,
  ): void {
    ipcMain.handle(channel, async (event, request: unknown): Promise<DesktopAnswer<unknown>> => {
      const window = findSender(event);
      try {
        if (!window) throw badInput('This page is not part of Locus.', 'Close it.');
        const parsed = desktopRequests[channel].safeParse(request);
        if (!parsed.success) {
          const { message, path } = assertPresent(parsed.error.issues[0], 'an issue of the schema');
          const field = [channel, ...path].join('.');
          throw badInput(`${field} is invalid: ${message}.`, 'Correct it and try again.');
        }
        const valid = parsed.data as z.output<(typeof desktopRequests)[Name]>;
        return { result: await answer(valid, window) };
      } catch (error) {
        if (!(error instanceof LocusError)) actions.onDefect(error, channel);
        return { error: toFailure(error) };
      }
    });
  }

  /** Asks the user to confirm a custom editor command once. It asks outside of the page, because the page names the command. */
  async function confirmEditor(editor: string, window: BrowserWindow): Promise<boolean> {
    const { editors } = memory.get();
    if (!isCustomEditor(editor) || editors.includes(editor)) return true;
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: 'Open files with this command?',
      detail: editor,
      buttons: ['Open', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    if (response !== 0) return false;
    memory.set({ editors: [...editors, editor] });
    return true;
  }
}
