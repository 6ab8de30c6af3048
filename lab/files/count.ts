/**
 * Counts how often fixes edit files of each group: `npm run -s lab -- count-edited-files --dataset <jsonl>`
 *
 * Prints the edited files that count (`findEditedFiles`), and the number and share of issues with one.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findLanguage } from '../../src/engine/lab.ts';
import { parseDataset } from '../../src/services/evaluation/dataset.ts';
import { findEditedFiles, getFileKind } from '../../src/services/evaluation/edited-files.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';

/** Groups of extensions and names. A file of a language that Locus reads as source code is in the group `source`. */
const GROUPS = {
  'components, templates, notebooks':
    '.vue .svelte .astro .ipynb .html .htm .ejs .erb .twig .jinja .jinja2 .hbs .tmpl .tpl .pug',
  configuration:
    '.yml .yaml .toml .json .ini .xml .cfg .conf .properties .env .gradle .mod .sbt .csproj .sln .vcxproj .pbtxt .in .gitignore ' +
    '.dockerignore .npmignore .editorconfig .eslintrc .flake8 .coveragerc .gitattributes .gitmodules .Rbuildignore requirements.txt',
  documentation: '.md .mdx .rst .txt .adoc .tex .rd LICENSE README',
  'style sheets': '.css .scss .less .sass .styl',
};
const groups = new Map(
  Object.entries(GROUPS).flatMap(([group, kinds]) =>
    kinds.split(' ').map((kind) => [kind, group] as const),
  ),
);

/** Returns the group of a file. All that is in no other group is `other`: mostly other languages, and scripts that build. */
function getGroup(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const listed = groups.get(name) ?? groups.get(getFileKind(path));
  if (name === 'CMakeLists.txt') return 'other';
  if (listed) return listed;
  return findLanguage(path) ? 'source' : 'other';
}

const { values } = parseArgs({ options: { dataset: { type: 'string' } } });
if (!values.dataset) {
  console.error('usage: npm run -s lab -- count-edited-files --dataset <jsonl>');
  process.exit(2);
}
const fixes = parseDataset(readFileSync(values.dataset, 'utf8'), values.dataset)
  .map(({ patch }) => findEditedFiles(patch).paths.map(getGroup))
  .filter(({ length }) => length > 0);
const all = Map.groupBy(fixes.flat(), (group) => group);
const rows = [...all].map(([group, { length }]) => {
  const issues = fixes.filter((edited) => edited.includes(group)).length;
  return { group, files: length, issues };
});
for (const line of formatMarkdownTable(
  ['group', 'files', 'issues', 'share of issues'],
  rows
    .sort((a, b) => b.issues - a.issues)
    .map(({ group, files, issues }) => [
      group,
      String(files),
      String(issues),
      (issues / fixes.length).toFixed(3),
    ]),
))
  console.log(line);
console.log(
  `\n${fixes.length} issues; ${fixes.filter((edited) => !edited.includes('source')).length} edit no source file.`,
);
