(function_declaration
  name: [(identifier) (dot_index_expression) (method_index_expression)] @name) @definition.function
; local total = function() … end, and Cart.total = function() … end
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @name .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @definition.function
; { total = function() … end }
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.function

(function_call name: (identifier) @name) @reference.call
(function_call name: (dot_index_expression field: (identifier) @name)) @reference.call
(function_call name: (method_index_expression method: (identifier) @name)) @reference.call
; Cart.total = wrap(function() … end)
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @name .)
  (expression_list
    . value: (function_call arguments: (arguments (function_definition body: (_)? @body))) .)) @definition.function
; Cart.total = (function() … return function() … end end)()
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @name .)
  (expression_list
    . value: (function_call
      name: (parenthesized_expression (function_definition body: (_)? @body))) .)) @definition.function
; Cart["total"] = function() … end, and { ["total"] = function() … end }
(assignment_statement
  (variable_list . name: (bracket_index_expression field: (string content: (string_content) @name)) .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @definition.function
(field
  name: (string content: (string_content) @name)
  value: (function_definition body: (_)? @body)) @definition.function
