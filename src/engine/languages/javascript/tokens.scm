; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(function_declaration name: (identifier) @function)
(function_expression name: (identifier) @function)
(generator_function_declaration name: (identifier) @function)
(method_definition name: (_) @function)
(variable_declarator name: (identifier) @function value: [(function_expression) (arrow_function)])
(pair key: (property_identifier) @function value: [(function_expression) (arrow_function)])
(assignment_expression
  left: (member_expression property: (property_identifier) @function)
  right: [(function_expression) (arrow_function)])

(arrow_function parameter: (identifier) @parameter)

(new_expression constructor: (identifier) @class)
(new_expression constructor: (member_expression property: (property_identifier) @class))
; Classes are told from functions by their capital, as everywhere in JavaScript.
((identifier) @class (#match? @class "^[A-Z][A-Z0-9]*[a-z]"))

(call_expression function: (identifier) @call)
(call_expression
  function: (member_expression
    property: [(property_identifier) (private_property_identifier)] @call))
(decorator (identifier) @call)

(member_expression property: (_) @property)
(pair key: (property_identifier) @property)

[
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (generator_function)
  (arrow_function)
  (method_definition)
] @scope
[(identifier) (shorthand_property_identifier)] @name
