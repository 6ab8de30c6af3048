; References of C and C++. Captures: see ../python/references.scm.

(call_expression function: (identifier) @call.name)
(call_expression function: (field_expression field: (_) @call.name) @call.chain)

; import: `system` for headers that are looked up among libraries first.
(preproc_include path: (string_literal (string_content) @import.from))
(preproc_include path: (system_lib_string) @import.from)

; binding: variables, parameters and fields of a named type.
(declaration
  type: [(type_identifier) (struct_specifier name: (_) !body)] @binding.type
  declarator: [
    (identifier) @binding.target
    (pointer_declarator declarator: (identifier) @binding.target)
    (init_declarator declarator: (identifier) @binding.target)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @binding.target))
  ])
(parameter_declaration
  type: [(type_identifier) (struct_specifier name: (_) !body)] @binding.type
  declarator: [
    (identifier) @binding.target
    (pointer_declarator declarator: (identifier) @binding.target)
  ])
(field_declaration
  type: [(type_identifier) (struct_specifier name: (_) !body)] @binding.type
  declarator: [
    (field_identifier) @binding.target
    (pointer_declarator declarator: (field_identifier) @binding.target)
  ])

; return: the result type of a function.
(function_definition
  type: [(type_identifier) (struct_specifier name: (_) !body)] @return.type
  declarator: [
    (function_declarator declarator: [(identifier) (field_identifier)] @return.name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @return.name))
  ])

; local: parameters and variables.
(parameter_declaration declarator: (identifier) @local.name)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local.name))
(parameter_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local.name))))
(declaration declarator: (identifier) @local.name)
(declaration declarator: (pointer_declarator declarator: (identifier) @local.name))
(declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local.name))))
(init_declarator declarator: (identifier) @local.name)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local.name))
