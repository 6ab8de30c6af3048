import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { createBridge, type PageWindow } from './bridge.ts';

const page = globalThis as unknown as PageWindow;
contextBridge.exposeInMainWorld('locus', createBridge(ipcRenderer, webUtils, page, process));
