; Bindings: evidence for the type of a name. The value is captured as
; `call` (target = call(...)), `alias` (target = alias) or `type` (target: type).
; If there are several results, only the type of the first is known.

; x := f(), x, err := f()
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list . (call_expression function: (_) @binding.call)))
(assignment_statement
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list . (call_expression function: (_) @binding.call)))
(var_spec
  . name: (identifier) @binding.target
  value: (expression_list . (call_expression function: (_) @binding.call)))
; x := f[T]()
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list . (type_conversion_expression type: (generic_type type: (_) @binding.call))))

; x := y, x := &y, x := <-y, x := y[0]
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list . [(identifier) (selector_expression)] @binding.alias))
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list
    . (unary_expression operand: [(identifier) (selector_expression)] @binding.alias)))
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list
    . (index_expression operand: [(identifier) (selector_expression)] @binding.alias)))
(var_spec
  . name: (identifier) @binding.target
  value: (expression_list . [(identifier) (selector_expression)] @binding.alias))

; x := T{}, x := &T{}
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list . (composite_literal type: (_) @binding.type)))
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list
    . (unary_expression operand: (composite_literal type: (_) @binding.type))))
(var_spec
  . name: (identifier) @binding.target
  value: (expression_list . (composite_literal type: (_) @binding.type)))
(var_spec
  . name: (identifier) @binding.target
  value: (expression_list
    . (unary_expression operand: (composite_literal type: (_) @binding.type))))
; x := new(T), x := make([]T, 1)
((short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list
    . (call_expression
      function: (identifier) @binding.function
      arguments: (argument_list . (_) @binding.type))))
  (#any-of? @binding.function "new" "make"))
; x, ok := y.(T)
(short_var_declaration
  left: (expression_list . (identifier) @binding.target)
  right: (expression_list . (type_assertion_expression type: (_) @binding.type)))

; for _, x := range xs; for x := range channel
(range_clause
  left: (expression_list (identifier) . (identifier) @binding.target .)
  right: [(identifier) (selector_expression)] @binding.alias)
(range_clause
  left: (expression_list . (identifier) @binding.target .)
  right: [(identifier) (selector_expression)] @binding.alias)
(range_clause
  left: (expression_list (identifier) . (identifier) @binding.target .)
  right: (call_expression function: (_) @binding.call))

; var x T; func f(x T, xs ...T), including the receiver
(var_spec name: (identifier) @binding.target type: (_) @binding.type)
(parameter_declaration name: (identifier) @binding.target type: (_) @binding.type)
(variadic_parameter_declaration name: (identifier) @binding.target type: (_) @binding.type)

; Fields. An embedded one has the name of its type.
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration name: (field_identifier) @binding.target type: (_) @binding.type))))
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration !name type: (type_identifier) @binding.target @binding.type))))
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        !name
        type: (qualified_type name: (type_identifier) @binding.target) @binding.type))))
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        !name
        type: (generic_type type: (type_identifier) @binding.target) @binding.type))))

; return: the type of the first result of the function of this name.
(function_declaration
  name: (identifier) @return.name
  result: (parameter_list . (parameter_declaration type: (_) @return.type)))
(method_declaration
  name: (field_identifier) @return.name
  result: (parameter_list . (parameter_declaration type: (_) @return.type)))
(method_elem
  name: (field_identifier) @return.name
  result: (parameter_list . (parameter_declaration type: (_) @return.type)))
(function_declaration name: (identifier) @return.name result: (_simple_type) @return.type)
(method_declaration name: (field_identifier) @return.name result: (_simple_type) @return.type)
(method_elem name: (field_identifier) @return.name result: (_simple_type) @return.type)

; local: names bound inside a function, including its parameters.
(short_var_declaration left: (expression_list (identifier) @local.name))
(var_spec name: (identifier) @local.name)
(const_spec name: (identifier) @local.name)
(parameter_declaration name: (identifier) @local.name)
(variadic_parameter_declaration name: (identifier) @local.name)
(range_clause left: (expression_list (identifier) @local.name))
(receive_statement left: (expression_list (identifier) @local.name))
(type_switch_statement alias: (expression_list (identifier) @local.name))
(type_parameter_declaration name: (identifier) @local.name)
