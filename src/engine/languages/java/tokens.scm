; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(method_declaration name: (identifier) @function)
(constructor_declaration name: (identifier) @function)
(compact_constructor_declaration name: (identifier) @function)
(annotation_type_element_declaration name: (identifier) @function)

(class_declaration name: (identifier) @class)
(interface_declaration name: (identifier) @class)
(enum_declaration name: (identifier) @class)
(record_declaration name: (identifier) @class)
(annotation_type_declaration name: (identifier) @class)
(marker_annotation name: (identifier) @class)
(annotation name: (identifier) @class)
(type_identifier) @class

(formal_parameter name: (identifier) @parameter)
(spread_parameter (variable_declarator name: (identifier) @parameter))
(inferred_parameters (identifier) @parameter)
(lambda_expression parameters: (identifier) @parameter)

(method_invocation name: (identifier) @call)
(method_reference . (_) (identifier) @call .)

(field_declaration declarator: (variable_declarator name: (identifier) @property))
(enum_constant name: (identifier) @property)
(field_access field: (identifier) @property)
; The object of a static member and an import are types if they have a capital.
((identifier) @class (#match? @class "^[A-Z][A-Z0-9]*[a-z]"))

[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
] @scope
(identifier) @name
