; References and imports that JavaScript and TypeScript share.

(call_expression function: (identifier) @call.name)
(call_expression
  function: (member_expression
    property: [(property_identifier) (private_property_identifier)] @call.name) @call.chain)
(new_expression constructor: (identifier) @call.name)
(new_expression
  constructor: (member_expression property: (property_identifier) @call.name) @call.chain)

(decorator (identifier) @decorator.name)
(decorator (member_expression property: (property_identifier) @decorator.name) @decorator.chain)
(decorator (call_expression function: (identifier) @decorator.name))
(decorator
  (call_expression
    function: (member_expression property: (property_identifier) @decorator.name) @decorator.chain))

; import d, { a, b as c } from "m"; import * as n from "m"
(import_statement
  (import_clause (identifier) @import.default)
  source: (string (string_fragment) @import.from))
(import_statement
  (import_clause (identifier) @import.exports)
  source: (string (string_fragment) @import.from))
(import_statement
  (import_clause (namespace_import (identifier) @import.namespace))
  source: (string (string_fragment) @import.from))
(import_statement
  (import_clause
    (named_imports (import_specifier name: (_) @import.member alias: (identifier)? @import.alias)))
  source: (string (string_fragment) @import.from))

; export { a as b } from "m"; export * from "m"; export * as n from "m"
(export_statement
  (export_clause (export_specifier name: (_) @import.member alias: (_)? @import.alias))
  source: (string (string_fragment) @import.from))
(export_statement "*" @import.member source: (string (string_fragment) @import.from))
(export_statement
  (namespace_export (_) @import.namespace)
  source: (string (string_fragment) @import.from))

; const m = require("m"), const { a, b: c } = require("m"), const a = require("m").a
(variable_declarator
  name: (identifier) @import.namespace
  value: (call_expression
    function: (identifier) @import.require
    arguments: (arguments . (string (string_fragment) @import.from)))
  (#eq? @import.require "require"))
(variable_declarator
  name: (identifier) @import.exports
  value: (call_expression
    function: (identifier) @import.require
    arguments: (arguments . (string (string_fragment) @import.from)))
  (#eq? @import.require "require"))
(variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression
      function: (identifier) @import.require
      arguments: (arguments . (string (string_fragment) @import.from)))
    property: (property_identifier) @import.member)
  (#eq? @import.require "require"))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @import.member)
    (pair_pattern key: (property_identifier) @import.member value: (identifier) @import.alias)
  ])
  value: (call_expression
    function: (identifier) @import.require
    arguments: (arguments . (string (string_fragment) @import.from)))
  (#eq? @import.require "require"))

; const m = await import("m"), const { a } = await import("m")
(variable_declarator
  name: (identifier) @import.namespace
  value: (await_expression
    (call_expression
      function: (import)
      arguments: (arguments . (string (string_fragment) @import.from)))))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.member
    (pair_pattern key: (property_identifier) @import.member value: (identifier) @import.alias)
  ])
  value: (await_expression
    (call_expression
      function: (import)
      arguments: (arguments . (string (string_fragment) @import.from)))))

; Re-exports of CommonJS: module.exports = require("m"), exports.a = require("m"), exports.a = require("m").b
(assignment_expression
  left: (member_expression object: (identifier) @import.module property: (property_identifier) @import.exports)
  right: (call_expression
    function: (identifier) @import.require
    arguments: (arguments . (string (string_fragment) @import.from)))
  (#any-of? @import.module "module" "exports")
  (#eq? @import.require "require"))
(assignment_expression
  left: (member_expression object: (identifier) @import.module property: (property_identifier) @import.namespace)
  right: (call_expression
    function: (identifier) @import.require
    arguments: (arguments . (string (string_fragment) @import.from)))
  (#any-of? @import.module "module" "exports")
  (#eq? @import.require "require"))
(assignment_expression
  left: (member_expression object: (identifier) @import.module property: (property_identifier) @import.alias)
  right: (member_expression
    object: (call_expression
      function: (identifier) @import.require
      arguments: (arguments . (string (string_fragment) @import.from)))
    property: (property_identifier) @import.member)
  (#eq? @import.module "exports")
  (#eq? @import.require "require"))
