; { computed: { total: { get() {}, set() {} } }, watch: { total: { handler() {} } } } has a function for each name.
(pair
  key: (property_identifier) @definition.group
  value: (object
    (pair
      key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
      value: (object . "{" @definition.end [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
      ])) @definition.function)
  (#any-of? @definition.group "computed" "watch"))

; { extends: Base, mixins: [Shared] } of the component that a file exports.
(export_statement value: (object
  (pair key: (property_identifier) @base.key value: [
    (identifier) @base.name
    (array (identifier) @base.name)
  ])
  (#any-of? @base.key "extends" "mixins")))
(export_statement value: (call_expression arguments: (arguments . (object
  (pair key: (property_identifier) @base.key value: [
    (identifier) @base.name
    (array (identifier) @base.name)
  ])
  (#any-of? @base.key "extends" "mixins")))))
