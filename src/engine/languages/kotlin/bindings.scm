; Bindings: evidence for the type of a name. The value is captured as
; `alias` (target = alias) or `type` (target: type).

; val x: Foo, for (x: Foo in y), { x: Foo -> }
(variable_declaration
  . (identifier) @binding.target
  [(user_type) (nullable_type)] @binding.type)
; class C(val x: Foo), fun f(x: Foo)
(class_parameter
  (identifier) @binding.target
  . [(user_type) (nullable_type)] @binding.type)
(parameter
  . (identifier) @binding.target
  . [(user_type) (nullable_type)] @binding.type)
; val x = Foo()
(property_declaration
  (variable_declaration . (identifier) @binding.target)
  . [(call_expression) (navigation_expression) (identifier) (this_expression)] @binding.alias)
(when_subject
  (variable_declaration . (identifier) @binding.target)
  . [(call_expression) (navigation_expression) (identifier)] @binding.alias)
; val x = y as Foo
(property_declaration
  (variable_declaration . (identifier) @binding.target)
  (as_expression right: [(user_type) (nullable_type)] @binding.type))
; x.let { y -> }
(call_expression
  . (navigation_expression . (_) @binding.alias (identifier) @binding.by .)
  (annotated_lambda (lambda_literal (lambda_parameters
    . (variable_declaration . (identifier) @binding.target .) .)))
  (#any-of? @binding.by "also" "let" "takeIf" "takeUnless"))
; val x by lazy { Foo() }
(property_declaration
  (variable_declaration . (identifier) @binding.target)
  (property_delegate (call_expression
    . (identifier) @binding.by
    (annotated_lambda (lambda_literal (call_expression) @binding.alias .))))
  (#eq? @binding.by "lazy"))
(assignment
  left: [(identifier) (navigation_expression)] @binding.target
  right: [(call_expression) (navigation_expression) (identifier)] @binding.alias)
(catch_block . (identifier) @binding.target . (user_type) @binding.type)
; A constant is an instance of its enum.
(class_declaration
  name: (identifier) @binding.type
  (enum_class_body (enum_entry . (modifiers)? . (identifier) @binding.target)))

; return: the result of the function or property of this name.
(function_declaration
  name: (identifier) @return.name
  (function_value_parameters)
  . [(user_type) (nullable_type)] @return.type)
(property_declaration
  (variable_declaration
    . (identifier) @return.name
    [(user_type) (nullable_type)] @return.type))
; = Foo(), of a class
(function_declaration
  name: (identifier) @return.name
  (function_value_parameters)
  . (function_body "=" (call_expression . (identifier) @return.type . (value_arguments)))
  (#match? @return.type "^[A-Z]"))

; local: names bound inside a function, including its parameters.
(parameter . (identifier) @local.name)
(variable_declaration . (identifier) @local.name)
(catch_block . (identifier) @local.name)
(function_body (block (function_declaration name: (identifier) @local.name)))
