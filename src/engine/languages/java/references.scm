; References. `name` is the last name of the callee, `object` is the expression before it, `chain` is the whole of a dotted one.

; call: a method, a constructor.
(method_invocation
  !object
  name: (identifier) @call.name
  arguments: (argument_list) @call.arguments)
(method_invocation
  object: (_) @call.object
  name: (identifier) @call.name
  arguments: (argument_list) @call.arguments)
(object_creation_expression
  type: (type_identifier) @call.name
  arguments: (argument_list) @call.arguments)
(object_creation_expression
  type: (generic_type . (type_identifier) @call.name)
  arguments: (argument_list) @call.arguments)
(object_creation_expression
  type: (scoped_type_identifier (type_identifier) @call.name .) @call.chain
  arguments: (argument_list) @call.arguments)
(object_creation_expression
  type: (generic_type . (scoped_type_identifier (type_identifier) @call.name .) @call.chain)
  arguments: (argument_list) @call.arguments)
(explicit_constructor_invocation
  constructor: [(this) (super)] @call.name
  arguments: (argument_list) @call.arguments)
; Foo::bar, this::bar, Foo::new
(method_reference . (_) @call.object (identifier) @call.name .)
(method_reference . (identifier) @call.name "::" "new")

; block: bodies of anonymous classes, whose methods use members of their base.
(object_creation_expression type: (_) @block.type (class_body) @block.node)

; decorator: annotations of types and methods.
(class_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (marker_annotation name: (scoped_identifier name: (identifier) @decorator.name) @decorator.chain)
  (annotation name: (identifier) @decorator.name)
  (annotation name: (scoped_identifier name: (identifier) @decorator.name) @decorator.chain)]))
(interface_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (marker_annotation name: (scoped_identifier name: (identifier) @decorator.name) @decorator.chain)
  (annotation name: (identifier) @decorator.name)
  (annotation name: (scoped_identifier name: (identifier) @decorator.name) @decorator.chain)]))
(enum_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (annotation name: (identifier) @decorator.name)]))
(record_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (annotation name: (identifier) @decorator.name)]))
(annotation_type_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (annotation name: (identifier) @decorator.name)]))
(constructor_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (annotation name: (identifier) @decorator.name)]))
(method_declaration (modifiers [
  (marker_annotation name: (identifier) @decorator.name)
  (marker_annotation name: (scoped_identifier name: (identifier) @decorator.name) @decorator.chain)
  (annotation name: (identifier) @decorator.name)
  (annotation name: (scoped_identifier name: (identifier) @decorator.name) @decorator.chain)]))

; base: a class or an interface; for `List<T>`, it is `List`.
(superclass [
  (type_identifier) @base.name
  (generic_type . (type_identifier) @base.name)
  (scoped_type_identifier (type_identifier) @base.name .) @base.chain
  (generic_type . (scoped_type_identifier (type_identifier) @base.name .) @base.chain)])
(super_interfaces (type_list [
  (type_identifier) @base.name
  (generic_type . (type_identifier) @base.name)
  (scoped_type_identifier (type_identifier) @base.name .) @base.chain
  (generic_type . (scoped_type_identifier (type_identifier) @base.name .) @base.chain)]))
(extends_interfaces (type_list [
  (type_identifier) @base.name
  (generic_type . (type_identifier) @base.name)
  (scoped_type_identifier (type_identifier) @base.name .) @base.chain
  (generic_type . (scoped_type_identifier (type_identifier) @base.name .) @base.chain)]))
; Base of a field's anonymous class.
(field_declaration declarator: (variable_declarator value: (object_creation_expression
  type: [
    (type_identifier) @base.name
    (generic_type . (type_identifier) @base.name)
    (scoped_type_identifier (type_identifier) @base.name .) @base.chain
    (generic_type . (scoped_type_identifier (type_identifier) @base.name .) @base.chain)]
  (class_body))))

; import: `from` and `member`, which is `*` for all of them.
(import_declaration (scoped_identifier
  scope: (_) @import.from
  name: (identifier) @import.member) . ";")
(import_declaration [(identifier) (scoped_identifier)] @import.from (asterisk) @import.member)

; package: the package that the file declares.
(package_declaration [(identifier) (scoped_identifier)] @package.name)

; parameters: `one` is required, and `rest` takes all others; the `type`, and its array `dimensions`.
(method_declaration name: (identifier) @parameters.name parameters: (formal_parameters))
(constructor_declaration name: (identifier) @parameters.name parameters: (formal_parameters))
(method_declaration
  name: (identifier) @parameters.name
  parameters: (formal_parameters [
    (formal_parameter
      type: (_) @parameters.type
      dimensions: (_)? @parameters.dimensions) @parameters.one
    (spread_parameter (_) @parameters.type . (variable_declarator)) @parameters.rest]))
(constructor_declaration
  name: (identifier) @parameters.name
  parameters: (formal_parameters [
    (formal_parameter
      type: (_) @parameters.type
      dimensions: (_)? @parameters.dimensions) @parameters.one
    (spread_parameter (_) @parameters.type . (variable_declarator)) @parameters.rest]))

; variable: type parameters, each once, and once more for each `bound`.
(type_parameter (type_identifier) @variable.name)
(type_parameter (type_identifier) @variable.name (type_bound (_) @variable.bound))
