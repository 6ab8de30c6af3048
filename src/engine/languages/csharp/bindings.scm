; Bindings: evidence for the type of a name. The value is captured as
; `alias` (target = alias) or `type` (target: type).

; Foo x; for fields, events and variables.
(variable_declaration
  type: (_) @binding.type
  (variable_declarator name: (identifier) @binding.target))
; Foo X { get; }
(property_declaration
  type: (_) @binding.type
  name: (identifier) @binding.target)
; f(Foo x)
(parameter type: (_) @binding.type name: (identifier) @binding.target)
; var x = new Foo();
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @binding.target
    [
      (object_creation_expression) (invocation_expression) (identifier)
      (member_access_expression) (cast_expression) (as_expression) (await_expression)
      "this"
    ] @binding.alias .))
; x = new Foo(); this.x = y;
(assignment_expression
  left: [(identifier) (member_access_expression)] @binding.target
  right: [
    (object_creation_expression) (invocation_expression) (identifier)
    (member_access_expression) (cast_expression) (as_expression) (await_expression)
  ] @binding.alias)
(foreach_statement type: (_) @binding.type left: (identifier) @binding.target)
(catch_declaration type: (_) @binding.type name: (identifier) @binding.target)
; out Foo x
(declaration_expression type: (_) @binding.type name: (identifier) @binding.target)
; x is Foo y; case Foo { } y:
(declaration_pattern type: (_) @binding.type name: (identifier) @binding.target)
(recursive_pattern type: (_) @binding.type name: (identifier) @binding.target)
; A constant is an instance of its enum.
(enum_declaration
  name: (identifier) @binding.type
  body: (enum_member_declaration_list
    (enum_member_declaration name: (identifier) @binding.target)))

; return: the result of the method of this name.
(method_declaration returns: (_) @return.type name: (identifier) @return.name)
(property_declaration type: (_) @return.type name: (identifier) @return.name)

; local: names bound inside a method, including its parameters.
(parameter name: (identifier) @local.name)
(parameter_list name: (identifier) @local.name)
(implicit_parameter) @local.name
(variable_declarator name: (identifier) @local.name)
(foreach_statement left: (identifier) @local.name)
(catch_declaration name: (identifier) @local.name)
(declaration_expression name: (identifier) @local.name)
(declaration_pattern name: (identifier) @local.name)
(recursive_pattern name: (identifier) @local.name)
(from_clause name: (identifier) @local.name)
