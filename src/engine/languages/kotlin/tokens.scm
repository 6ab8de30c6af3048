; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

(value_argument . (identifier) @other "=")

(function_declaration name: (identifier) @function)

(class_declaration name: (identifier) @class)
(object_declaration name: (identifier) @class)
(companion_object name: (identifier) @class)
(user_type (identifier) @class)

(parameter . (identifier) @parameter)
(class_parameter (identifier) @parameter)
(lambda_parameters (variable_declaration . (identifier) @parameter))

(class_body (property_declaration (variable_declaration . (identifier) @property)))
(enum_entry (identifier) @property)
; Types are told from functions and values by their capital, as everywhere in Kotlin.
((identifier) @class (#match? @class "^[A-Z][A-Z0-9]*[a-z]"))

(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(infix_expression . (_) . (identifier) @call . (_) .)

(navigation_expression (_) (identifier) @property .)

[(function_declaration) (lambda_literal) (anonymous_function) (secondary_constructor)] @scope
(identifier) @name
