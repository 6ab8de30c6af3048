; References. `name` is the last name of the callee; `chain` is the whole of a dotted one.

; call: a function, a constructor.
(call_expression . (identifier) @call.name (value_arguments)? @call.arguments)
(call_expression
  . (navigation_expression (identifier) @call.name .) @call.chain
  (value_arguments)? @call.arguments)
(infix_expression . (_) @call.object . (identifier) @call.name . (_) .)
; Foo::bar
(navigation_expression (_) "::" (identifier) @call.name .) @call.chain

; trailing: names of callees with a lambda after the other arguments.
(call_expression . (identifier) @trailing.name (annotated_lambda))
(call_expression . (navigation_expression (identifier) @trailing.name .) (annotated_lambda))
(call_expression . (call_expression . (identifier) @trailing.name) (annotated_lambda))
(call_expression
  . (call_expression . (navigation_expression (identifier) @trailing.name .))
  (annotated_lambda))

; block: lambdas and bodies of objects. `receiver` or `type` is the object of names without one; `subject` is `it`.
(lambda_literal) @block.node
(lambda_literal (lambda_parameters) @block.named) @block.node
(call_expression
  . (navigation_expression . (_) @block.receiver (identifier) @block.by .)
  (annotated_lambda (lambda_literal) @block.node)
  (#any-of? @block.by "apply" "run"))
(call_expression
  . (call_expression
    . (identifier) @block.by
    (value_arguments . (value_argument (_) @block.receiver .) .))
  (annotated_lambda (lambda_literal) @block.node)
  (#eq? @block.by "with"))
(call_expression
  . (navigation_expression . (_) @block.subject (identifier) @block.by .)
  (annotated_lambda (lambda_literal) @block.node)
  (#any-of? @block.by "also" "let" "takeIf" "takeUnless"))
(object_literal
  (delegation_specifiers . (delegation_specifier [
    (user_type) @block.type
    (constructor_invocation (user_type) @block.type)]))
  (class_body) @block.node)

; decorator: annotations of types, functions and properties.
(_ (modifiers (annotation [
  (user_type (identifier) @decorator.name .)
  (constructor_invocation (user_type (identifier) @decorator.name .))])))

; base: a class or an interface; for `List<T>`, it is `List`.
(delegation_specifier [
  (user_type (identifier) @base.name .) @base.chain
  (user_type (identifier) @base.name . (type_arguments) .)
  (constructor_invocation (user_type (identifier) @base.name .) @base.chain)
  (constructor_invocation (user_type (identifier) @base.name . (type_arguments) .))
  (explicit_delegation . (user_type (identifier) @base.name .) @base.chain)
  (explicit_delegation . (user_type (identifier) @base.name . (type_arguments) .))])

; import: the whole statement.
(import) @import.module

; package: the package that the file declares.
(package_header (qualified_identifier) @package.name)

; parameters: `one` is required, `optional` has a default, and `rest` takes all others.
(function_declaration name: (identifier) @parameters.name (function_value_parameters))
(function_declaration
  name: (identifier) @parameters.name
  (function_value_parameters (parameter) @parameters.one))
(function_declaration
  name: (identifier) @parameters.name
  (function_value_parameters
    (parameter) @parameters.optional @parameters.spare . "="))
(function_declaration
  name: (identifier) @parameters.name
  (function_value_parameters
    (parameter_modifiers (parameter_modifier "vararg"))
    . (parameter) @parameters.rest @parameters.spare))
(class_declaration
  name: (identifier) @parameters.name
  (primary_constructor (class_parameters)))
(class_declaration
  name: (identifier) @parameters.name
  (primary_constructor (class_parameters (class_parameter) @parameters.one)))
(class_declaration
  name: (identifier) @parameters.name
  (primary_constructor (class_parameters
    (class_parameter "=") @parameters.optional @parameters.spare)))
(class_declaration
  name: (identifier) @parameters.name
  (primary_constructor (class_parameters
    (class_parameter (modifiers (parameter_modifier "vararg")))
    @parameters.rest @parameters.spare)))

; extension: a function or a property for objects of a type, identified by its last name.
(function_declaration
  [
    (user_type (identifier) @extension.type .)
    (user_type (identifier) @extension.type . (type_arguments) .)
    (nullable_type (user_type (identifier) @extension.type .))
    (nullable_type (user_type (identifier) @extension.type . (type_arguments) .))
  ]
  . name: (identifier) @extension.name)
(property_declaration
  [
    (user_type (identifier) @extension.type .)
    (user_type (identifier) @extension.type . (type_arguments) .)
    (nullable_type (user_type (identifier) @extension.type .))
    (nullable_type (user_type (identifier) @extension.type . (type_arguments) .))
  ]
  . (variable_declaration . (identifier) @extension.name))

; property: a method that is read like a variable.
(property_declaration (variable_declaration . (identifier) @property.name) (getter))
(property_declaration (variable_declaration . (identifier) @property.name) (setter))
