; Bindings: evidence for the type of a name. The value is captured as
; `alias` (target = alias) or `type` (target: type).

; Foo x; final Foo x = make();
(local_variable_declaration
  type: (_) @binding.type
  declarator: (variable_declarator name: (identifier) @binding.target !dimensions))
(field_declaration
  type: (_) @binding.type
  declarator: (variable_declarator name: (identifier) @binding.target !dimensions))
(constant_declaration
  type: (_) @binding.type
  declarator: (variable_declarator name: (identifier) @binding.target !dimensions))
; f(Foo x)
(formal_parameter type: (_) @binding.type name: (identifier) @binding.target !dimensions)
; var x = new Foo();
(local_variable_declaration
  type: (type_identifier) @binding.var
  declarator: (variable_declarator
    name: (identifier) @binding.target
    value: [
      (object_creation_expression) (method_invocation) (identifier) (field_access)
      (cast_expression) (this)
    ] @binding.alias)
  (#eq? @binding.var "var"))
; x = new Foo(); this.x = y;
(assignment_expression
  left: [(identifier) (field_access)] @binding.target
  right: [
    (object_creation_expression) (method_invocation) (identifier) (field_access)
  ] @binding.alias)
(enhanced_for_statement type: (_) @binding.type name: (identifier) @binding.target)
(resource type: (_) @binding.type name: (identifier) @binding.target)
(resource
  name: (identifier) @binding.target
  value: [(object_creation_expression) (method_invocation)] @binding.alias)
(catch_formal_parameter
  (catch_type . [(type_identifier) (scoped_type_identifier)] @binding.type)
  name: (identifier) @binding.target)
; x instanceof Foo y; case Foo y ->
(instanceof_expression right: (_) @binding.type name: (identifier) @binding.target)
(type_pattern . (_) @binding.type (identifier) @binding.target .)
(record_pattern_component . (_) @binding.type (identifier) @binding.target .)
; A constant is an instance of its enum.
(enum_declaration
  name: (identifier) @binding.type
  body: (enum_body (enum_constant name: (identifier) @binding.target)))

; return: the result of the method of this name.
(method_declaration type: (_) @return.type name: (identifier) @return.name)

; extent: the scope of variables that are declared directly in it.
(class_body) @extent.node
(interface_body) @extent.node
(enum_body) @extent.node
(method_declaration) @extent.node
(constructor_declaration) @extent.node
(lambda_expression) @extent.node
(block) @extent.node
(constructor_body) @extent.node
(if_statement) @extent.node
(for_statement) @extent.node
(enhanced_for_statement) @extent.node
(while_statement) @extent.node
(try_with_resources_statement) @extent.node
(catch_clause) @extent.node
(switch_block_statement_group) @extent.node
(switch_rule) @extent.node

; local: names bound inside a method, including its parameters; for `String... all`, also the `element`.
(formal_parameter name: (identifier) @local.name)
(spread_parameter (_) @local.element . (variable_declarator name: (identifier) @local.name))
(lambda_expression parameters: (identifier) @local.name)
(inferred_parameters (identifier) @local.name)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local.name))
(enhanced_for_statement name: (identifier) @local.name)
(resource name: (identifier) @local.name)
(catch_formal_parameter name: (identifier) @local.name)
(instanceof_expression name: (identifier) @local.name)
(type_pattern (identifier) @local.name .)
(record_pattern_component (identifier) @local.name .)
