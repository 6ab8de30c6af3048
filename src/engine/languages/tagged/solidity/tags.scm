(contract_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(library_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(enum_declaration name: (identifier) @name) @definition.enum

(function_definition name: (identifier) @name) @definition.function
(modifier_definition name: (identifier) @name) @definition.function
(constructor_definition "constructor" @name) @definition.method
(fallback_receive_definition ["fallback" "receive"] @name) @definition.method

(call_expression function: (expression (identifier) @name)) @reference.call
(call_expression function: (expression (member_expression property: (identifier) @name))) @reference.call
(modifier_invocation (identifier) @name) @reference.call
