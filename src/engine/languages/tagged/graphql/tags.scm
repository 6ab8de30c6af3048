(object_type_definition (name) @name) @definition.type
(interface_type_definition (name) @name) @definition.interface
(enum_type_definition (name) @name) @definition.enum
(input_object_type_definition (name) @name) @definition.type
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(object_type_extension (name) @name) @definition.type
(interface_type_extension (name) @name) @definition.type
(enum_type_extension (name) @name) @definition.type
(input_object_type_extension (name) @name) @definition.type
(directive_definition (name) @name) @definition.function
(operation_definition (name) @name) @definition.function
(fragment_definition (fragment_name (name) @name)) @definition.function

(fragment_spread (fragment_name (name) @name)) @reference.call
(named_type (name) @name) @reference.class
