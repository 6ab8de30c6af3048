; Classifies names as `class`, `function`, `call`, `parameter`, `property`; `other` is none of these. If several patterns
; capture a name, the first decides. A `name` means the parameter of that name in the innermost `scope` that has one.

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

; Constants that are not all capitals are classes and modules.
((constant) @class (#match? @class "^[A-Z][A-Z0-9]*[a-z]"))

(call method: [(identifier) (constant)] @call)

[(instance_variable) (class_variable)] @property

[(method) (singleton_method) (block) (do_block) (lambda)] @scope
(identifier) @name
