; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(argument name: (identifier) @other)

(method_declaration name: (identifier) @function)
(local_function_statement name: (identifier) @function)
(constructor_declaration name: (identifier) @function)
(destructor_declaration name: (identifier) @function)

(parameter name: (identifier) @parameter)
(implicit_parameter) @parameter
(lambda_expression parameters: (parameter_list (parameter (identifier) @parameter)))

(class_declaration name: (identifier) @class)
(struct_declaration name: (identifier) @class)
(record_declaration name: (identifier) @class)
(interface_declaration name: (identifier) @class)
(enum_declaration name: (identifier) @class)
(delegate_declaration name: (identifier) @class)
(attribute name: (identifier) @class)

(invocation_expression function: [(identifier) @call (generic_name . (identifier) @call)])
(invocation_expression
  function: (member_access_expression
    name: [(identifier) @call (generic_name . (identifier) @call)]))
(invocation_expression
  function: (conditional_access_expression
    (member_binding_expression
      name: [(identifier) @call (generic_name . (identifier) @call)])))

(_ type: (identifier) @class)
(_ type: (nullable_type (identifier) @class))
(_ type: (array_type (identifier) @class))
(_ returns: (identifier) @class)
(generic_name . (identifier) @class)
(type_argument_list (identifier) @class)
(type_parameter (identifier) @class)
(base_list (identifier) @class)

(property_declaration name: (identifier) @property)
(event_declaration name: (identifier) @property)
(enum_member_declaration name: (identifier) @property)
(field_declaration (variable_declaration (variable_declarator name: (identifier) @property)))
(member_access_expression name: (identifier) @property)
(member_binding_expression name: (identifier) @property)

[
  (method_declaration)
  (constructor_declaration)
  (local_function_statement)
  (operator_declaration)
  (indexer_declaration)
  (delegate_declaration)
  (lambda_expression)
  (anonymous_method_expression)
] @scope
(identifier) @name
