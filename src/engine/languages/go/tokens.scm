; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(function_declaration name: (identifier) @function)
(method_declaration name: (field_identifier) @function)
(method_elem name: (field_identifier) @function)

(parameter_declaration name: (identifier) @parameter)
(variadic_parameter_declaration name: (identifier) @parameter)

(type_identifier) @class

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))

(field_identifier) @property
(keyed_element . (literal_element (identifier) @property))

[(function_declaration) (method_declaration) (method_elem) (func_literal) (function_type)] @scope
(identifier) @name
