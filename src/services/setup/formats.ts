import type { ConfigFormat } from './config-format.ts';
import type { JournalEdit } from './journal.ts';
import { jsonFormat } from './json-format.ts';
import { tomlFormat } from './toml-format.ts';
import { yamlFormat } from './yaml-format.ts';

/** Editors of configuration files by format. */
export const FORMATS: Record<JournalEdit['format'], ConfigFormat> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
};
