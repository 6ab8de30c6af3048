; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

((variable_name) @other (#eq? @other "$this"))

(function_definition name: (name) @function)
(method_declaration name: (name) @function)

(simple_parameter name: (variable_name) @parameter)
(variadic_parameter name: (variable_name) @parameter)
(property_promotion_parameter name: (variable_name) @parameter)

(class_declaration name: (name) @class)
(interface_declaration name: (name) @class)
(trait_declaration name: (name) @class)
(enum_declaration name: (name) @class)
(named_type [(name) @class (qualified_name (name) @class)])
(object_creation_expression [(name) @class (qualified_name (name) @class)])
(scoped_call_expression scope: [(name) @class (qualified_name (name) @class)])
(class_constant_access_expression . [(name) @class (qualified_name (name) @class)])
(scoped_property_access_expression scope: [(name) @class (qualified_name (name) @class)])
(base_clause [(name) @class (qualified_name (name) @class)])
(class_interface_clause [(name) @class (qualified_name (name) @class)])
(use_declaration [(name) @class (qualified_name (name) @class)])
(attribute [(name) @class (qualified_name (name) @class)])
(binary_expression operator: "instanceof" right: [(name) @class (qualified_name (name) @class)])
(namespace_use_clause [(name) @class (qualified_name (name) @class)])

(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)

(property_element name: (variable_name) @property)
(member_access_expression name: (name) @property)
(nullsafe_member_access_expression name: (name) @property)
(scoped_property_access_expression name: (variable_name) @property)

[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope
(variable_name) @name
