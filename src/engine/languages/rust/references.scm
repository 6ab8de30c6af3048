; References. `name` is the last name of the callee; `chain` is the whole of a longer one.

; call: any call.
(call_expression function: (identifier) @call.name)
(call_expression function: (scoped_identifier name: (identifier) @call.name) @call.chain)
(call_expression function: (field_expression field: (field_identifier) @call.name) @call.chain)
(call_expression function: (generic_function function: (identifier) @call.name))
(call_expression
  function: (generic_function
    function: (scoped_identifier name: (identifier) @call.name) @call.chain))
(call_expression
  function: (generic_function
    function: (field_expression field: (field_identifier) @call.name) @call.chain))
; A macro is not expanded, only called. Those of the standard library share names with functions.
((macro_invocation macro: (identifier) @call.name)
  (#not-any-of?
    @call.name
    "assert" "assert_eq" "assert_ne" "cfg" "column" "compile_error"
    "concat" "dbg" "debug_assert" "debug_assert_eq" "debug_assert_ne" "env"
    "eprint" "eprintln" "file" "format" "format_args" "include"
    "include_bytes" "include_str" "line" "matches" "module_path" "option_env"
    "panic" "print" "println" "stringify" "thread_local" "todo"
    "unimplemented" "unreachable" "vec" "write" "writeln"))
(macro_invocation macro: (scoped_identifier name: (identifier) @call.name) @call.chain)
; T { }: a value of a type.
(struct_expression name: (type_identifier) @call.name)
(struct_expression name: (scoped_type_identifier name: (type_identifier) @call.name) @call.chain)
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @call.name))

; base: the traits that a trait requires, and the one that an `impl` implements.
(trait_item
  bounds: (trait_bounds
    [
      (type_identifier) @base.name
      (generic_type type: (type_identifier) @base.name)
      (scoped_type_identifier name: (type_identifier) @base.name) @base.chain
      (generic_type type: (scoped_type_identifier name: (type_identifier) @base.name) @base.chain)
    ]))
(impl_item
  trait: [
    (type_identifier) @base.name
    (generic_type type: (type_identifier) @base.name)
    (scoped_type_identifier name: (type_identifier) @base.name) @base.chain
    (generic_type type: (scoped_type_identifier name: (type_identifier) @base.name) @base.chain)
  ])

; import: `module` is a path of a `use`; `outer`, `middle` and `inner` are the paths of the braces around it.
; (One pattern for both forms of a path would miss some of the first form.)
; `super::*` in a `mod name { }` is this file, whose names are visible anyway.
((use_declaration argument: [(identifier) (self) (crate) (super) (scoped_identifier) (use_wildcard)] @import.module)
  (#not-eq? @import.module "super::*"))
((source_file (use_declaration argument: (use_wildcard) @import.module))
  (#eq? @import.module "super::*"))
(use_declaration argument:
  (use_as_clause path: (_) @import.module alias: (identifier) @import.alias))
(use_declaration argument: (use_list 
  [(identifier) (self) (crate) (super) (scoped_identifier) (use_wildcard)] @import.module))
(use_declaration argument: (use_list 
  (use_as_clause path: (_) @import.module alias: (identifier) @import.alias)))
(use_declaration argument: (scoped_use_list path: (_) @import.outer list: (use_list 
  [(identifier) (self) (crate) (super) (scoped_identifier) (use_wildcard)] @import.module)))
(use_declaration argument: (scoped_use_list path: (_) @import.outer list: (use_list 
  (use_as_clause path: (_) @import.module alias: (identifier) @import.alias))))
(use_declaration
  argument: (use_list (scoped_use_list path: (_) @import.outer list: (use_list 
  [(identifier) (self) (crate) (super) (scoped_identifier) (use_wildcard)] @import.module))))
(use_declaration
  argument: (use_list (scoped_use_list path: (_) @import.outer list: (use_list 
  (use_as_clause path: (_) @import.module alias: (identifier) @import.alias)))))
(use_declaration
  argument: (scoped_use_list
    path: (_) @import.outer
    list: (use_list (scoped_use_list path: (_) @import.middle list: (use_list 
  [(identifier) (self) (crate) (super) (scoped_identifier) (use_wildcard)] @import.module)))))
(use_declaration
  argument: (scoped_use_list
    path: (_) @import.outer
    list: (use_list (scoped_use_list path: (_) @import.middle list: (use_list 
  (use_as_clause path: (_) @import.module alias: (identifier) @import.alias))))))
(use_declaration
  argument: (scoped_use_list
    path: (_) @import.outer
    list: (use_list
      (scoped_use_list
        path: (_) @import.middle
        list: (use_list
          (scoped_use_list path: (_) @import.inner list: (use_list 
  [(identifier) (self) (crate) (super) (scoped_identifier) (use_wildcard)] @import.module)))))))
(use_declaration
  argument: (scoped_use_list
    path: (_) @import.outer
    list: (use_list
      (scoped_use_list
        path: (_) @import.middle
        list: (use_list
          (scoped_use_list path: (_) @import.inner list: (use_list 
  (use_as_clause path: (_) @import.module alias: (identifier) @import.alias))))))))
(extern_crate_declaration
  name: (identifier) @import.module
  alias: (identifier)? @import.alias)
; `mod name;` is a file; `mod name { }` is a part of this one.
(mod_item name: (identifier) @import.from !body)
(mod_item name: (identifier) @import.from @import.within body: (_))
; An otherwise undefined name may be a macro of the crate.
(source_file) @import.from @import.crate
