; Nodes that the grammar of JavaScript names differently from TypeScript's.

(class_declaration
  name: (identifier) @definition.name
  body: (class_body . "{" @definition.end)) @definition.class

; class { f = () => {} }
(field_definition
  property: [(property_identifier) (private_property_identifier)] @definition.name
  value: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
  ]) @definition.function
; class { f = debounce(() => {}) }; without `map` and the like
(field_definition
  property: [(property_identifier) (private_property_identifier)] @definition.name
  value: (call_expression
    function: [
      (identifier) @definition.callee
      (member_expression object: (identifier) property: (_) @definition.callee)
    ]
    arguments: (arguments [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]))
  (#not-any-of? @definition.callee $callbacks)) @definition.function

(class_declaration (class_heritage (identifier) @base.name))
(class_declaration
  (class_heritage (member_expression property: (property_identifier) @base.name) @base.chain))
(class (class_heritage (identifier) @base.name))
(class (class_heritage (member_expression property: (property_identifier) @base.name) @base.chain))

(field_definition
  property: [(property_identifier) (private_property_identifier)] @binding.target
  value: [
    (new_expression constructor: [(identifier) (member_expression)] @binding.call)
    (call_expression function: [(identifier) (member_expression)] @binding.call)
    [(identifier) (member_expression)] @binding.alias
  ])

; Getters are attributes.
(method_definition "get" name: (_) @property.name)

(formal_parameters (identifier) @local.name)
(formal_parameters (assignment_pattern left: (identifier) @local.name))
(formal_parameters
  (assignment_pattern
    left: (identifier) @binding.target
    right: (new_expression constructor: (identifier) @binding.call)))
