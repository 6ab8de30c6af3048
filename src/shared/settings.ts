/** A user's settings, shared by all windows. */
import { z } from 'zod';
import { CHECK_DEFAULTS, checkSettings } from './check.ts';
import { DEVICE_CHOICES } from './devices.ts';
import { parseHost } from './issue-url.ts';
import * as limits from './limits.ts';
import { TEST_RULES } from './search.ts';

/** Settings with their defaults. Stored in the data directory. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  contrast: z.enum(['system', 'more']).default('system'),
  /** 1 is 100 %. */
  zoom: z.number().min(0.5).max(3).default(1),
  /** Font families for code, comma-separated without quotes, tried before the app's own; '' for the app's own only. */
  codeFont: z.string().max(200).default(''),
  /** Font size of code in pixels, before zoom. */
  codeSize: z.number().min(8).max(32).default(limits.CODE_SIZE),
  device: z.enum(DEVICE_CHOICES).default('auto'),
  /** Id of the encoder, or the path of its folder. */
  model: z.string().min(1).max(limits.MAX_PATH).default('bag-1'),
  /** Id of the reranker, or the path of its folder. */
  reranker: z.string().min(1).max(limits.MAX_PATH).default('coret-1'),
  /** Gitignore-style patterns of files to exclude from every index. */
  exclude: z.array(z.string().min(1).max(1000)).max(1000).default([]),
  tests: z.enum(TEST_RULES).default('demote'),
  limit: z.int().min(1).max(limits.MAX_RESULTS).default(100),
  /** True if searches are reranked. */
  rerank: z.boolean().default(true),
  /** True if background embedding runs while the machine is idle and not on battery power. */
  backgroundEmbedding: z.boolean().default(true),
  /** Editor that opens code: a known editor, or a command with {file} and {line}. */
  editor: z.string().max(limits.MAX_EDITOR).default('system'),
  /** Commands recently chosen in the palette, latest first. */
  recentCommands: z.array(z.string().max(100)).max(20).default([]),
  /** True if the list is grouped by file. */
  groupByFile: z.boolean().default(false),
  /** True if the list is shown as a tree of folders, which overrides grouping by file. */
  folderTree: z.boolean().default(false),
  /** True if the evidence for the selected result is shown under the list. */
  showEvidence: z.boolean().default(false),
  /** True if the last commit of the cursor's line is shown under the code. */
  blame: z.boolean().default(false),
  /** Sizes of resizable panes in percent, by group. */
  layout: z.record(z.string().max(100), z.record(z.string().max(100), z.number())).default({}),
  /** Hosts that issues are fetched from without asking, as formatted by `formatHost`. */
  fetchHosts: z
    .array(z.string().refine((host) => parseHost(host) === host, 'not a host'))
    .max(100)
    .default([]),
  /** True if `npm start` may offer to download Electron. */
  offerElectron: z.boolean().default(true),
  /** The check; off while it has no address or no model. */
  check: checkSettings.default(CHECK_DEFAULTS),
});
export type Settings = z.output<typeof settings>;

/** A partial change of settings. It has no defaults, since these would overwrite the settings that the change omits. */
export const someSettings = z.object(
  Object.fromEntries(
    Object.entries(settings.shape).map(([name, field]) => [name, field.unwrap().optional()]),
  ),
) as unknown as z.ZodType<Partial<Settings>, Partial<Settings>>;
