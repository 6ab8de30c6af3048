(function_declaration
  name: (identifier) @definition.name
  body: (statement_block . "{" @definition.end) @definition.body) @definition.function
(class_declaration
  name: (identifier) @definition.name
  body: (class_body . "{" @definition.end) @definition.body) @definition.class
(method_definition
  name: (property_identifier) @definition.name
  body: (statement_block . "{" @definition.end) @definition.body) @definition.function

(export_statement declaration: (_) @decorated.definition) @decorated.node

(comment) @before.node

(class_body (_) @member.node)

(ERROR) @error.node
(MISSING) @error.node

(import_statement
  (import_clause (named_imports
    (import_specifier name: (identifier) @import.member alias: (identifier)? @import.alias)))
  source: (string (string_fragment) @import.from))

(call_expression function: (identifier) @call.name)
(call_expression function: (member_expression property: (property_identifier) @call.name) @call.chain)
(new_expression constructor: (identifier) @call.name)
(class_heritage (identifier) @base.name)

(variable_declarator
  name: (identifier) @binding.target
  value: (new_expression constructor: (identifier) @binding.call))
(assignment_expression
  left: (member_expression) @binding.target
  right: (new_expression constructor: (identifier) @binding.call))

(formal_parameters (identifier) @local.name)
(variable_declarator name: (identifier) @local.name)
