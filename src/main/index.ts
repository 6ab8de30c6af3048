/** Electron's main process: one window over the engine. */
import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      contextIsolation: true,
      sandbox: true,
    },
  });
  window.loadFile(join(import.meta.dirname, '../renderer/index.html'));
});
app.on('window-all-closed', () => app.quit());
