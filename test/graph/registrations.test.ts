/** Edges from where frameworks register functions to these functions: one small application for each framework. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { createGraph, parseGraphFiles } from './support.ts';

/** Asserts what is registered, as `kind key > path::handler`, in any order. */
async function assertRegistered(
  sources: Record<string, string>,
  expected: string[],
): Promise<void> {
  assert.deepEqual(await listRegistrations(sources), expected.sort());
}

/** Returns the registrations, sorted. */
async function listRegistrations(sources: Record<string, string>): Promise<string[]> {
  const files = await parseGraphFiles(sources);
  const graph = createGraph(files);
  const names = new Map<number, string>();
  for (const { path, chunkIds, chunks } of files.values())
    for (const [index, { qualifiedName }] of chunks.entries())
      names.set(chunkIds[index]!, `${path}::${qualifiedName}`);
  const edges = [...files.keys()].flatMap((path) => runToEnd(graph.resolve(path)).edges);
  return edges
    .flatMap(({ callee, guess, registered = [] }) =>
      registered.map(
        ({ kind, key }) => `${kind} ${key} > ${names.get(callee)}${guess ? ' guess' : ''}`,
      ),
    )
    .sort();
}

test('Django: routes, class views, routers, signals and management commands', async () => {
  await assertRegistered(
    {
      'shop/urls.py': `
from django.urls import include, path, re_path
from . import views
urlpatterns = [
    path('orders/', views.list_orders),
    path('orders/<int:pk>/', views.OrderView.as_view()),
    re_path(r'^carts/(?P<id>\\d+)/edit/$', login_required(views.edit_cart)),
    path('api/', include('shop.api.urls')),
    path('gone/', views.missing),
]
router.register(r'teams', views.TeamViewSet)
`,
      'shop/views.py': `
def list_orders(request): pass
def edit_cart(request, id): pass
class OrderView: pass
class TeamViewSet: pass
`,
      'shop/signals.py': `
from django.db.models.signals import post_save, pre_delete
def on_saved(sender, **kwargs): pass
post_save.connect(on_saved, sender='Order')
@receiver(pre_delete, sender='Order')
def on_deleted(sender, **kwargs): pass
`,
      'shop/management/commands/send_mail.py': `
class Command(BaseCommand):
    def handle(self, *args, **options): pass
`,
    },
    [
      'route /orders > shop/views.py::list_orders',
      'route /orders/:pk > shop/views.py::OrderView',
      'route /carts/:id/edit > shop/views.py::edit_cart',
      'route /teams > shop/views.py::TeamViewSet',
      'event post_save > shop/signals.py::on_saved',
      'event pre_delete > shop/signals.py::on_deleted',
      'command send_mail > shop/management/commands/send_mail.py::Command.handle',
    ],
  );
});

test('Flask, FastAPI and aiohttp: decorators with the prefix of their blueprint, and added routes', async () => {
  await assertRegistered(
    {
      'app.py': `
from handlers import health
bp = Blueprint('users', __name__, url_prefix='/api')

@bp.route('/users/<int:id>', methods=['GET', 'POST'])
def user(id): pass

@app.get("/items/{item_id}")
async def item(item_id): pass

app.add_url_rule('/health', view_func=health)
app.router.add_post('/items', item)
settings.get('/etc/shop', item)
`,
      'handlers.py': 'def health(): pass\n',
    },
    [
      'route GET /api/users/:id > app.py::user',
      'route POST /api/users/:id > app.py::user',
      'route GET /items/:item_id > app.py::item',
      'route /health > handlers.py::health',
      'route POST /items > app.py::item',
    ],
  );
});

test('click and argparse: commands and options', async () => {
  await assertRegistered(
    {
      'cli.py': `
@shop.command()
@click.option('--out-file', '-o')
def export_all(out_file): pass

@shop.command('import')
def run_import(): pass
`,
      'main.py': `
from tasks import run_sync
def main():
    commands = ArgumentParser().add_subparsers()
    sync = commands.add_parser('sync', help='Synchronize.')
    sync.add_argument('-f', '--fast')
    sync.set_defaults(func=run_sync)
`,
      'tasks.py': 'def run_sync(args): pass\n',
    },
    [
      'command export-all > cli.py::export_all',
      'option --out-file > cli.py::export_all',
      'command import > cli.py::run_import',
      'option --fast > main.py::main',
      'command sync > tasks.py::run_sync',
    ],
  );
});

test('Express, emitters and commander: the last handler, routers of a path, and functions in place', async () => {
  await assertRegistered(
    {
      'app.js': `
const users = require('./users');
const { onSaved } = require('./events');
function start(app, program, emitter) {
  app.get('/users/:id', auth, users.show);
  app.route('/books').post(validate(schema), users.create);
  app.delete('/users/:id', (req, res) => res.end());
  axios.get('/elsewhere', users.show);
  emitter.on('user_saved', onSaved);
  program.command('export <file>').option('-f, --format <name>').action(users.exportAll);
}
`,
      'users.js': `
exports.show = function show() {};
exports.create = function create() {};
exports.exportAll = function exportAll() {};
`,
      'events.js': 'exports.onSaved = function onSaved() {};\n',
    },
    [
      'route GET /users/:id > users.js::show',
      'route POST /books > users.js::create',
      'route DELETE /users/:id > app.js::start',
      'option --format > app.js::start',
      'event user_saved > events.js::onSaved',
      'command export > users.js::exportAll',
    ],
  );
});

