/** The part of Electron that the main process is handed: the real module, or a double in tests. */
export type ElectronApi = Pick<
  typeof import('electron'),
  | 'app'
  | 'BrowserWindow'
  | 'crashReporter'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'MessageChannelMain'
  | 'nativeTheme'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
  | 'utilityProcess'
>;
