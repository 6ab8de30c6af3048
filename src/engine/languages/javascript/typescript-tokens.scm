; Names that TypeScript's grammar represents differently from JavaScript's; see tokens.scm.

(function_signature name: (identifier) @function)
(method_signature name: (_) @function)
(abstract_method_signature name: (_) @function)
(public_field_definition
  name: (property_identifier) @function
  value: [(function_expression) (arrow_function)])
(public_field_definition name: (_) @property)
(property_signature name: (_) @property)

(type_identifier) @class
(enum_declaration name: (identifier) @class)
(extends_clause value: (identifier) @class)

[
  (required_parameter pattern: (identifier) @parameter)
  (optional_parameter pattern: (identifier) @parameter)
  (required_parameter pattern: (rest_pattern (identifier) @parameter))
  (required_parameter pattern: (array_pattern (identifier) @parameter))
  (required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @parameter))
  (required_parameter pattern: (object_pattern (pair_pattern value: (identifier) @parameter)))
  (required_parameter pattern: (object_pattern (object_assignment_pattern
    left: (shorthand_property_identifier_pattern) @parameter)))
]

[(function_type) (constructor_type) (function_signature) (method_signature) (abstract_method_signature) (call_signature)] @scope
