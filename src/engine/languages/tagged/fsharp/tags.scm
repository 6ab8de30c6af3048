; Attributes above a function belong to it.
(declaration_expression
  (attributes)
  (function_or_value_defn) @decorated.definition) @decorated.node

(namespace name: (long_identifier) @name) @definition.namespace
(named_module name: (long_identifier) @name) @definition.namespace
(module_defn (identifier) @name) @definition.module

((function_or_value_defn (function_declaration_left . (_) @name)) @definition.function
  (#not-any-of? @name "private" "internal" "public"))
(function_or_value_defn (function_declaration_left . (access_modifier) . (_) @name)) @definition.function
; let total (cart: Cart) : int = …, of which the grammar reads all before the last colon as a pattern
(function_or_value_defn
  (value_declaration_left
    (identifier_pattern
      (long_identifier_or_op (long_identifier (identifier) @name .))
      . (_)))) @definition.function
; Values of modules, such as handlers that are made of others.
(file
  (declaration_expression
    (function_or_value_defn
      (value_declaration_left
        (identifier_pattern (long_identifier_or_op (identifier) @name)))) @definition.function))
(namespace
  (declaration_expression
    (function_or_value_defn
      (value_declaration_left
        (identifier_pattern (long_identifier_or_op (identifier) @name)))) @definition.function))
(named_module
  (declaration_expression
    (function_or_value_defn
      (value_declaration_left
        (identifier_pattern (long_identifier_or_op (identifier) @name)))) @definition.function))
(module_defn
  (declaration_expression
    (function_or_value_defn
      (value_declaration_left
        (identifier_pattern (long_identifier_or_op (identifier) @name)))) @definition.function))
(member_defn
  (method_or_prop_defn name: (property_or_ident (identifier) @name .))) @definition.method
(member_defn (member_signature . (identifier) @name)) @definition.method
(type_definition (_ (type_name type_name: (_) @name))) @definition.type
(exception_definition exception_name: (long_identifier) @name) @definition.type

(application_expression . (long_identifier_or_op (identifier) @name)) @reference.call
(application_expression . (long_identifier_or_op (long_identifier (identifier) @name .))) @reference.call
(application_expression . (dot_expression field: (long_identifier_or_op (identifier) @name))) @reference.call
