import type { RegistrationForms } from '../registration.ts';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** Forms of click, Typer, argparse, Django, Flask, FastAPI, aiohttp, Starlette, signals and registries. */
export const registrations: RegistrationForms = {
  calls: [
    // Flask, FastAPI, Sanic, Starlette: @app.route('/users', methods=['POST']), @router.get('/users').
    {
      names: ['route', 'api_route'],
      kind: 'route',
      isDecorator: true,
      key: [0, 'rule', 'path'],
      method: ['methods'],
    },
    { names: ['websocket'], kind: 'route', isDecorator: true, key: [0, 'path'] },
    {
      names: VERBS,
      kind: 'route',
      isDecorator: true,
      key: [0, 'path'],
      method: [{ from: 'callee' }],
    },
    { names: ['Blueprint', 'APIRouter'], kind: 'prefix', key: ['url_prefix', 'prefix'] },
    // Django: path('users/', views.users), re_path(r'^users/$', Users.as_view()).
    {
      names: ['path', 're_path', 'url'],
      kind: 'route',
      key: [0, 'route'],
      handler: [1, 'view'],
      needsHandler: true,
      shape: /^(?!\w+:\/\/)/,
      least: 1,
    },
    {
      names: ['register'],
      kind: 'route',
      key: [0, 'prefix'],
      handler: [1, 'viewset'],
      needsHandler: true,
      shape: /^[\w/-]*$/,
      object: /(?:^|_|\.)router$/,
    },
    // Flask: add_url_rule('/users', 'users', users). aiohttp: router.add_get('/users', users), web.get('/users', users).
    {
      names: ['add_url_rule', 'add_api_route', 'add_websocket_route'],
      kind: 'route',
      key: [0, 'rule', 'path'],
      handler: ['view_func', 'endpoint', 2, 1],
      needsHandler: true,
      method: ['methods'],
    },
    {
      names: VERBS.map((verb) => `add_${verb}`),
      kind: 'route',
      key: [0, 'path'],
      handler: [1, 'handler'],
      needsHandler: true,
      method: [{ from: 'callee' }],
    },
    {
      names: ['add_route'],
      kind: 'route',
      key: [1, 0],
      handler: [2, 1],
      needsHandler: true,
      method: [0],
    },
    {
      names: VERBS,
      kind: 'route',
      key: [0],
      handler: [1],
      needsHandler: true,
      method: [{ from: 'callee' }],
      object: /^(?:web|aiohttp\.web)$/,
    },
    {
      names: ['Route', 'WebSocketRoute'],
      kind: 'route',
      key: [0, 'path'],
      handler: [1, 'endpoint'],
      needsHandler: true,
      method: ['methods'],
    },
    // click, Typer: @cli.command('export'), @group.command() above def export.
    {
      names: ['command', 'group'],
      kind: 'command',
      isDecorator: true,
      key: [0, 'name', { from: 'definition' }],
    },
    { names: ['option'], kind: 'option', isDecorator: true, key: [0, 1, 2], shape: /^--\w/ },
    // argparse: sub.add_parser('export').set_defaults(func=export).
    { names: ['add_parser'], kind: 'variable', key: [0] },
    {
      names: ['set_defaults'],
      kind: 'command',
      key: [{ from: 'variable' }, { from: 'before', name: 'add_parser' }],
      handler: ['func', 'function', 'handler', 'cmd', 'command', 'run', 'main', 'callback', 'fn'],
      needsHandler: true,
    },
    { names: ['add_argument'], kind: 'option', key: [0, 1, 2], shape: /^--\w/ },
    // Signals: post_save.connect(handler), @receiver(post_save), signals.connect('saved', handler).
    { names: ['receiver'], kind: 'event', isDecorator: true, key: [0], mayBeName: true },
    {
      names: ['connect'],
      kind: 'event',
      key: [0],
      handler: [1],
      needsHandler: true,
      shape: /^[\w:.-]+$/,
      least: 2,
    },
    {
      names: ['connect'],
      kind: 'event',
      key: [{ from: 'object' }],
      shape: /^[a-z]+(?:_[a-z\d]+)+$/,
      handler: [0, 'receiver'],
      needsHandler: true,
      least: 1,
    },
    {
      names: ['on', 'add_listener', 'subscribe'],
      kind: 'event',
      key: [0],
      handler: [1],
      needsHandler: true,
    },
    {
      names: ['on', 'listens_for', 'on_event'],
      kind: 'event',
      isDecorator: true,
      key: [1, 0],
      shape: /^[\w:.-]+$/,
    },
    // Registries: @Model.register('bert'), @task(name='mail').
    {
      names: ['register', 'register_model', 'register_module', 'register_task', 'register_op'],
      kind: 'name',
      isDecorator: true,
      key: [0, 'name'],
      shape: /^[\w:./-]+$/,
    },
    { names: ['task', 'shared_task'], kind: 'name', isDecorator: true, key: ['name'] },
  ],
  // Django's management commands.
  files: [
    {
      path: /(?:^|\/)management\/commands\/([a-z]\w*)\.py$/,
      kind: 'command',
      handlers: ['Command.handle', 'Command.handle_noargs', 'Command'],
    },
  ],
};
