; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(function_declarator declarator: [(identifier) (field_identifier)] @function)
(function_declarator declarator: (parenthesized_declarator (identifier) @function))
(preproc_function_def name: (identifier) @function)

(parameter_declaration declarator: (identifier) @parameter)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @parameter))
(parameter_declaration declarator: (pointer_declarator
  declarator: (pointer_declarator declarator: (identifier) @parameter)))
(parameter_declaration declarator: (array_declarator declarator: (identifier) @parameter))
(parameter_declaration declarator: (pointer_declarator
  declarator: (array_declarator declarator: (identifier) @parameter)))
(parameter_declaration declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @parameter))))
(preproc_params (identifier) @parameter)

(type_identifier) @class

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))

(field_identifier) @property

[(function_definition) (preproc_function_def)] @scope
(identifier) @name
