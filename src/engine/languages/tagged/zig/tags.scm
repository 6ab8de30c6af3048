(variable_declaration
  (identifier) @name
  [
    (struct_declaration)
    (enum_declaration)
    (union_declaration)
    (opaque_declaration)
    (error_set_declaration)
  ]) @definition.struct
(function_declaration name: (identifier) @name) @definition.function
; A function that returns a type is the class of its methods.
((function_declaration name: (identifier) @name type: (_) @type) @definition.class
  (#eq? @type "type"))
(function_declaration
  name: (identifier) @name
  body: (block
    (expression_statement
      (return_expression [(struct_declaration) (enum_declaration) (union_declaration)])))) @definition.class

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression member: (identifier) @name)) @reference.call
