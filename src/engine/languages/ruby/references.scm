; References. Captures: see ../python/references.scm.

; call: with a receiver, or with arguments.
(call
  receiver: (_) @call.object
  method: [(identifier) (constant)] @call.name
  (#not-eq? @call.name "new"))
(call !receiver method: (identifier) @call.name
  (#not-match? @call.name "^(attr_(accessor|reader|writer)|define_method|extend|include|module_function|prepend|private|protected|public|raise|require|require_relative)$"))

; For a class: construction. `new` alone constructs the own class.
(call
  receiver: [(constant) (scope_resolution)] @call.name
  method: (identifier) @call.new
  (#eq? @call.new "new"))

; A bare name is a call if no local variable has it.
(body_statement (identifier) @call.name)
(argument_list (identifier) @call.name)
(assignment right: (identifier) @call.name)
(binary (identifier) @call.name)
(if condition: (identifier) @call.name)
(unless condition: (identifier) @call.name)
(if_modifier condition: (identifier) @call.name)
(unless_modifier condition: (identifier) @call.name)
(then (identifier) @call.name)
(block_body (identifier) @call.name)
(interpolation (identifier) @call.name)

; base: the superclass and mixins.
(superclass [(constant) (scope_resolution)] @base.name)
(call
  !receiver
  method: (identifier) @base.how
  arguments: (argument_list [(constant) (scope_resolution)] @base.name)
  (#match? @base.how "^(extend|include|prepend)$"))

; binding: values of variables and attributes.
(assignment
  left: [(identifier) (instance_variable)] @binding.target
  right: (call
    receiver: [(constant) (scope_resolution)] @binding.call
    method: (identifier) @binding.new
    (#eq? @binding.new "new")))
(assignment
  left: [(identifier) (instance_variable)] @binding.target
  right: (call receiver: (_) method: (identifier) @binding.new (#not-eq? @binding.new "new")) @binding.alias)
(assignment
  left: [(identifier) (instance_variable)] @binding.target
  right: [(identifier) (instance_variable) (constant) (scope_resolution)] @binding.alias)
; @a ||= Foo.new
(operator_assignment
  left: [(identifier) (instance_variable)] @binding.target
  right: (call
    receiver: [(constant) (scope_resolution)] @binding.call
    method: (identifier) @binding.new
    (#eq? @binding.new "new")))
(rescue
  exceptions: (exceptions [(constant) (scope_resolution)] @binding.type)
  variable: (exception_variable (identifier) @binding.target))

; local: parameters and variables.
(method_parameters (identifier) @local.name)
(block_parameters (identifier) @local.name)
(lambda_parameters (identifier) @local.name)
(optional_parameter name: (identifier) @local.name)
(keyword_parameter name: (identifier) @local.name)
(splat_parameter name: (identifier) @local.name)
(hash_splat_parameter name: (identifier) @local.name)
(block_parameter name: (identifier) @local.name)
(destructured_parameter (identifier) @local.name)
(assignment left: (identifier) @local.name)
(operator_assignment left: (identifier) @local.name)
(left_assignment_list (identifier) @local.name)
(exception_variable (identifier) @local.name)
(for pattern: (identifier) @local.name)
