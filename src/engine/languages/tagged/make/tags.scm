((rule (targets . (_) @name) (recipe)? @body) @definition.function
  (#not-match? @name "^\\.[A-Z]"))
(define_directive name: (word) @name) @definition.macro

(prerequisites (word) @name) @reference.call
