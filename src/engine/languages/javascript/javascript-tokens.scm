; Names that JavaScript's grammar represents differently from TypeScript's; see tokens.scm.

(class_declaration name: (identifier) @class)
(class_heritage (identifier) @class)
(field_definition
  property: (property_identifier) @function
  value: [(function_expression) (arrow_function)])
(field_definition property: (_) @property)

(formal_parameters (identifier) @parameter)
(formal_parameters (assignment_pattern left: (identifier) @parameter))
(formal_parameters (rest_pattern (identifier) @parameter))
(formal_parameters (array_pattern (identifier) @parameter))
(formal_parameters (object_pattern (shorthand_property_identifier_pattern) @parameter))
(formal_parameters (object_pattern (pair_pattern value: (identifier) @parameter)))
(formal_parameters (object_pattern (object_assignment_pattern
  left: (shorthand_property_identifier_pattern) @parameter)))
(formal_parameters (assignment_pattern
  left: (object_pattern (shorthand_property_identifier_pattern) @parameter)))
(formal_parameters (assignment_pattern
  left: (object_pattern (object_assignment_pattern
    left: (shorthand_property_identifier_pattern) @parameter))))
