; Names of C++ only; see tokens.scm.

(function_declarator declarator: (qualified_identifier name: (identifier) @function))
(function_declarator declarator: (qualified_identifier
  name: (qualified_identifier name: (identifier) @function)))
(destructor_name (identifier) @function)

(parameter_declaration declarator: (reference_declarator (identifier) @parameter))
(optional_parameter_declaration declarator: (identifier) @parameter)
(optional_parameter_declaration declarator: (pointer_declarator declarator: (identifier) @parameter))
(optional_parameter_declaration declarator: (reference_declarator (identifier) @parameter))
(variadic_parameter_declaration declarator: (variadic_declarator (identifier) @parameter))

; Before `::`, types are told from namespaces by their capital.
((namespace_identifier) @class (#match? @class "^[A-Z]"))

(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (qualified_identifier
  name: (qualified_identifier name: (identifier) @call)))
(template_function name: (identifier) @call)
(template_method name: (field_identifier) @call)

(lambda_expression) @scope
