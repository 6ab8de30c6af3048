; References that C++ has in addition to C.

(call_expression function: (qualified_identifier) @call.name @call.chain)
(call_expression function: (template_function name: (_) @call.name))

; Construction: new Foo(1), Foo f(1), Foo f{1}.
(new_expression type: (_) @call.name)
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @call.name
  declarator: (init_declarator value: [(argument_list) (initializer_list)]))
(field_initializer_list (field_initializer (template_method) @call.name))

; base: base classes.
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base.name)

; binding: types with namespaces and arguments, references.
(declaration
  type: [(qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding.target
    (pointer_declarator declarator: (identifier) @binding.target)
    (reference_declarator (identifier) @binding.target)
    (init_declarator declarator: (identifier) @binding.target)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @binding.target))
    (init_declarator declarator: (reference_declarator (identifier) @binding.target))
  ])
(declaration
  type: (type_identifier) @binding.type
  declarator: [
    (reference_declarator (identifier) @binding.target)
    (init_declarator declarator: (reference_declarator (identifier) @binding.target))
  ])
(parameter_declaration
  type: [(qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding.target
    (pointer_declarator declarator: (identifier) @binding.target)
    (reference_declarator (identifier) @binding.target)
  ])
(parameter_declaration
  type: (type_identifier) @binding.type
  declarator: (reference_declarator (identifier) @binding.target))
(optional_parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding.target
    (pointer_declarator declarator: (identifier) @binding.target)
    (reference_declarator (identifier) @binding.target)
  ])
(field_declaration
  type: [(qualified_identifier) (template_type)] @binding.type
  declarator: [
    (field_identifier) @binding.target
    (pointer_declarator declarator: (field_identifier) @binding.target)
    (reference_declarator (field_identifier) @binding.target)
  ])
(field_declaration
  type: (type_identifier) @binding.type
  declarator: (reference_declarator (field_identifier) @binding.target))

; auto x = new Foo, auto x = f(), auto& x = y
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [(identifier) @binding.target (pointer_declarator declarator: (identifier) @binding.target)]
    value: (new_expression type: (_) @binding.call)))
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [(identifier) @binding.target (reference_declarator (identifier) @binding.target)]
    value: (call_expression function: [(identifier) (qualified_identifier) (field_expression)] @binding.call)))
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [(identifier) @binding.target (reference_declarator (identifier) @binding.target)]
    value: [(identifier) (field_expression)] @binding.alias))

; return: the result type of a function, without pointers and references.
(function_definition
  type: [(type_identifier) (qualified_identifier) (template_type)] @return.type
  declarator: [
    (function_declarator declarator: [(qualified_identifier) (operator_name)] @return.name)
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @return.name))
    (reference_declarator (function_declarator
      declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @return.name))
  ])
(function_definition
  type: [(qualified_identifier) (template_type)] @return.type
  declarator: [
    (function_declarator declarator: [(identifier) (field_identifier)] @return.name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @return.name))
  ])

; local: references, defaults, bindings of loops.
(parameter_declaration declarator: (reference_declarator (identifier) @local.name))
(optional_parameter_declaration declarator: (identifier) @local.name)
(optional_parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local.name))
(optional_parameter_declaration declarator: (reference_declarator (identifier) @local.name))
(init_declarator declarator: (reference_declarator (identifier) @local.name))
(for_range_loop declarator: (identifier) @local.name)
(for_range_loop declarator: (reference_declarator (identifier) @local.name))
(structured_binding_declarator (identifier) @local.name)
