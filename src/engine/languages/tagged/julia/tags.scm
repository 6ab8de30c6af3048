(module_definition name: (identifier) @name "end" @body) @definition.namespace

; What a function, a macro or a type is called, with its parameters.
(#define! called
  [
    (identifier) @name
    (field_expression) @name
    (operator) @name
    (parametrized_type_expression . (identifier) @name)
  ])
(#define! type
  [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))
  ])

(function_definition
  (signature
    [
      (identifier) @name
      (call_expression . $called)
      (typed_expression . (call_expression . $called))
      (where_expression . (call_expression . $called))
      (where_expression . (typed_expression . (call_expression . $called)))
    ])) @definition.function
(macro_definition (signature (call_expression . (identifier) @name))) @definition.macro
; total(c) = sum(c)
(assignment
  .
  [
    (call_expression . $called)
    (typed_expression . (call_expression . $called))
    (where_expression . (call_expression . $called))
    (where_expression . (typed_expression . (call_expression . $called)))
  ]) @definition.function
(assignment . (identifier) @name . (operator) . (arrow_function_expression)) @definition.function

(struct_definition (type_head $type)) @definition.struct
(abstract_definition (type_head $type)) @definition.type

(call_expression . (identifier) @name) @reference.call
(call_expression . (field_expression (identifier) @name .)) @reference.call
(macrocall_expression (macro_identifier (identifier) @name)) @reference.call
(broadcast_call_expression . (identifier) @name) @reference.call
