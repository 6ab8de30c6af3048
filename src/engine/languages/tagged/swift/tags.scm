; Classes, structures, enums, actors and extensions are one type of node.
(class_declaration name: [(type_identifier) (user_type)] @name) @definition.class
(protocol_declaration name: (type_identifier) @name) @definition.interface

(function_declaration name: [(simple_identifier) (custom_operator)] @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(function_declaration name: "init" @name) @definition.method
(protocol_function_declaration name: "init" @name) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.method
; A property with code.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @definition.method

(call_expression . (simple_identifier) @name) @reference.call
(call_expression
  . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @name))) @reference.call
; The grammar reads the last operand and its arguments in `a() + b()` as a call of the sum.
(call_expression . (_ rhs: (simple_identifier) @name)) @reference.call
(call_expression
  . (_ rhs: (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @name)))) @reference.call
