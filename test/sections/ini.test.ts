import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

test('splits INI by its headers', () => {
  const text = lines(
    '# Settings of the tools.',
    '',
    '[metadata]',
    'name = shop',
    'long-description: file: README',
    '    which goes on',
    '',
    '; Of pytest.',
    '[tool:pytest] ; beside',
    'addopts =',
    '    --cov',
    'flag',
    '[testenv:{py3,docs}]',
    'setenv =',
    '  SHOP_HOME=/tmp',
    '[remote "origin"]',
    '\turl = git@example.org:shop',
    '[broken',
  );
  assert.deepEqual(outlineSections('setup.cfg', text), [
    '1-2 setup.cfg',
    '3-7 metadata [name, long-description]',
    '8-12 tool:pytest [addopts, flag]',
    '13-15 testenv:{py3,docs} [setenv, SHOP_HOME]',
    '16-18 remote > origin [url]',
  ]);
});

test('keeps a file of another syntax as one section', () => {
  const text = lines('server {', '  listen 80;', '}');
  assert.deepEqual(outlineSections('nginx.conf', text), ['1-3 nginx.conf']);
});

test('groups the keys of an .env file by prefix and blank lines', () => {
  const text = lines(
    '# Of the database.',
    'DB_HOST=localhost',
    'DB_PORT=5432',
    '',
    'DB_NAME=shop',
    'export SECRET=1',
    'DEBUG=true',
    '',
    'PORT=80',
    'MAIL_HOST=localhost',
  );
  assert.deepEqual(outlineSections('.env.example', text), [
    '1-5 DB [DB_HOST, DB_PORT, DB_NAME]',
    '6-8 SECRET [DEBUG]',
    '9-9 PORT',
    '10-10 MAIL_HOST',
  ]);
});

test('groups properties by the first two of three parts', () => {
  const text = lines(
    'spring.datasource.url=jdbc:x,\\',
    '  a.b.c=d',
    'spring.datasource.user: shop',
    'spring.jpa.show-sql true',
    '! comment',
    'server.port=80',
  );
  assert.deepEqual(outlineSections('application.properties', text), [
    '1-3 spring > datasource [spring.datasource.url, spring.datasource.user]',
    '4-4 spring > jpa [spring.jpa.show-sql]',
    '5-6 server [server.port]',
  ]);
});
