/** Edges between templates, and from templates to the language around them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../src/engine/event-loop/stepwise.ts';
import {
  createGraph,
  findEdges,
  listEdges,
  parseGraphFile,
  parseGraphFiles,
} from '../../graph/support.ts';

async function edgesOf(sources: Record<string, string>): Promise<string[]> {
  return (await findEdges(sources)).sort();
}

test('includes and extended templates, the nearest of a name, but never the template itself', async () => {
  assert.deepEqual(
    await edgesOf({
      'app/templates/base.html': '<p>{{ a }}</p>\n',
      'app/templates/shop/cart.html':
        '{% extends "base.html" %}\n{% include "shop/_row.html" %}{% include "./foot.html" %}\n',
      'app/templates/shop/_row.html': '<tr>\n',
      'app/templates/shop/foot.html': '<p>\n',
      'other/templates/shop/foot.html': '{% extends "shop/foot.html" %}\n',
      'tests/templates/base.html': '<p>{{ a }}</p>\n',
    }),
    [
      'app/templates/shop/cart.html::<template> > app/templates/base.html::<template>',
      'app/templates/shop/cart.html::<template> > app/templates/shop/_row.html::<template>',
      'app/templates/shop/cart.html::<template> > app/templates/shop/foot.html::<template>',
      'other/templates/shop/foot.html::<template> > app/templates/shop/foot.html::<template>',
    ],
  );
});

test('partials of each dialect by their conventions', async () => {
  const edges = await edgesOf({
    'app/views/carts/show.html.erb': '<%= render "row" %><%= render "shared/menu" %>\n',
    'app/views/carts/_row.html.erb': '<p>\n',
    'app/views/shared/_menu.html.erb': '<p>\n',
    'resources/views/cart.blade.php': "@extends('layouts.app')\n<x-big-button/>\n",
    'resources/views/layouts/app.blade.php': '<p>\n',
    'resources/views/components/big-button.blade.php': '<p>\n',
    'Views/Cart.cshtml': '<partial name="_Part" />\n<CartRow />\n',
    'Views/Shared/_Part.cshtml': '<p>\n',
    'Components/CartRow.razor': '<p>\n',
    'theme/post.hbs': '{{> "icons/fire"}}\n',
    'theme/partials/icons/fire.hbs': '<p>\n',
  });
  assert.deepEqual(edges, [
    'Views/Cart.cshtml::<template> > Components/CartRow.razor::<template>',
    'Views/Cart.cshtml::<template> > Views/Shared/_Part.cshtml::<template>',
    'app/views/carts/show.html.erb::<template> > app/views/carts/_row.html.erb::<template>',
    'app/views/carts/show.html.erb::<template> > app/views/shared/_menu.html.erb::<template>',
    'resources/views/cart.blade.php::<template> > resources/views/components/big-button.blade.php::<template>',
    'resources/views/cart.blade.php::<template> > resources/views/layouts/app.blade.php::<template>',
    'theme/post.hbs::<template> > theme/partials/icons/fire.hbs::<template>',
  ]);
});

test('macros, handlers and scripts in the same file, and macros of others', async () => {
  assert.deepEqual(
    await edgesOf({
      'forms.html': '{% macro field(x) %}\n{{ x }}\n{% endmacro %}\n',
      'cart.html':
        '{% from "forms.html" import field %}\n{% block total %}\n{{ field(1) }}{{ total(2) }}\n{% endblock %}\n<p onclick="pay()">\n<script>\nfunction pay() { send(); }\nfunction send() {}\n</script>\n',
      'shop.py': 'def send():\n    pass\ndef pay():\n    pass\n',
    }),
    [
      'cart.html::<template> > cart.html::pay',
      'cart.html::<template> > forms.html::<template>',
      'cart.html::pay > cart.html::send',
      'cart.html::total > forms.html::field guess',
    ],
  );
});

test('names in templates are guessed to be the only functions of the language around them', async () => {
  assert.deepEqual(
    await edgesOf({
      'a.html': '{% show_row x %}{{ x|money }}{{ x|twice }}{{ cart.get_label }}{{ x|method }}\n',
      'tags.py':
        'def show_row(x): pass\ndef money(x): pass\ndef twice(x): pass\nclass A:\n    def get_label(self): pass\n    def method(self): pass\n',
      'more.py': 'def twice(x): pass\n',
      'a.html.erb': '<%= styled_row @cart %><% if @cart.empty_now? %><% end %><%= show_row 1 %>\n',
      'row_helper.rb':
        'module RowHelper\n  def styled_row(x)\n  end\nend\nclass Cart\n  def empty_now?\n  end\nend\n',
      'a.blade.php': '{{ money($x) }}{{ $cart->getLabel() }}{{ getLabel() }}\n',
      'helpers.php': '<?php\nfunction money($x) {}\nclass C { function getLabel() {} }\n',
    }),
    [
      'a.blade.php::<template> > helpers.php::C.getLabel guess',
      'a.blade.php::<template> > helpers.php::money guess',
      'a.html.erb::<template> > row_helper.rb::Cart.empty_now? guess',
      'a.html.erb::<template> > row_helper.rb::RowHelper.styled_row guess',
      'a.html::<template> > tags.py::A.get_label guess',
      'a.html::<template> > tags.py::money guess',
      'a.html::<template> > tags.py::show_row guess',
    ],
  );
});

test('after an edit of a template or of the code around it, edges are those of a new graph', async () => {
  const files = await parseGraphFiles({ 'a.html': '{% show_row x %}{% include "b.html" %}\n' });
  const graph = createGraph(files);
  const affectedBy = async (path: string, text: string | null): Promise<string[]> => {
    const file = text === null ? null : await parseGraphFile(path, text);
    if (file) files.set(path, file);
    else files.delete(path);
    graph.put(path, file);
    assert.ok(runToEnd(graph.takeAffected()).has('a.html'), path);
    return listEdges(graph, files, 'a.html');
  };
  runToEnd(graph.takeAffected());
  assert.deepEqual(listEdges(graph, files, 'a.html'), []);
  const own = 'a.html::<template>';
  const tags = 'def show_row(x): pass\n';
  assert.deepEqual(await affectedBy('tags.py', tags), [`${own} > tags.py::show_row guess`]);
  assert.deepEqual(await affectedBy('more.py', tags), []);
  assert.deepEqual(await affectedBy('b.html', '<p>\n'), [`${own} > b.html::<template>`]);
  assert.deepEqual(await affectedBy('more.py', null), [
    `${own} > b.html::<template>`,
    `${own} > tags.py::show_row guess`,
  ]);
});
