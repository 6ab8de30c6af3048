/** Chunks and names of templates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLanguage, getLanguage, listPathspecs } from '../../../src/engine/languages/index.ts';
import { loadGrammar } from '../../../src/engine/parse/grammar.ts';
import { parseFacts } from '../../../src/engine/portable/facts-schema.ts';
import { inferRole } from '../../../src/engine/source/role.ts';
import { assertSound, chunkOf, dedent, outline, references } from '../../parse/helpers.ts';
import { COMMENT, parseTemplate } from './helpers.ts';

interface Expected {
  chunks: string[];
  /** Names that are called, by chunk. */
  calls: Record<string, string>;
  errors?: number;
}

function assertRead(language: string, text: string, { chunks, calls, errors = 0 }: Expected): void {
  const source = parseTemplate(language, text);
  assertSound(source, COMMENT, true);
  assert.equal(source.errors, errors);
  assert.deepEqual(outline(source), chunks);
  for (const [scope, expected] of Object.entries(calls)) {
    const found = references(source, scope).map((name) => name.replace(/^call /, ''));
    assert.equal(found.join(' '), expected, scope);
  }
}

const DJANGO = dedent`
  {% extends "shop/base.html" %}
  {# {% block none %} #}
  {% block content %}
    <h1>{% block title %}{{ cart.get_name|upper }}{% endblock %}</h1>
    {% block rows %}
      {% for row in cart.rows %}{% show_row row %}{% endfor %}
    {% endblock rows %}
    <p title="{% url 'shop:pay' %}">Pay now {{ forloop.counter }}{{ block.super }}</p>
    {% include 'shop/_foot.html' with total=cart.total %}
  {% endblock %}
  {%- macro field(name) -%}
    {{ label(name) }}
  {%- endmacro %}
  <script>
  function pay(x) {
    send("{{ cart.id }}", {{ cart.id }});
    {% if x %}done();{% endif %}
  }
  </script>
  <button onclick="pay(this)">Pay</button>
`;

test('django and jinja: blocks in each other, macros, scripts and handlers', () => {
  assertRead('html', DJANGO, {
    chunks: [
      'function <template> 1-20',
      'function content 3-10',
      'function rows 5-7',
      'function field 11-13',
      'function pay 15-18',
    ],
    calls: {
      '<template>': '$shop$base$html pay',
      content: 'cart.get_name upper url $shop$_foot$html cart.total',
      rows: 'cart.rows show_row',
      field: 'label',
      pay: 'send done',
    },
  });
  const source = parseTemplate('html', DJANGO);
  assert.match(chunkOf(source, 'content').text, /^\{% block content %\}[\s\S]*Pay now/);
  assert.doesNotMatch(chunkOf(source, 'content').text, /show_row/);
  assert.equal(chunkOf(source, '<module>').text, '');
  const { facts, chunks } = source;
  assert.ok(facts.references.some(({ host }) => host));
  assert.deepEqual(
    parseFacts(JSON.stringify(facts), chunks.length),
    facts,
    'a shared index has them',
  );
});

test('twig: calls that include, short blocks', () => {
  const text = dedent`
    {% block id 'page' %}
    {% block body %}
      {{ include('blog/_tags.html.twig') }} {{ path('home')|trans }}
    {% endblock %}
  `;
  assertRead('twig', text, {
    chunks: ['function <template> 1-4', 'function body 2-4'],
    calls: { '<template>': '', body: '$blog$_tags$html$twig path trans' },
  });
});

test('erb: partials, helpers without parentheses, blocks of content', () => {
  const text = dedent`
    <% content_for :sidebar do %>
      <%= render partial: "shared/menu", locals: { user: @user } %>
      <% if @user&.admin? %>
        <%= link_to "All", users_path, class: :big %>
      <% end %>
    <% end %>
    <%# render "none" %>
    <% # no_call 1
      @rows.each do |row_item| %>
      <%= row_item %> <%= format_row row_item %>
    <% end %>
  `;
  assertRead('erb', text, {
    chunks: ['function <template> 1-11', 'function sidebar 1-6'],
    calls: {
      '<template>': '$rows.each row_item format_row row_item',
      sidebar: '$shared$menu $user.admin? link_to users_path',
    },
  });
  assert.deepEqual(parseTemplate('erb', text).facts.locals?.[0]?.names, ['row_item']);
});

test('ejs: the same tags with JavaScript', () => {
  assertRead('ejs', "<%- include('head') %>\n<p><%= formatTotal(cart) %></p>\n", {
    chunks: ['function <template> 1-2'],
    calls: { '<template>': '$head formatTotal' },
  });
});

