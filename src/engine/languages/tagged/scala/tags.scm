(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.object
(trait_definition name: (_) @name) @definition.interface
(enum_definition name: (_) @name) @definition.enum
(package_object name: (_) @name) @definition.object
(given_definition name: (_) @name) @definition.object

(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression field: (identifier) @name)) @reference.call
(call_expression function: (generic_function function: (identifier) @name)) @reference.call
(call_expression
  function: (generic_function function: (field_expression field: (identifier) @name))) @reference.call
(infix_expression operator: (identifier) @name) @reference.call
(instance_expression (type_identifier) @name) @reference.class
