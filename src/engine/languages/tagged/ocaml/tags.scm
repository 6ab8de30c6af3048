; A comment is above the definition around a binding.
(value_definition . (let_binding) @decorated.definition) @decorated.node
(type_definition . (type_binding) @decorated.definition) @decorated.node
(module_definition . (module_binding) @decorated.definition) @decorated.node
(class_definition . (class_binding) @decorated.definition) @decorated.node

(compilation_unit
  (value_definition
    (let_binding pattern: [(value_name) (parenthesized_operator)] @name body: (_) @body) @definition.function))
(structure
  (value_definition
    (let_binding pattern: [(value_name) (parenthesized_operator)] @name body: (_) @body) @definition.function))
(external . [(value_name) (parenthesized_operator)] @name) @definition.function
(value_specification . [(value_name) (parenthesized_operator)] @name) @definition.function
(method_definition (method_name) @name) @definition.method

(type_binding name: (type_constructor) @name) @definition.type
(module_binding (module_name) @name) @definition.module
(module_type_definition . (module_type_name) @name) @definition.interface
(class_binding (class_name) @name) @definition.class
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type

(application_expression function: (value_path (value_name) @name)) @reference.call
(infix_expression
  operator: (rel_operator)
  right: (value_path (value_name) @name)) @reference.call
(method_invocation method: (method_name) @name) @reference.call
