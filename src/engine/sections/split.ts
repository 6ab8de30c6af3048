/** Splits files without definitions into sections: configuration, style sheets and documentation. */
import { basename } from 'node:path/posix';
import { assertPresent } from '../../shared/assert-present.ts';
import { splitAsciidoc } from './asciidoc.ts';
import type { Section, SectionForm } from './form.ts';
import { findSectionForm } from './forms.ts';
import { splitIni, splitProperties } from './ini.ts';
import { splitJson } from './json.ts';
import { splitList, splitStages } from './lists.ts';
import { splitMarkdown } from './markdown.ts';
import { formatName } from './names.ts';
import { splitRestructuredText } from './restructured-text.ts';
import { splitSass } from './sass.ts';
import { isSplit } from './selection.ts';
import { splitNestedStyles, splitStyles } from './style-sheet.ts';
import { splitToml } from './toml.ts';
import { splitXml } from './xml.ts';
import { splitYaml } from './yaml.ts';

/** Splitters by the name of the form. They take linear time and never throw. The path of text before the first name is empty. */
const SPLITTERS: Readonly<Record<string, (text: string) => Section[]>> = {
  yaml: splitYaml,
  toml: splitToml,
  json: splitJson,
  xml: splitXml,
  list: splitList,
  jenkinsfile: splitStages,
  css: splitStyles,
  scss: splitNestedStyles,
  less: splitNestedStyles,
  sass: splitSass,
  ini: splitIni,
  properties: splitProperties,
  markdown: splitMarkdown,
  restructuredtext: splitRestructuredText,
  asciidoc: splitAsciidoc,
};

/**
 * Splits a file into sections, in order. A file without structure is one section with the file's name. Returns none if the file
 * is blank, or is no ordinary configuration, style sheet or documentation: lock files, data, minified and generated files.
 */
export function splitSections(path: string, text: string): Section[] {
  const form = findSectionForm(path);
  if (form === null || !isSplit(path, text, form) || text.trim() === '') return [];
  const fileName = formatName(basename(path)) || 'file';
  return splitText(form, text.replace(/^\ufeff/, '')).map((section) =>
    section.path.length > 0 ? section : { ...section, path: [fileName] },
  );
}

/** Splits a text, whatever it is. */
export function splitText({ name }: SectionForm, text: string): Section[] {
  return assertPresent(SPLITTERS[name], `the splitter of ${name}`)(text);
}
