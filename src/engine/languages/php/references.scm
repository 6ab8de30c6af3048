; References. Captures: see ../python/references.scm.

(function_call_expression function: [(name) (qualified_name)] @call.name)
(member_call_expression object: (_) @call.object name: (name) @call.name)
(nullsafe_member_call_expression object: (_) @call.object name: (name) @call.name)
(scoped_call_expression scope: (_) @call.object name: (name) @call.name)
(object_creation_expression [(name) (qualified_name) (relative_scope)] @call.name)

; decorator: attributes.
(attribute [(name) (qualified_name)] @decorator.name)

; base: classes and interfaces, and the traits that a class uses.
(base_clause [(name) (qualified_name)] @base.name)
(class_interface_clause [(name) (qualified_name)] @base.name)
(use_declaration [(name) (qualified_name)] @base.name)

; package: of the whole file.
(program (namespace_definition name: (_) @package.name !body))

; import: for a group, `from` is the common prefix of its names.
(namespace_use_declaration
  !body
  (namespace_use_clause . [(name) (qualified_name)] @import.module alias: (name)? @import.alias))
(namespace_use_declaration
  (namespace_name) @import.from
  body: (namespace_use_group
    (namespace_use_clause . [(name) (qualified_name)] @import.member alias: (name)? @import.alias)))

; binding: values of variables, parameters and attributes.
(assignment_expression
  left: [(variable_name) (member_access_expression)] @binding.target
  right: (object_creation_expression [(name) (qualified_name) (relative_scope)] @binding.call))
(assignment_expression
  left: [(variable_name) (member_access_expression)] @binding.target
  right: [
    (function_call_expression)
    (member_call_expression)
    (nullsafe_member_call_expression)
    (scoped_call_expression)
  ] @binding.alias)
(assignment_expression
  left: [(variable_name) (member_access_expression)] @binding.target
  right: [(variable_name) (member_access_expression)] @binding.alias)
(simple_parameter type: (_) @binding.type name: (variable_name) @binding.target)
(property_promotion_parameter type: (_) @binding.type name: (variable_name) @binding.target)
(property_promotion_parameter type: (_) @binding.type name: (variable_name (name) @binding.attribute))
(property_declaration
  type: (_) @binding.type
  (property_element name: (variable_name (name) @binding.target)))
(catch_clause type: (type_list) @binding.type name: (variable_name) @binding.target)

; return: the type of a result.
(function_definition name: (name) @return.name return_type: (_) @return.type)
(method_declaration name: (name) @return.name return_type: (_) @return.type)

; local: variables cannot hide functions and classes, whose names have no dollar sign; these are for their types.
(simple_parameter name: (variable_name) @local.name)
(property_promotion_parameter name: (variable_name) @local.name)
(variadic_parameter name: (variable_name) @local.name)
(assignment_expression left: (variable_name) @local.name)
(foreach_statement (pair (variable_name) @local.name))
(catch_clause name: (variable_name) @local.name)
