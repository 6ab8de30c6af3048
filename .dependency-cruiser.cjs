/**
 * Who may import whom; `node scripts/structure.ts`, part of `npm run lint`, holds src and lab to it. Types count like any import. A
 * storey is a folder; storeys are listed from the lowest to the highest, and each imports from those before it only.
 */

/** A rule for each storey: nothing in it imports from a storey above. */
function storeys(root, names) {
  return names.slice(0, -1).map((name, at) => ({
    name: `${name}-imports-downwards`,
    comment: `${name} lies below ${names.slice(at + 1).join(', ')}`,
    severity: 'error',
    from: { path: `^${root}/${name}/` },
    to: { path: `^${root}/(${names.slice(at + 1).join('|')})/` },
  }));
}

const renderer = 'src/renderer';

/** Of the project: the contract, the engine, what is built on it, what agents talk to, the session behind a window, hosts, and the lab. */
const PROJECT = [
  ['shared', '^src/shared/'],
  ['base', '^src/base/'],
  ['engine', '^src/engine/'],
  ['services', '^src/services/'],
  ['mcp', '^src/mcp/'],
  ['backend', '^src/backend/'],
  ['hosts', '^src/(server|main|preload)/'],
  ['cli', '^src/cli/'],
  ['action', '^src/action/'],
  ['lab', '^lab/'],
];

/** Of the engine; its files beside the folders join them and lie on top. */
const ENGINE = [
  'event-loop',
  'columns',
  'packages',
  'languages',
  'source',
  'lexical',
  'parse',
  'vectors',
  'issue',
  'encode',
  'graph',
  'history',
  'store',
  'nearest',
  'snapshot',
  'pipeline',
  'portable',
  'search',
  'inspect',
  'fleet-rows',
];

/** Folders of the steps of a search. Files outside of them join the steps. */
const SEARCH = ['gather', 'rank', 'rerank', 'explain'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-file-cycle',
      comment: 'files that need each other are one, or lack a third that both can import',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycle',
      comment: 'folders that need each other are one, or lack a third that both can import',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved-import',
      comment: 'what cannot be found cannot be checked',
      severity: 'error',
      from: {},
      // Of SARIF there are types alone.
      to: { couldNotResolve: true, pathNot: '^sarif$' },
    },
    ...PROJECT.slice(0, -1).map(([name, path], at) => ({
      name: `${name}-imports-downwards`,
      comment: `${name} lies below ${PROJECT.slice(at + 1)
        .map(([above]) => above)
        .join(', ')}`,
      severity: 'error',
      from: { path },
      to: { path: PROJECT.slice(at + 1).map(([, above]) => above) },
    })),
    {
      name: 'no-host-knows-the-renderer',
      comment: 'pages are built apart from whatever serves them',
      severity: 'error',
      from: { path: '^(src/(shared|base|engine|services|mcp|backend|server|main|preload|cli|action)|lab)/' },
      to: { path: `^${renderer}/` },
    },
    {
      name: 'updates-on-request',
      comment: 'a check for updates is one command and one request of the window, so that nothing else can start it',
      severity: 'error',
      from: {
        path: '^(src|lab)/',
        pathNot: '^src/(services/updates/|cli/commands/update[.]ts$|backend/updates[.]ts$)',
      },
      to: { path: '^src/services/updates/' },
    },
    ...storeys('src/engine', ENGINE),
    {
      name: 'engine-is-joined-at-the-top',
      comment: 'a folder of the engine knows nothing of what joins them',
      severity: 'error',
      from: { path: '^src/engine/[^/]+/' },
      to: { path: '^src/engine/[^/]+[.]ts$' },
    },
    {
      name: 'engine-by-its-face',
      comment: 'what the engine offers is in src/engine/index.ts; what the lab may use besides is in src/engine/lab.ts',
      severity: 'error',
      from: { pathNot: '^(src/engine|lab|demo|scripts)/' },
      to: { path: '^src/engine/', pathNot: '^src/engine/index[.]ts$' },
    },
    {
      name: 'lab-by-the-engines-faces',
      comment: 'the lab, the demo and scripts take what src/engine/lab.ts and src/engine/index.ts offer',
      severity: 'error',
      from: { path: '^(lab|demo|scripts)/' },
      to: { path: '^src/engine/', pathNot: '^src/engine/(index|lab)[.]ts$' },
    },
    {
      name: 'engine-does-not-use-its-face',
      comment: 'inside of the engine, files are imported by their own names',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^src/engine/(index|lab)[.]ts$' },
    },
    ...storeys('src/engine/search', SEARCH),
    {
      name: 'search-is-joined-at-the-top',
      comment: 'a step of a search knows nothing of what joins them',
      severity: 'error',
      from: { path: '^src/engine/search/[^/]+/' },
      to: { path: '^src/engine/search/[^/]+[.]ts$' },
    },
    ...storeys(renderer, ['ui', 'platform', 'features', 'shell']),
    {
      name: 'feature-by-its-face',
      comment: 'what a feature offers to the others is in its index.ts',
      severity: 'error',
      from: { path: `^${renderer}/features/([^/]+)/` },
      to: {
        path: `^${renderer}/features/[^/]+/`,
        pathNot: [`^${renderer}/features/$1/`, `^${renderer}/features/[^/]+/index[.]ts$`],
      },
    },
    {
      name: 'shell-mounts-views',
      comment: 'the shell takes views, commands and faces of features, none of their insides',
      severity: 'error',
      from: { path: `^${renderer}/shell/` },
      to: {
        path: `^${renderer}/features/[^/]+/`,
        pathNot: `^${renderer}/features/[^/]+/(index[.]ts|start[.]ts|[A-Z][A-Za-z]*[.]tsx)$`,
      },
    },
    {
      name: 'renderer-stands-on-shared',
      comment: 'the page knows the engine by the contract in src/shared alone, and of base what needs no Node',
      severity: 'error',
      from: { path: `^${renderer}/` },
      to: { path: '^src/', pathNot: [`^${renderer}/`, '^src/shared/', '^src/base/serial-queue[.]ts$'] },
    },
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Assets that Vite resolves.
    exclude: { path: '[.](css|svg)$|[?]worker$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
