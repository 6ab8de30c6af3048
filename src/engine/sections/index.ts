/** Splits files without definitions into sections: configuration, style sheets and documentation. */
import { asciidoc } from './asciidoc.ts';
import type { Section, SectionForm } from './form.ts';
import { ini, properties } from './ini.ts';
import { json } from './json.ts';
import { jenkinsfile, list } from './lists.ts';
import { markdown } from './markdown.ts';
import { formatName } from './names.ts';
import { restructuredText } from './restructured-text.ts';
import { sass } from './sass.ts';
import { isSplit, isWrittenPath } from './selection.ts';
import { css, less, scss } from './style-sheet.ts';
import { toml } from './toml.ts';
import { xml } from './xml.ts';
import { yaml } from './yaml.ts';

export type { Section, SectionForm, SectionGroup } from './form.ts';

/** All kinds of files that are split into sections. */
export const sectionForms: readonly SectionForm[] = [
  yaml,
  toml,
  json,
  xml,
  list,
  jenkinsfile,
  css,
  scss,
  less,
  sass,
  ini,
  properties,
  markdown,
  restructuredText,
  asciidoc,
];

const byExtension = indexForms(({ extensions }) => extensions);
const byName = indexForms(({ names }) => names.map((name) => name.toLowerCase()));

/** Returns the form of a file, by its path; null if it is not split into sections. */
export function findSectionForm(path: string): SectionForm | null {
  const form = findForm(path);
  return form && isWrittenPath(path) ? form : null;
}

function findForm(path: string): SectionForm | null {
  const name = getBaseName(path).toLowerCase();
  const named = byName.get(name);
  if (named) return named;
  const extension = /\.[^.]*$/.exec(name)?.[0] ?? '';
  return extension === '.txt' ? findTextForm(path) : (byExtension.get(extension) ?? null);
}

/** Returns the form of a `.txt` file: Python's requirements, or reStructuredText in a folder of documentation. */
function findTextForm(path: string): SectionForm | null {
  if (REQUIREMENTS.test(path)) return list;
  // CMakeLists.txt is code.
  if (/cmakelists\.txt$/i.test(path)) return null;
  return DOCUMENTATION.test(path) ? restructuredText : null;
}

const REQUIREMENTS =
  /(?:^|[/_-])(?:requirements|constraints)(?:[._-][^/]*)?\.txt$|(?:^|\/)requirements\/[^/]+\.txt$/i;
const DOCUMENTATION = /(?:^|\/)docs?\//i;

/**
 * Splits a file into sections, in order. A file without structure is one section with the file's name. Returns none if the file
 * is blank, or is no ordinary configuration, style sheet or documentation: lock files, data, minified and generated files.
 */
export function splitSections(path: string, text: string): Section[] {
  const form = findSectionForm(path);
  if (form === null || !isSplit(path, text, form) || text.trim() === '') return [];
  const fileName = formatName(getBaseName(path)) || 'file';
  return form
    .split(text.replace(/^\ufeff/, ''))
    .map((section) => (section.path.length > 0 ? section : { ...section, path: [fileName] }));
}

function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function indexForms(getKeys: (form: SectionForm) => readonly string[]) {
  return new Map(sectionForms.flatMap((form) => getKeys(form).map((key) => [key, form] as const)));
}
