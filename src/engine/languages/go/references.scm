; References. `name` is the last name of the callee; `chain` is the whole of a dotted one.

; call: a call, or a conversion to a type, which looks the same.
(call_expression function: (identifier) @call.name)
(call_expression function: (selector_expression field: (field_identifier) @call.name) @call.chain)
(call_expression
  function: (parenthesized_expression
    (selector_expression field: (field_identifier) @call.name) @call.chain))
; With type arguments.
(call_expression function: (index_expression operand: (identifier) @call.name))
(call_expression
  function: (index_expression
    operand: (selector_expression field: (field_identifier) @call.name) @call.chain))
(type_conversion_expression type: (generic_type type: (type_identifier) @call.name))
(type_conversion_expression
  type: (generic_type type: (qualified_type name: (type_identifier) @call.name) @call.chain))
; T{}, new(T): a value of a type.
(composite_literal type: (type_identifier) @call.name)
(composite_literal type: (qualified_type name: (type_identifier) @call.name) @call.chain)
(composite_literal type: (generic_type type: (type_identifier) @call.name))
(composite_literal
  type: (generic_type type: (qualified_type name: (type_identifier) @call.name) @call.chain))
((call_expression
  function: (identifier) @call.function
  arguments: (argument_list . (type_identifier) @call.name .))
  (#eq? @call.function "new"))
((call_expression
  function: (identifier) @call.function
  arguments: (argument_list . (qualified_type name: (type_identifier) @call.name) @call.chain .))
  (#eq? @call.function "new"))

; base: types embedded in a struct or an interface, and the underlying type of another.
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        !name
        type: [
          (type_identifier) @base.name
          (generic_type type: (type_identifier) @base.name)
          (qualified_type name: (type_identifier) @base.name) @base.chain
          (generic_type type: (qualified_type name: (type_identifier) @base.name) @base.chain)
        ]))))
(type_spec
  type: (interface_type
    (type_elem
      . [
        (type_identifier) @base.name
        (generic_type type: (type_identifier) @base.name)
        (qualified_type name: (type_identifier) @base.name) @base.chain
        (generic_type type: (qualified_type name: (type_identifier) @base.name) @base.chain)
      ] .)))
(type_spec
  type: [
    (type_identifier) @base.name
    (generic_type type: (type_identifier) @base.name)
    (qualified_type name: (type_identifier) @base.name) @base.chain
  ])
(type_alias
  type: [
    (type_identifier) @base.name
    (generic_type type: (type_identifier) @base.name)
    (qualified_type name: (type_identifier) @base.name) @base.chain
  ])

; import: `module` with its quotes, and the name it is given.
(import_spec name: (_)? @import.alias path: (_) @import.module)

; package: the package that the file declares.
(package_clause (package_identifier) @package.name)
