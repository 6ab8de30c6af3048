/** Requests of a page to the desktop app's main process, by channel. Every request is validated with these schemas. */
import { z } from 'zod';
import { MAX_EDITOR } from './limits.ts';

const path = z.string().min(1).max(4096);

export const desktopRequests = {
  'locus:pick-folder': z.null(),
  'locus:save-file': z.object({
    name: z.string().min(1).max(255),
    text: z.string().max(100_000_000),
  }),
  'locus:open-in-editor': z.object({
    root: path,
    /** Path of the file, relative to the root. */
    path,
    /** 1-based. */
    line: z.int().min(1),
    /** Value of the setting `editor`. */
    editor: z.string().max(MAX_EDITOR),
  }),
  'locus:opened': z.object({ root: path, name: z.string().max(255) }),
  'locus:show-menu': z
    .array(
      z.object({
        id: z.string().min(1).max(100),
        title: z.string().min(1).max(200),
        group: z.string().min(1).max(100),
        /** In the format of tinykeys: `$mod+Enter`. */
        keys: z.string().max(100).optional(),
        enabled: z.boolean(),
      }),
    )
    .max(500),
  /** Version to install. */
  'locus:install-update': z.string().regex(/^[\w.-]{1,60}$/),
  'locus:use-theme': z.enum(['system', 'light', 'dark']),
};

export type SaveRequest = z.input<(typeof desktopRequests)['locus:save-file']>;
export type EditorRequest = z.input<(typeof desktopRequests)['locus:open-in-editor']>;
export type MenuCommand = z.input<(typeof desktopRequests)['locus:show-menu']>[number];
export type Theme = z.input<(typeof desktopRequests)['locus:use-theme']>;
