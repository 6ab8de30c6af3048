import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

const split = (...written: string[]) =>
  outlineSections('.github/workflows/ci.yml', lines(...written));

test('splits a workflow by keys to depth two', () => {
  const sections = split(
    '# Runs all tests.',
    '',
    'name: Tests',
    'on:',
    '  push:',
    '    branches: [main]',
    '  pull_request:',
    '',
    '# Two jobs.',
    'jobs:',
    '  # On Linux.',
    '  build:',
    '    name: Build docs',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - name: Build',
    '        run: |',
    '          echo "key: value"',
    '          make',
    '  lint: { runs-on: ubuntu-latest }',
  );
  assert.deepEqual(sections, [
    '1-2 ci.yml',
    '3-3 name [Tests]',
    '4-6 on > push [branches]',
    '7-8 on > pull_request',
    '9-20 jobs > build [name, Build docs, runs-on, steps, uses, actions/checkout@v4, Build, run]',
    '21-21 jobs > lint',
  ]);
});

test('names the items of a list by their first key, and reads lists beside their key', () => {
  assert.deepEqual(
    split(
      'repos:',
      '- repo: https://github.com/psf/black',
      '  rev: 22.1.0',
      '- repo: local',
      '  hooks:',
      '    - id: typos',
      'exclude: ^docs/',
    ),
    [
      '1-3 repos > https://github.com/psf/black [rev]',
      '4-6 repos > local [hooks, id, typos]',
      '7-7 exclude',
    ],
  );
});

test('names an item by a later key, if the first is no name', () => {
  assert.deepEqual(
    split(
      'body:',
      '  - type: input',
      '    attributes:',
      '      label: Which one',
      '    id: version',
      '  - run: |',
      '      name: no key',
      '    name: "Two"',
      '    label: Second',
    ),
    ['1-5 body > version [input, attributes, label, Which one]', '6-9 body > Two [label, Second]'],
  );
});

test('splits a playbook by its named items', () => {
  assert.deepEqual(
    split(
      '---',
      '- name: Install packages',
      '  apt: name=git',
      '',
      '- hosts: all',
      '  roles:',
      '    - web',
    ),
    ['1-4 Install packages [apt]', '5-7 hosts all [all, roles]'],
  );
});

test('splits several documents, each from its marker', () => {
  assert.deepEqual(
    split(
      'kind: Service',
      'metadata:',
      '  name: web',
      '---',
      'kind: Deployment',
      '...',
      '---',
      'kind: Job',
    ),
    ['1-1 kind', '2-3 metadata > name [web]', '4-5 kind', '6-8 kind'],
  );
});

test('passes over multi-line values, and reads anchors and quoted keys', () => {
  assert.deepEqual(
    split(
      'defaults: &base',
      '  image: "python: 3"',
      'script: >-',
      '  one: two',
      '',
      '  three: four',
      '"on": &events',
      '  - push',
      'text: "begins here',
      '  goes on: here"',
      'list: [',
      '  a: b,',
      ']',
      'last:',
      '  <<: *base',
      "  'quoted key': 1",
    ),
    [
      '1-2 defaults > image [base]',
      '3-6 script',
      '7-8 on [events]',
      '9-10 text',
      '11-13 list',
      '14-15 last',
      '16-16 last > quoted key',
    ],
  );
});

test('passes over lines of templates', () => {
  assert.deepEqual(
    split(
      '{{- if .on }}',
      'spec:',
      '{{- with .all }}',
      '  replicas: 1',
      '{{- end }}',
      '  template:',
      '    {{ x }}: y',
    ),
    ['1-5 spec > replicas', '6-7 spec > template'],
  );
});

test('keeps text without keys as one section of the file', () => {
  assert.deepEqual(split('just a text', 'of two lines'), ['1-2 ci.yml']);
  assert.deepEqual(split('- one', '- two'), ['1-2 ci.yml']);
  assert.deepEqual(split('# only a comment'), ['1-1 ci.yml']);
  assert.deepEqual(outlineSections('a.yaml', ' \n\n'), []);
});
