(pod_statement) @before.node

(package_statement (package_name) @name body: (_)? @body) @definition.namespace
(function_definition name: (identifier) @name) @definition.function

(call_expression_with_bareword function_name: (identifier) @name) @reference.call
(method_invocation function_name: (identifier) @name) @reference.call
