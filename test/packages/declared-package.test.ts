/** Reads package names from each kind of manifest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDeclaredPackage } from '../../src/engine/packages/declared-package.ts';
import { findSuperlinearGrowth } from '../support/growth.ts';

/** Returns the package's name in a manifest; null for a package without a name, undefined for no package. */
function readName(path: string, text: string): string | null | undefined {
  return readDeclaredPackage(path, () => text)?.name;
}

describe('reading a package from a manifest', () => {
  const said: [path: string, text: string, name: string | null | undefined][] = [
    ['package.json', '{"version": "1.0.0", "name": "@acme/api"}', '@acme/api'],
    ['package.json', '{"scripts": {"test": "node --test"}}', null],
    ['package.json', '{"type": "module"}', undefined],
    ['package.json', '[]', undefined],
    ['pyproject.toml', '# c\n[project]\nversion = "1"\nname = "acme-api" # its name\n', 'acme-api'],
    ['pyproject.toml', "[tool.poetry]\nname = 'acme'\n", 'acme'],
    ['pyproject.toml', '[build-system]\nrequires = ["setuptools"]\n', null],
    ['pyproject.toml', '[tool.ruff]\nname = "no"\n', undefined],
    ['pyproject.toml', '[project]\ndescription = """\nname = "no"\n"""\nname = "yes"\n', 'yes'],
    ['setup.cfg', '[metadata]\nname = acme_api\nversion = 1\n', 'acme_api'],
    ['setup.cfg', '[flake8]\nmax-line-length = 100\n', undefined],
    ['setup.py', 'from setuptools import setup\nsetup(\n    name="acme",\n)\n', 'acme'],
    ['setup.py', 'from setuptools import setup\nsetup(**read())\n', null],
    ['setup.py', 'def setup(name="acme"):\n    pass\n', undefined],
    ['Cargo.toml', '[package]\nname = "acme-core"\n[[bin]]\nname = "acme"\n', 'acme-core'],
    ['Cargo.toml', '[workspace]\nmembers = ["core"]\n', undefined],
    ['go.mod', '// c\nmodule example.com/acme/api // here\n\ngo 1.24\n', 'example.com/acme/api'],
    ['go.mod', 'go 1.24\n', null],
    [
      'pom.xml',
      '<?xml version="1.0"?><!-- <artifactId>no</artifactId> --><project>\n<parent><artifactId>parent</artifactId></parent><properties/>\n<artifactId> acme-api </artifactId></project>',
      'acme-api',
    ],
    ['pom.xml', `<project><artifactId>\${name}</artifactId></project>`, null],
    ['build.gradle', 'plugins { id "java" }\n', null],
    ['build.gradle.kts', 'plugins { java }\n', null],
    ['Acme.Api.csproj', '<Project Sdk="Microsoft.NET.Sdk"></Project>', 'Acme.Api'],
    [
      'Api.csproj',
      '<Project><PropertyGroup><AssemblyName>Acme</AssemblyName></PropertyGroup></Project>',
      'Acme',
    ],
    [
      'Api.csproj',
      '<Project><PropertyGroup><AssemblyName>$(Prefix).Api</AssemblyName></PropertyGroup></Project>',
      'Api',
    ],
    ['composer.json', '{"name": "acme/api"}', 'acme/api'],
    ['composer.json', '{"require": {}}', null],
    ['acme.gemspec', 'Gem::Specification.new do |s|\n  s.name = "acme-api"\nend\n', 'acme-api'],
    ['acme.gemspec', 'Gem::Specification.new\n', 'acme'],
    ['Gemfile', "source 'https://rubygems.org'\n", null],
  ];
  for (const [path, text, name] of said)
    it(`${path}: ${JSON.stringify(text).slice(0, 60)}`, () => {
      assert.equal(readName(path, text), name);
      // In any folder, and with line ends of any system.
      assert.equal(readName(`a/b/${path}`, text.replaceAll('\n', '\r\n')), name);
    });

  it('does not read other files, or manifests of fixtures', () => {
    const never = () => assert.fail('the file is read');
    for (const path of ['package-lock.json', 'setup.pyc', 'src/cargo.rs', 'Gemfile.lock', ''])
      assert.equal(readDeclaredPackage(path, never), null);
    assert.equal(readDeclaredPackage('src/__fixtures__/a/package.json', never), null);
    assert.equal(readDeclaredPackage('fixtures/a/go.mod', never), null);
  });

  it('returns no name if the manifest is invalid or huge, or its name cannot be shown in a line', () => {
    assert.equal(readName('package.json', '{"name": "acme"'), null);
    assert.equal(readName('composer.json', ''), null);
    assert.equal(readName('package.json', `{"name": "acme", "a": "${'x'.repeat(2e6)}"}`), null);
    for (const name of ['a\u001b[31m', 'a\u202eb', '', '  ', 'x'.repeat(1000), 'a\nb'])
      assert.equal(readName('package.json', JSON.stringify({ name })), null, JSON.stringify(name));
    assert.equal(readName('package.json', JSON.stringify({ name: 1, scripts: {} })), null);
  });

  it('takes linear time for any manifest', () => {
    const texts: [string, (size: number) => string][] = [
      ['pyproject.toml', (size) => '['.repeat(size)],
      ['pyproject.toml', (size) => 'a="""\n'.repeat(size)],
      ['Cargo.toml', (size) => `[package]\nname = ${'{ a = '.repeat(size)}`],
      ['setup.py', (size) => `setuptools setup(${'name    '.repeat(size)}`],
      ['pom.xml', (size) => '<project>'.repeat(size)],
      ['pom.xml', (size) => '<!--'.repeat(size)],
      ['pom.xml', (size) => '<a><!---->'.repeat(size)],
      ['Api.csproj', (size) => '<a></a>'.repeat(size)],
      ['acme.gemspec', (size) => '.name='.repeat(size)],
      ['go.mod', (size) => ' '.repeat(size)],
      ['package.json', (size) => '['.repeat(size)],
    ];
    for (const [path, textOf] of texts) {
      const growth = findSuperlinearGrowth(textOf, (text) => readName(path, text));
      assert.equal(growth, null, `${path}: ${textOf(10)}`);
    }
  });
});
