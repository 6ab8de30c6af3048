; Syntax of TypeScript that JavaScript lacks.

(class_declaration
  name: (type_identifier) @definition.name
  body: (class_body . "{" @definition.end)) @definition.class
(abstract_class_declaration
  name: (type_identifier) @definition.name
  body: (class_body . "{" @definition.end)) @definition.class
(interface_declaration
  name: (type_identifier) @definition.name
  body: (interface_body . "{" @definition.end)) @definition.class
(enum_declaration
  name: (identifier) @definition.name
  body: (enum_body . "{" @definition.end)) @definition.class
(type_alias_declaration
  name: (type_identifier) @definition.name
  "=" @definition.end) @definition.class

(internal_module name: [(identifier) (nested_identifier)] @definition.name body: (_) @definition.body) @definition.namespace
(module name: (identifier) @definition.name body: (_) @definition.body) @definition.namespace

; Overloads and declarations.
(function_signature name: (identifier) @definition.name) @definition.function
(class_body
  (method_signature
    name: [(property_identifier) (private_property_identifier)] @definition.name) @definition.function)
(class_body (abstract_method_signature name: (property_identifier) @definition.name) @definition.function)
(interface_body (method_signature name: (property_identifier) @definition.name) @definition.function)
(type_alias_declaration
  value: (object_type (method_signature name: (property_identifier) @definition.name) @definition.function))

; class { f = () => {} }
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @definition.name
  value: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
  ]) @definition.function
; class { f = debounce(() => {}) }; without `map` and the like
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @definition.name
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

; const f = (() => {}) as F
(variable_declarator
  name: (identifier) @definition.name
  value: [
    (as_expression . (arrow_function "=>" @definition.end))
    (as_expression . (parenthesized_expression (arrow_function "=>" @definition.end)))
    (as_expression . (parenthesized_expression
      (function_expression body: (statement_block . "{" @definition.end))))
    (satisfies_expression . (arrow_function "=>" @definition.end))
  ]) @definition.function
; const o = { f() {} } satisfies O
(variable_declarator
  name: (identifier) @definition.name
  value: [
    (as_expression . (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
    ]))
    (satisfies_expression . (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
    ]))
  ]) @definition.class
(export_statement
  "default" @definition.name
  value: [
    (as_expression . (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
    ]))
    (satisfies_expression . (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
    ]))
  ]) @definition.class

(ambient_declaration (_) @decorated.definition) @decorated.node

; Decorators of methods are siblings of the method.
(class_body (decorator) @before.node)

(interface_body (_) @member.node)
(enum_body (_) @member.node)
(type_alias_declaration value: (_) @member.node)
(as_expression . (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]) @definition.function))
(satisfies_expression . (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]) @definition.function))

(extends_clause value: (identifier) @base.name)
(extends_clause value: (member_expression property: (property_identifier) @base.name) @base.chain)
(implements_clause (type_identifier) @base.name)
(implements_clause (generic_type name: (type_identifier) @base.name))
(extends_type_clause type: (type_identifier) @base.name)
(extends_type_clause type: (generic_type name: (type_identifier) @base.name))
(extends_type_clause type: (nested_type_identifier name: (type_identifier) @base.name) @base.chain)
(extends_type_clause
  type: (generic_type name: (nested_type_identifier name: (type_identifier) @base.name) @base.chain))
; type A = B, type A = B & { c: C }
(type_alias_declaration
  value: [
    (type_identifier) @base.name
    (generic_type name: (type_identifier) @base.name)
    (intersection_type (type_identifier) @base.name)
    (intersection_type (generic_type name: (type_identifier) @base.name))
  ])

(import_statement
  (import_require_clause (identifier) @import.namespace source: (string (string_fragment) @import.from)))
(import_statement
  (import_require_clause (identifier) @import.exports source: (string (string_fragment) @import.from)))
(import_alias . (identifier) @binding.target [(identifier) (nested_identifier)] @binding.alias)

(variable_declarator name: (identifier) @binding.target type: (type_annotation) @binding.type)
(variable_declarator
  name: (identifier) @binding.target
  value: (as_expression (_) (_) @binding.type))
(variable_declarator
  name: (identifier) @binding.target
  value: [(non_null_expression [(identifier) (member_expression)] @binding.alias)
    (non_null_expression (call_expression function: [(identifier) (member_expression)] @binding.call))])
(required_parameter pattern: (identifier) @binding.target type: (type_annotation) @binding.type)
(optional_parameter pattern: (identifier) @binding.target type: (type_annotation) @binding.type)
(required_parameter
  pattern: (identifier) @binding.target
  value: (new_expression constructor: (identifier) @binding.call))
; constructor(private a: A)
(required_parameter
  (accessibility_modifier)
  pattern: (identifier) @binding.attribute
  type: (type_annotation) @binding.type)
(required_parameter
  "readonly"
  pattern: (identifier) @binding.attribute
  type: (type_annotation) @binding.type)
(optional_parameter
  (accessibility_modifier)
  pattern: (identifier) @binding.attribute
  type: (type_annotation) @binding.type)
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @binding.target
  type: (type_annotation) @binding.type)
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @binding.target
  value: [
    (new_expression constructor: [(identifier) (member_expression)] @binding.call)
    (call_expression function: [(identifier) (member_expression)] @binding.call)
    [(identifier) (member_expression)] @binding.alias
  ])
(property_signature name: (property_identifier) @binding.target type: (type_annotation) @binding.type)

(function_declaration name: (identifier) @return.name return_type: (type_annotation) @return.type)
(function_signature name: (identifier) @return.name return_type: (type_annotation) @return.type)
(method_definition name: (_) @return.name return_type: (type_annotation) @return.type)
(method_signature name: (_) @return.name return_type: (type_annotation) @return.type)
(abstract_method_signature name: (_) @return.name return_type: (type_annotation) @return.type)
(variable_declarator
  name: (identifier) @return.name
  value: [
    (arrow_function return_type: (type_annotation) @return.type)
    (function_expression return_type: (type_annotation) @return.type)
  ])
(public_field_definition
  name: (_) @return.name
  value: (arrow_function return_type: (type_annotation) @return.type))

; Getters are attributes.
(method_definition "get" name: (_) @property.name)

(required_parameter pattern: (identifier) @local.name)
(optional_parameter pattern: (identifier) @local.name)
