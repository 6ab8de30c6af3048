(module_attribute name: (atom) @name) @definition.namespace

; A function is its specification and its clauses.
(spec fun: (atom) @name) @definition.function
(fun_decl clause: (function_clause name: (atom) @name body: (_)? @body)) @definition.function
(pp_define lhs: (macro_lhs name: [(var) (atom)] @name)) @definition.macro
(record_decl name: (atom) @name) @definition.struct
(type_alias name: (type_name name: (atom) @name)) @definition.type
(opaque name: (type_name name: (atom) @name)) @definition.type
(callback fun: (atom) @name) @definition.function

(call expr: (atom) @name) @reference.call
(macro_call_expr name: (_) @name) @reference.call
