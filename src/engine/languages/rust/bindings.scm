; Bindings: evidence for the type of a name. The value is captured as
; `alias` (target = alias, calls included) or `type` (target: type).

(let_declaration pattern: (identifier) @binding.target type: (_) @binding.type)
(let_declaration
  pattern: (identifier) @binding.target
  !type
  value: [
    (identifier)
    (scoped_identifier)
    (field_expression)
    (call_expression)
    (try_expression)
    (await_expression)
    (index_expression)
    (parenthesized_expression)
    (struct_expression)
    (unary_expression)
  ] @binding.alias)
(let_declaration
  pattern: (identifier) @binding.target
  !type
  value: (reference_expression value: (_) @binding.alias))
; if let Some(x) = y, match y { Ok(x) => … }: the content counts as the value itself.
((let_declaration
  pattern: (tuple_struct_pattern
    type: (identifier) @binding.wrapper . (identifier) @binding.target .)
  value: [(identifier) (field_expression) (call_expression) (try_expression) (await_expression)] @binding.alias)
  (#any-of? @binding.wrapper "Some" "Ok"))
((let_condition
  pattern: (tuple_struct_pattern
    type: (identifier) @binding.wrapper . (identifier) @binding.target .)
  value: [(identifier) (field_expression) (call_expression) (try_expression) (await_expression)] @binding.alias)
  (#any-of? @binding.wrapper "Some" "Ok"))
((let_condition
  pattern: (tuple_struct_pattern
    type: (identifier) @binding.wrapper
    . [(ref_pattern (identifier) @binding.target) (identifier) @binding.target] .)
  value: (reference_expression value: [(identifier) (field_expression) (call_expression)] @binding.alias))
  (#any-of? @binding.wrapper "Some" "Ok"))
((match_expression
  value: [(identifier) (field_expression) (call_expression) (try_expression) (await_expression)] @binding.alias
  body: (match_block
    (match_arm
      pattern: (match_pattern
        (tuple_struct_pattern
          type: (identifier) @binding.wrapper . (identifier) @binding.target .)))))
  (#any-of? @binding.wrapper "Some" "Ok"))

; fn f(x: T)
(parameter pattern: (identifier) @binding.target type: (_) @binding.type)
; struct S { x: T }
(field_declaration name: (field_identifier) @binding.target type: (_) @binding.type)
(const_item name: (identifier) @binding.target type: (_) @binding.type)
(static_item name: (identifier) @binding.target type: (_) @binding.type)
; type A = T;
(type_item
  name: (type_identifier) @binding.target
  type: [
    (type_identifier)
    (scoped_type_identifier)
    (generic_type)
  ] @binding.alias)
; A variant constructs its enum.
(enum_item
  name: (type_identifier) @binding.alias
  body: (enum_variant_list (enum_variant name: (identifier) @binding.target)))
; fn f<T: Trait>(), where T: Trait
(type_parameter
  name: (type_identifier) @binding.target
  bounds: (trait_bounds
    . [(type_identifier) (scoped_type_identifier) (generic_type)] @binding.alias))
(where_predicate
  left: (type_identifier) @binding.target
  bounds: (trait_bounds
    . [(type_identifier) (scoped_type_identifier) (generic_type)] @binding.alias))

; return: the type of the function of this name.
(function_item name: (identifier) @return.name return_type: (_) @return.type)
(function_signature_item name: (identifier) @return.name return_type: (_) @return.type)

; local: names bound inside a function, including its parameters.
(parameter pattern: (identifier) @local.name)
(closure_parameters (identifier) @local.name)
(let_declaration pattern: (identifier) @local.name)
(tuple_pattern (identifier) @local.name)
(tuple_struct_pattern type: (_) (identifier) @local.name)
(slice_pattern (identifier) @local.name)
(reference_pattern (identifier) @local.name)
(ref_pattern (identifier) @local.name)
(mut_pattern (identifier) @local.name)
(captured_pattern . (identifier) @local.name)
(field_pattern name: (shorthand_field_identifier) @local.name)
(field_pattern pattern: (identifier) @local.name)
(for_expression pattern: (identifier) @local.name)