test('blade: sections, includes, components, and calls of PHP', () => {
  const text = dedent`
    @extends('layouts.app')
    @section('title', 'Cart')
    @section('body')
      @include('cart.parts.row', ['row' => $row])
      {{-- @include('none') --}}
      @if($cart->isOpen())
        {{ trans('cart.open') }} {!! Str::limit($cart->name, 3) !!} me@include.com
      @endif
      <x-shop.button/>
    @stop
  `;
  assertRead('blade', text, {
    chunks: ['function <template> 1-10', 'function body 3-10'],
    calls: {
      '<template>': '$layouts$app',
      body: '$cart$parts$row $cart.isOpen trans Str.limit $shop$button',
    },
  });
});

test('razor: sections, partials, components, and methods in its code', () => {
  const text = dedent`
    @page "/cart"
    @{ Layout = "_Layout"; }
    <partial name="_Menu" />
    <CartRow Row="@row" @onclick="Open" @onchange="@(Close)" />
    @* @None() *@
    @foreach (var row in Model.GetRows()) {
      <p>@row.Name me@site.com @(Total(row))</p>
    }
    @section Scripts {
      @await Html.PartialAsync("_Scripts")
    }
    @code {
      private async Task Save(int id)
      {
        if (id > 0) { Send("}"); }
      }
    }
  `;
  assertRead('razor', text, {
    chunks: ['function <template> 1-17', 'function Scripts 9-11', 'function Save 13-16'],
    calls: {
      '<template>': '$_Layout $_Menu $CartRow Open Close Model.GetRows row.Name Total',
      Scripts: '$_Scripts',
      Save: 'Send',
    },
  });
});

test('handlebars: partials, layouts, inline partials, helpers', () => {
  const text = dedent`
    {{!< default}}
    {{#*inline "row"}}
      {{title}} {{formatDate date "L"}}
    {{/inline}}
    {{#foreach rows}}{{> row}}{{/foreach}}
    {{!-- {{> none}} --}}
    {{> "icons/fire"}} {{#if (isOpen cart)}}open{{/if}}
    <script>
    function f() { return {{{json}}}; }
    </script>
  `;
  assertRead('handlebars', text, {
    chunks: ['function <template> 1-10', 'function row 2-4', 'function f 9-9'],
    calls: { '<template>': '$default foreach $row $icons$fire isOpen', row: 'formatDate' },
  });
});

test('templates of Go: definitions and actions', () => {
  const text = dedent`
    {{ define "row" }}
      {{ if .Ok }}{{ .Name | upper }}{{ end }}
    {{ end }}
    {{ template "row" . }}{{ partial "head.html" . }}
  `;
  assertRead('html', text, {
    chunks: ['function <template> 1-4', 'function row 1-3'],
    calls: { '<template>': 'row $head$html', row: 'upper' },
  });
});

test('a page without template code is its module, with the functions of its scripts', () => {
  const page =
    '<!DOCTYPE html>\n<p id="cart">Empty cart</p>\n<script>\nfunction f() {}\n</script>\n';
  assertRead('html', page, { chunks: ['function f 4-4'], calls: {} });
  assert.match(chunkOf(parseTemplate('html', page), '<module>').text, /id="cart">Empty cart/);
  const large = `<!DOCTYPE html>\n${'<p onclick="f()">text</p>\n'.repeat(10_000)}`;
  assertRead('html', large, { chunks: [], calls: {} });
  const filled = `<p>{{ a }}</p>\n`;
  assertRead('html', filled, { chunks: ['function <template> 1-1'], calls: {} });
  assertRead('html', '\n', { chunks: [], calls: {} });
});

test('the parser reads only up to the last name or script', async () => {
  const grammar = await loadGrammar(getLanguage('html'));
  assert.equal(
    grammar.parse(`<!DOCTYPE html>\n${'<p>text</p>\n'.repeat(99)}`).rootNode.endIndex,
    0,
  );
  assert.equal(grammar.parse(`{{ ab() }}\n${'<p>text</p>\n'.repeat(99)}`).rootNode.endIndex, 6);
});

test('large templates and blocks are split where few rows are indented', () => {
  const rows = '<div>\n  <p>text</p>\n</div>\n'.repeat(40);
  assertRead('jinja', `${rows}{% block big %}\n${rows}{% endblock %}\n`, {
    chunks: [
      'function <template> 1-78',
      'function <template-2> 79-242',
      'function big 121-199',
      'function big-2 200-242',
    ],
    calls: {},
  });
});

test('paths: the longer extension goes first, and output of tools is generated', () => {
  assert.equal(findLanguage('views/Cart.BLADE.php')?.name, 'blade');
  assert.equal(findLanguage('views/cart.html.php')?.name, 'php');
  assert.equal(findLanguage('cart.html.erb')?.name, 'erb');
  assert.equal(findLanguage('.html'), null);
  assert.equal(inferRole('htmlcov/a.html'), 'generated');
  assert.equal(inferRole('docs/a.html'), 'doc');
  assert.equal(inferRole('app/templates/a.html'), 'source');
  const blade = findLanguage('a.blade.php');
  assert.deepEqual(listPathspecs(blade ? [blade] : []), [':(icase)*.blade.php']);
});
