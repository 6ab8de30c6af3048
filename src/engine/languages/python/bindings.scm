; Bindings: evidence for the type of a name. The value is captured as
; `call` (target = call(...)), `alias` (target = alias) or `type` (target: type).

(assignment
  left: [(identifier) (attribute)] @binding.target
  right: (call function: [(identifier) (attribute)] @binding.call))
(assignment
  left: [(identifier) (attribute)] @binding.target
  right: [(identifier) (attribute)] @binding.alias)
(assignment
  left: [(identifier) (attribute)] @binding.target
  type: (type) @binding.type)
(assignment
  left: [(identifier) (attribute)] @binding.target
  right: (await (call function: [(identifier) (attribute)] @binding.call)))
; a = b = Foo()
(assignment
  left: [(identifier) (attribute)] @binding.target
  right: (assignment right: (call function: [(identifier) (attribute)] @binding.call)))
; self.x = x or Foo()
(assignment
  left: [(identifier) (attribute)] @binding.target
  right: (boolean_operator left: [(identifier) (attribute)] @binding.alias))
(assignment
  left: [(identifier) (attribute)] @binding.target
  right: (boolean_operator right: (call function: [(identifier) (attribute)] @binding.call)))
; x = Foo() if c else Bar()
(assignment
  left: [(identifier) (attribute)] @binding.target
  right: (conditional_expression (call function: [(identifier) (attribute)] @binding.call)))
; (x := Foo())
(named_expression
  name: (identifier) @binding.target
  value: (call function: [(identifier) (attribute)] @binding.call))
; with Foo() as x
(with_item
  (as_pattern
    (call function: [(identifier) (attribute)] @binding.call)
    alias: (as_pattern_target [(identifier) (attribute)] @binding.target)))
; except Foo as x
(except_clause
  (as_pattern
    [(identifier) (attribute)] @binding.type
    alias: (as_pattern_target (identifier) @binding.target)))
; def f(x: Foo, y: Foo = None)
(typed_parameter . (identifier) @binding.target type: (type) @binding.type)
(typed_default_parameter name: (identifier) @binding.target type: (type) @binding.type)

; return: the annotated result of the function of this name.
(function_definition
  name: (identifier) @return.name
  return_type: (type) @return.type)

; local: names bound inside a function, including its parameters.
(parameters (identifier) @local.name)
(lambda_parameters (identifier) @local.name)
(default_parameter name: (identifier) @local.name)
(typed_default_parameter name: (identifier) @local.name)
(typed_parameter . (identifier) @local.name)
(list_splat_pattern (identifier) @local.name)
(dictionary_splat_pattern (identifier) @local.name)
(pattern_list (identifier) @local.name)
(tuple_pattern (identifier) @local.name)
(list_pattern (identifier) @local.name)
(assignment left: (identifier) @local.name)
(named_expression name: (identifier) @local.name)
(for_statement left: (identifier) @local.name)
(for_in_clause left: (identifier) @local.name)
(as_pattern_target (identifier) @local.name)

; global: names that a function takes from its module.
(global_statement (identifier) @global.name)
