; Bindings that JavaScript and TypeScript share.

(variable_declarator
  name: (identifier) @binding.target
  value: [
    (call_expression function: [(identifier) (member_expression)] @binding.call)
    (new_expression constructor: [(identifier) (member_expression)] @binding.call)
    (await_expression (call_expression function: [(identifier) (member_expression)] @binding.call))
    [(identifier) (member_expression) (this)] @binding.alias
    (binary_expression left: [(identifier) (member_expression)] @binding.alias)
    (binary_expression right: (new_expression constructor: [(identifier) (member_expression)] @binding.call))
  ])
(assignment_expression
  left: [(identifier) (member_expression)] @binding.target
  right: [
    (call_expression function: [(identifier) (member_expression)] @binding.call)
    (new_expression constructor: [(identifier) (member_expression)] @binding.call)
    (await_expression (call_expression function: [(identifier) (member_expression)] @binding.call))
    [(identifier) (member_expression)] @binding.alias
    (binary_expression left: [(identifier) (member_expression)] @binding.alias)
    (binary_expression right: (new_expression constructor: [(identifier) (member_expression)] @binding.call))
  ])

; const { a, b: c } = object
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @binding.target @binding.member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @binding.target @binding.member)
    (pair_pattern key: (property_identifier) @binding.member value: (identifier) @binding.target)
  ])
  value: [
    [(identifier) (member_expression) (this)] @binding.alias
      ])

; { save: store, ...} of an object that is a class.
(object (pair key: (property_identifier) @binding.target value: [(identifier) (member_expression)] @binding.alias))
(object
  (pair
    key: (property_identifier) @binding.target
    value: (new_expression constructor: [(identifier) (member_expression)] @binding.call)))

; export: an exported name, and the module's own name for it.
(export_statement
  !source
  (export_clause (export_specifier name: (identifier) @export.alias alias: (_) @export.target)))
(export_statement "default" @export.target value: [(identifier) (member_expression)] @export.alias)
(export_statement
  "default" @export.target
  value: (call_expression arguments: (arguments . [
    (identifier) @export.alias
    (function_expression name: (identifier) @export.alias)
    (call_expression arguments: (arguments . [
      (identifier) @export.alias
      (function_expression name: (identifier) @export.alias)
    ]))
  ])))
(export_statement "default" @export.target value: (new_expression constructor: (identifier) @export.call))
(export_statement "default" @export.target declaration: (_ name: (_) @export.alias))
(assignment_expression
  left: (member_expression object: (identifier) @export.module property: (property_identifier) @export.target)
  right: [
    (identifier) @export.alias
    (member_expression) @export.alias
    (new_expression constructor: [(identifier) (member_expression)] @export.call)
    (call_expression function: [(identifier) (member_expression)] @export.call)
    (function_expression name: (identifier) @export.alias)
    (class name: (_) @export.alias)
    (assignment_expression right: (identifier) @export.alias)
  ]
  (#any-of? @export.module "module" "exports"))
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @export.module property: (property_identifier) @export.property)
    property: (property_identifier) @export.target)
  right: (identifier) @export.alias
  (#eq? @export.module "module")
  (#eq? @export.property "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @export.module property: (property_identifier) @export.property)
  right: (object
    (pair key: (property_identifier) @export.target value: [(identifier) (member_expression)] @export.alias))
  (#eq? @export.module "module")
  (#eq? @export.property "exports"))

; local: names bound inside a function, including its parameters.
(variable_declarator name: (identifier) @local.name)
(array_pattern (identifier) @local.name)
(array_pattern (assignment_pattern left: (identifier) @local.name))
(object_pattern (shorthand_property_identifier_pattern) @local.name)
(object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local.name))
(object_pattern (pair_pattern value: (identifier) @local.name))
(object_pattern (pair_pattern value: (assignment_pattern left: (identifier) @local.name)))
(rest_pattern (identifier) @local.name)
(arrow_function parameter: (identifier) @local.name)
(catch_clause parameter: (identifier) @local.name)
(for_in_statement left: (identifier) @local.name)
(function_expression name: (identifier) @local.name)
