/** Adapters of templates. A template is read by a scanner of its own, and its scripts by the grammar of JavaScript. */
import { readFileSync } from 'node:fs';
import { javascript } from '../javascript/index.ts';
import type { Language } from '../language.ts';
import { NEVER } from '../tagged/patterns.ts';
import { blade } from './blade.ts';
import { curly, html } from './curly.ts';
import type { TemplateDialect } from './dialect.ts';
import { erb } from './erb.ts';
import { graph } from './graph.ts';
import { handlebars } from './handlebars.ts';
import { createTemplateIssues } from './issue.ts';
import { razor } from './razor.ts';
import { readTemplate } from './read-template.ts';
import { decodeName } from './written-names.ts';

const FOLDER = new URL('./', import.meta.url);
const QUERIES = ['templates.scm', ...javascript.queries.map((query) => `../javascript/${query}`)];
/** Files of other folders that decide the chunks. */
const SHARED = [...QUERIES, '../javascript/markup-code.ts', '../javascript/template-parts.ts'];

interface TemplateRow {
  name: string;
  title: string;
  extensions: readonly string[];
  dialect: TemplateDialect;
  monaco?: string;
}

const ROWS: readonly TemplateRow[] = [
  { name: 'html', title: 'HTML', extensions: ['.html', '.htm'], dialect: html },
  { name: 'jinja', title: 'Jinja', extensions: ['.jinja', '.jinja2', '.j2'], dialect: curly },
  { name: 'twig', title: 'Twig', extensions: ['.twig'], dialect: curly, monaco: 'twig' },
  { name: 'erb', title: 'ERB', extensions: ['.erb'], dialect: erb },
  { name: 'ejs', title: 'EJS', extensions: ['.ejs'], dialect: erb },
  { name: 'blade', title: 'Blade', extensions: ['.blade.php'], dialect: blade },
  {
    name: 'razor',
    title: 'Razor',
    extensions: ['.cshtml', '.razor'],
    dialect: razor,
    monaco: 'razor',
  },
  {
    name: 'handlebars',
    title: 'Handlebars',
    extensions: ['.hbs', '.handlebars', '.mustache'],
    dialect: handlebars,
    monaco: 'handlebars',
  },
];

/** Output of tools: coverage, documentation of Java. */
const GENERATED = /\/(?:htmlcov|lcov-report|javadocs?|apidocs)\/|^\/coverage\//;
const EXAMPLE = '<script>\nfunction f(x) {\n  return x;\n}\n</script>\n';

/** Languages of templates, one for each kind of file. */
export const templateLanguages: readonly Language[] = ROWS.map((row): Language => {
  const { name, title, extensions, dialect, monaco = 'html' } = row;
  let issue: Language['issue'] | undefined;
  return {
    ...javascript,
    ...{ name, title, monaco, graph },
    folder: FOLDER,
    get version() {
      return SHARED.map((file) => readFileSync(new URL(file, FOLDER), 'utf8')).join('');
    },
    files: {
      ...{ extensions, names: [], documentation: [], index: null },
      ...{ tests: NEVER, testMarks: NEVER, generated: GENERATED, minified: true },
    },
    queries: QUERIES,
    tokens: [],
    markup: { read: (text) => readTemplate(text, dialect) },
    example: { path: `example${extensions[0]}`, text: EXAMPLE, name: 'f' },
    names: { ...javascript.names, splitName: (written) => [decodeName(written)] },
    get issue() {
      issue ??= createTemplateIssues({ name, title, extensions, monaco });
      return issue;
    },
  };
});
