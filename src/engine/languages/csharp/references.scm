; References. `name` is the last name of the callee, `object` is the expression before it, `chain` is the whole of a dotted one.

; call: a method, a constructor.
(invocation_expression
  function: (identifier) @call.name
  arguments: (argument_list) @call.arguments
  (#not-eq? @call.name "nameof"))
(invocation_expression
  function: (generic_name . (identifier) @call.name)
  arguments: (argument_list) @call.arguments)
(invocation_expression
  function: (member_access_expression
    expression: _ @call.object
    name: [(identifier) @call.name (generic_name . (identifier) @call.name)])
  arguments: (argument_list) @call.arguments)
; a?.f()
(invocation_expression
  function: (conditional_access_expression
    condition: (_) @call.object
    (member_binding_expression
      name: [(identifier) @call.name (generic_name . (identifier) @call.name)]))
  arguments: (argument_list) @call.arguments)
(object_creation_expression
  type: [
    (identifier) @call.name
    (generic_name . (identifier) @call.name)
    (qualified_name
      name: [(identifier) @call.name (generic_name . (identifier) @call.name)]) @call.chain
  ]
  arguments: (argument_list)? @call.arguments)
(constructor_initializer ["this" "base"] @call.name (argument_list) @call.arguments)

; decorator: attributes of types and methods.
(attribute name: (identifier) @decorator.name)
(attribute name: (generic_name . (identifier) @decorator.name))
(attribute name: (qualified_name name: (identifier) @decorator.name) @decorator.chain)

; base: a class or an interface; for `List<T>`, it is `List`.
(base_list [
  (identifier) @base.name
  (generic_name . (identifier) @base.name)
  (qualified_name
    name: [(identifier) @base.name (generic_name . (identifier) @base.name)]) @base.chain
  (primary_constructor_base_type type: (identifier) @base.name)
  (primary_constructor_base_type type: (generic_name . (identifier) @base.name))
  (primary_constructor_base_type type: (qualified_name
    name: [(identifier) @base.name (generic_name . (identifier) @base.name)]) @base.chain)
])

; import: `from`, which has the members or whose last name is imported, and `alias`.
(using_directive !name (_) @import.from)
(using_directive name: (identifier) @import.alias (_) @import.from .)
; A namespace sees the names of those around it.
(namespace_declaration name: (qualified_name qualifier: (_) @import.from))
(namespace_declaration
  name: (qualified_name qualifier: (qualified_name qualifier: (_) @import.from)))
(namespace_declaration
  name: (qualified_name
    qualifier: (qualified_name qualifier: (qualified_name qualifier: (_) @import.from))))
(file_scoped_namespace_declaration name: (qualified_name qualifier: (_) @import.from))
(file_scoped_namespace_declaration
  name: (qualified_name qualifier: (qualified_name qualifier: (_) @import.from)))
(file_scoped_namespace_declaration
  name: (qualified_name
    qualifier: (qualified_name qualifier: (qualified_name qualifier: (_) @import.from))))

; package: the package that the file declares.
(namespace_declaration name: (_) @package.name)
(file_scoped_namespace_declaration name: (_) @package.name)

; parameters: `one` is required, then `optional` and `rest`. The receiver of an extension
; method may be written before its name.
(method_declaration name: (identifier) @parameters.name parameters: (parameter_list))
(constructor_declaration name: (identifier) @parameters.name parameters: (parameter_list))
(method_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list (parameter name: (identifier) .) @parameters.one)
  (#not-match? @parameters.one "^this\\s"))
(method_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list (parameter name: (identifier) .) @parameters.optional)
  (#match? @parameters.optional "^this\\s"))
(method_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list (parameter name: (identifier) . (_)) @parameters.optional))
(method_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list type: (_) @parameters.rest))
(constructor_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list (parameter name: (identifier) .) @parameters.one))
(constructor_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list (parameter name: (identifier) . (_)) @parameters.optional))
(constructor_declaration
  name: (identifier) @parameters.name
  parameters: (parameter_list type: (_) @parameters.rest))
