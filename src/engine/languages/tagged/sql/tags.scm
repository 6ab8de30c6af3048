(create_function (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.function
(create_trigger . (_) (object_reference name: (identifier) @name)) @definition.function
(create_table (object_reference name: (identifier) @name)) @definition.class
(create_view (object_reference name: (identifier) @name)) @definition.class
(create_materialized_view (object_reference name: (identifier) @name)) @definition.class
(create_type (object_reference name: (identifier) @name)) @definition.type

(invocation (object_reference name: (identifier) @name)) @reference.call
(relation (object_reference name: (identifier) @name)) @reference.class
