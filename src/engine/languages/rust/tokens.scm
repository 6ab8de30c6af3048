; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(function_item name: (identifier) @function)
(function_signature_item name: (identifier) @function)
(macro_definition name: (identifier) @function)

(parameter pattern: (identifier) @parameter)
(parameter pattern: (mut_pattern (identifier) @parameter))
(parameter pattern: (reference_pattern (identifier) @parameter))
(parameter pattern: (tuple_pattern (identifier) @parameter))
(closure_parameters (identifier) @parameter)
(closure_parameters (tuple_pattern (identifier) @parameter))
(closure_parameters (reference_pattern (identifier) @parameter))

(type_identifier) @class
; Types and enum variants are told from functions by their capital, as the compiler requires.
((identifier) @class (#match? @class "^[A-Z][A-Z0-9]*[a-z]"))

(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier name: (identifier) @call))
(call_expression function: (field_expression field: (field_identifier) @call))
(generic_function function: (identifier) @call)
(generic_function function: (scoped_identifier name: (identifier) @call))
(generic_function function: (field_expression field: (field_identifier) @call))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (identifier) @call))

(field_identifier) @property

[(function_item) (function_signature_item) (closure_expression)] @scope
(identifier) @name
