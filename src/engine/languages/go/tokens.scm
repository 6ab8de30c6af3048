; Names by what they are: `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. Of the patterns that
; capture a name, the first decides. A `name` stands for a parameter of the innermost `scope` around it that has one of its name.

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
