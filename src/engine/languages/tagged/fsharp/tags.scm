(namespace name: (long_identifier) @name) @definition.namespace
(named_module name: (long_identifier) @name) @definition.namespace
(module_defn (identifier) @name) @definition.module

(function_or_value_defn (function_declaration_left . (_) @name)) @definition.function
(member_defn
  (method_or_prop_defn name: (property_or_ident (identifier) @name .))) @definition.method
(member_defn (member_signature . (identifier) @name)) @definition.method
(type_definition (_ (type_name type_name: (_) @name))) @definition.type
(exception_definition exception_name: (long_identifier) @name) @definition.type

(application_expression . (long_identifier_or_op (identifier) @name)) @reference.call
(application_expression . (long_identifier_or_op (long_identifier (identifier) @name .))) @reference.call
(application_expression . (dot_expression field: (long_identifier_or_op (identifier) @name))) @reference.call
