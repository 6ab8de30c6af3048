; References. `name` is the last name of the callee, `chain` the whole of a dotted one.

; call: a function, a constructor.
(call_expression . (identifier) @call.name)
(call_expression . (navigation_expression (identifier) @call.name .) @call.chain)
(infix_expression . (_) @call.object . (identifier) @call.name . (_) .)
; Foo::bar
(navigation_expression (_) "::" (identifier) @call.name .) @call.chain

; decorator: annotations of types, functions and properties.
(_ (modifiers (annotation [
  (user_type (identifier) @decorator.name .)
  (constructor_invocation (user_type (identifier) @decorator.name .))])))

; base: a class or an interface; of `List<T>` it is `List`.
(delegation_specifier [
  (user_type (identifier) @base.name .) @base.chain
  (user_type (identifier) @base.name . (type_arguments) .)
  (constructor_invocation (user_type (identifier) @base.name .) @base.chain)
  (constructor_invocation (user_type (identifier) @base.name . (type_arguments) .))
  (explicit_delegation . (user_type (identifier) @base.name .) @base.chain)
  (explicit_delegation . (user_type (identifier) @base.name . (type_arguments) .))])

; import: the whole statement.
(import) @import.module

; package: where the file says it belongs.
(package_header (qualified_identifier) @package.name)
