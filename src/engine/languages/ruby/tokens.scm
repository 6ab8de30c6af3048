; Names by what they are: `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. Of the patterns that
; capture a name, the first decides. A `name` stands for a parameter of the innermost `scope` around it that has one of its name.

(method name: (_) @function)
(singleton_method name: (_) @function)

(method_parameters (identifier) @parameter)
(block_parameters (identifier) @parameter)
(lambda_parameters (identifier) @parameter)
(optional_parameter name: (identifier) @parameter)
(keyword_parameter name: (identifier) @parameter)
(splat_parameter name: (identifier) @parameter)
(hash_splat_parameter name: (identifier) @parameter)
(block_parameter name: (identifier) @parameter)
(destructured_parameter (identifier) @parameter)

; Of constants, classes and modules are those that are not all capitals.
((constant) @class (#match? @class "^[A-Z][A-Z0-9]*[a-z]"))

(call method: [(identifier) (constant)] @call)

[(instance_variable) (class_variable)] @property

[(method) (singleton_method) (block) (do_block) (lambda)] @scope
(identifier) @name
