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
