(package (full_ident) @name) @definition.namespace

(message (message_name (identifier) @name)) @definition.type
(enum (enum_name (identifier) @name)) @definition.enum
(service (service_name (identifier) @name)) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.method

(message_or_enum_type (identifier) @name .) @reference.class
