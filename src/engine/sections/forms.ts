/** The kinds of files that are split into sections, and how paths tell them. */
import { basename } from 'node:path/posix';
import type { SectionForm } from './form.ts';
import { isHandwrittenPath } from './selection.ts';

const yaml: SectionForm = {
  name: 'yaml',
  title: 'YAML',
  monaco: 'yaml',
  group: 'configuration',
  extensions: ['.yml', '.yaml', '.cff'],
  names: ['.clang-format', '.clang-tidy', '.clangd', '.gemrc', '.yamllint'],
};

const toml: SectionForm = {
  name: 'toml',
  title: 'TOML',
  monaco: 'ini',
  group: 'configuration',
  extensions: ['.toml'],
  names: ['pipfile'],
};

const json: SectionForm = {
  name: 'json',
  title: 'JSON',
  monaco: 'json',
  group: 'configuration',
  extensions: ['.json', '.jsonc', '.json5', '.webmanifest', '.code-workspace'],
  names: ['.babelrc', '.eslintrc', '.jshintrc', '.prettierrc', '.stylelintrc', '.swcrc'],
};

const xml: SectionForm = {
  name: 'xml',
  title: 'XML',
  monaco: 'xml',
  group: 'configuration',
  extensions: [
    '.xml',
    '.plist',
    '.props',
    '.targets',
    '.csproj',
    '.fsproj',
    '.vbproj',
    '.vcxproj',
    '.config',
    '.nuspec',
    '.resx',
    '.xaml',
  ],
  names: [],
};

const list: SectionForm = {
  name: 'list',
  title: 'Plain list',
  monaco: 'plaintext',
  group: 'configuration',
  extensions: [],
  names: [
    '.dockerignore',
    '.gitignore',
    '.npmignore',
    '.prettierignore',
    '.eslintignore',
    '.browserslistrc',
    'codeowners',
    'constraints.txt',
    'go.mod',
    'go.work',
    'manifest.in',
    'procfile',
    'requirements.txt',
  ],
};

const jenkinsfile: SectionForm = {
  name: 'jenkinsfile',
  title: 'Jenkinsfile',
  monaco: 'java',
  group: 'configuration',
  extensions: ['.jenkinsfile'],
  names: ['jenkinsfile'],
};

const css: SectionForm = {
  name: 'css',
  title: 'CSS',
  monaco: 'css',
  group: 'style sheet',
  extensions: ['.css', '.pcss', '.wxss'],
  names: [],
};

const scss: SectionForm = {
  name: 'scss',
  title: 'SCSS',
  monaco: 'scss',
  group: 'style sheet',
  extensions: ['.scss'],
  names: [],
};

const less: SectionForm = {
  name: 'less',
  title: 'Less',
  monaco: 'less',
  group: 'style sheet',
  extensions: ['.less'],
  names: [],
};

const sass: SectionForm = {
  name: 'sass',
  title: 'Sass',
  monaco: 'scss',
  group: 'style sheet',
  extensions: ['.sass'],
  names: [],
};

const ini: SectionForm = {
  name: 'ini',
  title: 'INI',
  monaco: 'ini',
  group: 'configuration',
  extensions: ['.ini', '.cfg', '.conf', '.editorconfig', '.gitconfig', '.desktop', '.service'],
  names: ['.coveragerc', '.flake8', '.gitmodules', '.isort.cfg', '.npmrc', '.pylintrc', 'pylintrc'],
};

const properties: SectionForm = {
  name: 'properties',
  title: 'Properties',
  monaco: 'ini',
  group: 'configuration',
  extensions: ['.properties', '.env'],
  names:
    '.env.ci .env.development .env.dist .env.docker .env.example .env.local .env.production .env.sample .env.staging .env.template .env.test'.split(
      ' ',
    ),
};

const markdown: SectionForm = {
  name: 'markdown',
  title: 'Markdown',
  monaco: 'markdown',
  group: 'documentation',
  extensions: ['.md', '.markdown', '.mdx'],
  names: [],
};

const restructuredText: SectionForm = {
  name: 'restructuredtext',
  title: 'reStructuredText',
  monaco: 'restructuredtext',
  group: 'documentation',
  extensions: ['.rst'],
  names: ['readme.txt', 'changes.txt', 'changelog.txt', 'history.txt', 'news.txt'],
};

const asciidoc: SectionForm = {
  name: 'asciidoc',
  title: 'AsciiDoc',
  monaco: 'plaintext',
  group: 'documentation',
  extensions: ['.adoc', '.asciidoc'],
  names: [],
};

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
  return form && isHandwrittenPath(path) ? form : null;
}

function findForm(path: string): SectionForm | null {
  const name = basename(path).toLowerCase();
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

function indexForms(getKeys: (form: SectionForm) => readonly string[]) {
  return new Map(sectionForms.flatMap((form) => getKeys(form).map((key) => [key, form] as const)));
}
