/** The settings of a user, which all windows share. */
import { z } from 'zod';
import { DEVICE_CHOICES } from './devices.ts';
import { readHost } from './issue-link.ts';
import * as limits from './limits.ts';
import { TEST_RULES } from './search.ts';
import { VERIFIER_DEFAULTS, verifierSettings } from './verifier.ts';

/** Settings with their defaults; kept in the data directory and shared by all windows. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  contrast: z.enum(['system', 'more']).default('system'),
  /** 1 is 100 %. */
  zoom: z.number().min(0.5).max(3).default(1),
  /** Families for code, as CSS lists them without quotes, before the app's own; '' for that alone. */
  codeFont: z.string().max(200).default(''),
  /** In pixels at 100 %, which the zoom then multiplies. */
  codeSize: z.number().min(8).max(32).default(limits.CODE_SIZE),
  device: z.enum(DEVICE_CHOICES).default('auto'),
  /** A model's id, or the path of a model's folder. */
  model: z.string().min(1).max(limits.MAX_PATH).default('bag-1'),
  /** Gitignore-style patterns of files to leave out of every index. */
  exclude: z.array(z.string().min(1).max(1000)).max(1000).default([]),
  tests: z.enum(TEST_RULES).default('demote'),
  limit: z.int().min(1).max(limits.MOST_RESULTS).default(100),
  /** Whether models read the first results and these are ranked again, and for how many seconds they may read. */
  refine: z.boolean().default(true),
  readSeconds: z
    .number()
    .min(0.1)
    .max(limits.MOST_READING_MS / 1000)
    .default(limits.READING_MS / 1000),
  /** Whether they read all functions in advance, while nobody needs the machine and it does not run on its battery. */
  readAhead: z.boolean().default(false),
  /** How code is opened outside: a known editor, or a command with {file} and {line}. */
  editor: z.string().max(limits.MAX_EDITOR).default('system'),
  /** Commands that were chosen in the palette, the latest first. */
  recentCommands: z.array(z.string().max(100)).max(20).default([]),
  /** Whether the ranked list puts a file's chunks together. */
  groupByFile: z.boolean().default(false),
  /** Whether it is shown as a tree of folders; then it is not grouped by file. */
  folderTree: z.boolean().default(false),
  /** Whether the evidence for the selected chunk stands under the list. */
  showEvidence: z.boolean().default(false),
  /** Whether the commit of the line of the cursor stands under the code. */
  blame: z.boolean().default(false),
  /** Sizes of resizable panes in percent, by the name of their group. */
  layout: z.record(z.string().max(100), z.record(z.string().max(100), z.number())).default({}),
  /** Hosts that issues are fetched from without a question, as `hostOf` writes them. */
  fetchHosts: z
    .array(z.string().refine((host) => readHost(host) === host, 'not a host'))
    .max(100)
    .default([]),
  /** The endpoint that can check a ranking; off while it has no address or no model. */
  verifier: verifierSettings.default(VERIFIER_DEFAULTS),
});
export type Settings = z.output<typeof settings>;

/** Any of the settings. Without their defaults: those would stand for what is left out, and undo it. */
export const someSettings = z.object(
  Object.fromEntries(
    Object.entries(settings.shape).map(([name, field]) => [name, field.unwrap().optional()]),
  ),
) as unknown as z.ZodType<Partial<Settings>, Partial<Settings>>;