test('NestJS and Spring: routes of a method after the path of its class', async () => {
  await assertRegistered(
    {
      'cats.ts': `
@Controller('cats')
export class CatsController {
  @Get(':id')
  findOne() {}
  @Post()
  create() {}
}
`,
      'UserController.java': `
@RequestMapping("/api/users")
class UserController {
  @GetMapping("/{id}") User get(long id) { return null; }
  @PostMapping User create() { return null; }
  @RequestMapping(value = "/all", method = RequestMethod.DELETE) void clear() {}
}
`,
    },
    [
      'route GET /cats/:id > cats.ts::CatsController.findOne',
      'route POST /cats > cats.ts::CatsController.create',
      'route GET /api/users/:id > UserController.java::UserController.get',
      'route POST /api/users > UserController.java::UserController.create',
      'route DELETE /api/users/all > UserController.java::UserController.clear',
    ],
  );
});

test('Go: net/http, groups of gin, nested routes of chi, cobra and its flags', async () => {
  await assertRegistered(
    {
      'main.go': `package main
var exportCmd = &cobra.Command{Use: "export [flags]", RunE: runExport}

func runExport(cmd *cobra.Command, args []string) error { return nil }
func getUser(w http.ResponseWriter, r *http.Request) {}
func login(c *gin.Context) {}
func getArticle(w http.ResponseWriter, r *http.Request) {}

func setUp(r *gin.Engine) {
	exportCmd.Flags().StringVarP(&out, "out-file", "o", "", "where to")
	http.HandleFunc("GET /users/{id}", getUser)
	v1 := r.Group("/v1")
	v1.POST("/login", auth, login)
	r.Route("/articles", func(r chi.Router) {
		r.Get("/{id:[0-9]+}", getArticle)
	})
	http.Get("/elsewhere", getUser)
}
`,
    },
    [
      'command export > main.go::runExport',
      'option --out-file > main.go::setUp',
      'route GET /users/:id > main.go::getUser',
      'route POST /v1/login > main.go::login',
      'route GET /articles/:id > main.go::getArticle',
    ],
  );
});

test('Rails: controllers by name, resources and namespaces', async () => {
  await assertRegistered(
    {
      'config/routes.rb': `
Rails.application.routes.draw do
  get '/about' => 'pages#about'
  get '/old', to: redirect('/about')
  resources :users, only: [:index, :show]
  namespace :admin do
    resources :users, only: %i[index]
  end
end
`,
      'app/controllers/pages_controller.rb': 'class PagesController\n  def about\n  end\nend\n',
      'app/controllers/users_controller.rb':
        'class UsersController\n  def index\n  end\n  def show\n  end\nend\n',
      'app/controllers/admin/users_controller.rb':
        'class Admin::UsersController\n  def index\n  end\nend\n',
    },
    [
      'route GET /about > app/controllers/pages_controller.rb::PagesController.about',
      'route GET /users > app/controllers/users_controller.rb::UsersController.index',
      'route GET /users/:id > app/controllers/users_controller.rb::UsersController.show',
      'route GET /admin/users > app/controllers/admin/users_controller.rb::Admin.UsersController.index',
    ],
  );
});

test('Laravel and Symfony: controllers of routes, groups, attributes and commands', async () => {
  await assertRegistered(
    {
      'routes/web.php': `<?php
use App\\UserController;
Route::prefix('admin')->group(function () {
    Route::get('/users/{id}', [UserController::class, 'show']);
});
Route::apiResource('users', UserController::class)->only(['index']);
`,
      'app/UserController.php': `<?php
namespace App;
class UserController {
    public function show() {}
    public function index() {}
}
`,
      'src/BlogController.php': `<?php
#[Route('/blog')]
class BlogController {
    #[Route('/{slug}', methods: ['GET'])]
    public function read() {}
}
#[AsCommand(name: 'app:export')]
class ExportCommand {}
`,
    },
    [
      'route GET /admin/users/:id > app/UserController.php::App.UserController.show',
      'route GET /users > app/UserController.php::App.UserController.index',
      'route GET /users/:id > app/UserController.php::App.UserController.show',
      'route GET /blog/:slug > src/BlogController.php::BlogController.read',
      'command app:export > src/BlogController.php::ExportCommand',
    ],
  );
});

test('axum: a handler for each method', async () => {
  await assertRegistered(
    {
      'src/main.rs': `
fn list_users() {}
fn create_user() {}
fn app() {
    Router::new().route("/users", get(list_users).post(create_user));
}
`,
    },
    ['route POST /users > src/main.rs::create_user', 'route GET /users > src/main.rs::list_users'],
  );
});

test('registries of names, and registrations that a test would not mistake for calls', async () => {
  await assertRegistered(
    {
      'models.py': `
@Model.register("bert")
class Bert: pass

@atexit.register
def close(): pass
`,
    },
    ['name bert > models.py::Bert'],
  );
});
