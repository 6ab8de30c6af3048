import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';

test('php: imports, the own namespace, traits and declared types are followed', async () => {
  const found = await findEdges({
    'src/Base/Model.php':
      '<?php\nnamespace App\\Base;\nabstract class Model {\n    public function __construct() {}\n    public static function make(): static { return new static(); }\n    protected function log() {}\n}\n',
    'src/Logs.php': '<?php\nnamespace App;\ntrait Logs {\n    public function write() {}\n}\n',
    'src/Store.php':
      '<?php\nnamespace App;\nclass Store {\n    public function save(): Cart {}\n}\n',
    'src/Cart.php':
      '<?php\nnamespace App;\nuse App\\Base\\Model as Base;\nclass Cart extends Base {\n    use Logs;\n    private ?Store $kept;\n    public function __construct(private Store $store) {\n        parent::__construct();\n    }\n    public function run(Store $other) {\n        $this->store->save()->run($other);\n        $this->kept->save();\n        self::make();\n        $this->log();\n        $this->write();\n        helper();\n        $x = new Store();\n        $x->save();\n        $unknown->save();\n    }\n}\n',
    'src/helpers.php': '<?php\nnamespace App;\nfunction helper() {}\n',
  });
  assert.deepEqual(found, [
    'src/Base/Model.php::App.Base.Model.make > src/Base/Model.php::App.Base.Model construct',
    'src/Cart.php::App.Cart > src/Base/Model.php::App.Base.Model inherit',
    'src/Cart.php::App.Cart > src/Logs.php::App.Logs inherit',
    'src/Cart.php::App.Cart.__construct > src/Base/Model.php::App.Base.Model.__construct',
    'src/Cart.php::App.Cart.run > src/Base/Model.php::App.Base.Model.log',
    'src/Cart.php::App.Cart.run > src/Base/Model.php::App.Base.Model.make',
    'src/Cart.php::App.Cart.run > src/Cart.php::App.Cart.run',
    'src/Cart.php::App.Cart.run > src/Logs.php::App.Logs.write',
    'src/Cart.php::App.Cart.run > src/Store.php::App.Store construct',
    'src/Cart.php::App.Cart.run > src/Store.php::App.Store.save',
    'src/Cart.php::App.Cart.run > src/helpers.php::App.helper',
  ]);
});

test('php: a property has its own type even if a method has its name', async () => {
  const found = await findEdges({
    'src/Cart.php':
      '<?php\nnamespace App;\nclass Store {\n    public function save() {}\n}\nclass Cart {\n    private Store $store;\n    public function store() {\n        return $this->store;\n    }\n    public function run() {\n        $this->store->save();\n    }\n}\n',
  });
  assert.deepEqual(found, ['src/Cart.php::App.Cart.run > src/Cart.php::App.Store.save']);
});
