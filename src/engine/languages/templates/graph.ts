import { graph as csharp } from '../csharp/graph.ts';
import { graph as javascript } from '../javascript/graph.ts';
import type { GraphRules } from '../language.ts';
import { graph as php } from '../php/graph.ts';
import { graph as python } from '../python/graph.ts';
import { graph as ruby } from '../ruby/graph.ts';
import { TemplateFiles } from './template-files.ts';

/** Rules of the languages that templates are part of, by the end of their paths. */
const HOSTS: readonly (readonly [RegExp, GraphRules])[] = [
  [/\.(?:html?|jinja2?|j2)$/i, python],
  [/\.erb$/i, ruby],
  [/\.(?:blade\.php|twig)$/i, php],
  [/\.(?:cshtml|razor)$/i, csharp],
  [/\.(?:ejs|hbs|handlebars|mustache)$/i, javascript],
];

/** Rules for all templates together, since they include each other. Those of JavaScript are for their scripts. */
export const graph: GraphRules = {
  ...javascript,
  manifests: undefined,
  linksByName: true,
  getHost: (path) => HOSTS.find(([end]) => end.test(path))?.[1] ?? null,
  createResolver: (isTest) => new TemplateFiles(isTest),
};
