; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

((identifier) @other (#any-of? @other "self" "cls"))
(keyword_argument name: (identifier) @other)

(function_definition name: (identifier) @function)
(class_definition name: (identifier) @class)

(parameters (identifier) @parameter)
(lambda_parameters (identifier) @parameter)
(default_parameter name: (identifier) @parameter)
(typed_default_parameter name: (identifier) @parameter)
(typed_parameter . (identifier) @parameter)
(typed_parameter . (list_splat_pattern (identifier) @parameter))
(typed_parameter . (dictionary_splat_pattern (identifier) @parameter))
(parameters (list_splat_pattern (identifier) @parameter))
(parameters (dictionary_splat_pattern (identifier) @parameter))
(lambda_parameters (list_splat_pattern (identifier) @parameter))
(lambda_parameters (dictionary_splat_pattern (identifier) @parameter))

(class_definition superclasses: (argument_list (identifier) @class))
(type (identifier) @class)
(type (attribute attribute: (identifier) @class))
(type (subscript value: (identifier) @class))
(type (binary_operator (identifier) @class))
(generic_type (identifier) @class)
; Classes are told from functions by their capital, as everywhere in Python.
((identifier) @class (#match? @class "^_*[A-Z][A-Z0-9]*[a-z]"))

(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute attribute: (identifier) @call))

(attribute attribute: (identifier) @property)

[(function_definition) (lambda)] @scope
(identifier) @name
