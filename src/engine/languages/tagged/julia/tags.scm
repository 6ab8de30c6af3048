(module_definition name: (identifier) @name "end" @body) @definition.namespace

(function_definition
  (signature
    [
      (identifier) @name
      (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ])
      (typed_expression . (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ]))
      (where_expression . (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ]))
      (where_expression
        . (typed_expression . (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ])))
    ])) @definition.function
(macro_definition (signature (call_expression . (identifier) @name))) @definition.macro
; total(c) = sum(c)
(assignment
  .
  [
    (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ])
    (typed_expression . (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ]))
    (where_expression . (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ]))
    (where_expression
      . (typed_expression . (call_expression . [
      (identifier) @name
      (field_expression) @name
      (operator) @name
      (parametrized_type_expression . (identifier) @name)
    ])))
  ]) @definition.function
(assignment . (identifier) @name . (operator) . (arrow_function_expression)) @definition.function

(struct_definition
  (type_head
    [
      (identifier) @name
      (parametrized_type_expression . (identifier) @name)
      (binary_expression . (identifier) @name)
      (binary_expression . (parametrized_type_expression . (identifier) @name))
    ])) @definition.struct
(abstract_definition
  (type_head
    [
      (identifier) @name
      (parametrized_type_expression . (identifier) @name)
      (binary_expression . (identifier) @name)
      (binary_expression . (parametrized_type_expression . (identifier) @name))
    ])) @definition.type

(call_expression . (identifier) @name) @reference.call
(call_expression . (field_expression (identifier) @name .)) @reference.call
(macrocall_expression (macro_identifier (identifier) @name)) @reference.call
(broadcast_call_expression . (identifier) @name) @reference.call
