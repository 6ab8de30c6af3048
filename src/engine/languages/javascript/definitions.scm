; Definitions that JavaScript and TypeScript share. A capture is named `role.part`, and all captures of a pattern
; have the same role; comments in src/engine/languages/python/*.scm explain the roles.

(function_declaration
  name: (identifier) @definition.name
  body: (statement_block . "{" @definition.end)) @definition.function
(generator_function_declaration
  name: (identifier) @definition.name
  body: (statement_block . "{" @definition.end)) @definition.function

; Methods of classes and of objects.
(method_definition
  name: [
    (property_identifier) @definition.name
    (private_property_identifier) @definition.name
    (computed_property_name [(member_expression) (identifier) (string)]) @definition.name
    (string (string_fragment) @definition.name)
  ]
  body: (statement_block . "{" @definition.end)) @definition.function

; const f = () => {}, const f = function () {}, const C = class {}
(variable_declarator
  name: (identifier) @definition.name
  value: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
    (generator_function body: (statement_block . "{" @definition.end))
    (parenthesized_expression (arrow_function "=>" @definition.end))
    (parenthesized_expression (function_expression body: (statement_block . "{" @definition.end)))
    (assignment_expression right: (arrow_function "=>" @definition.end))
    (assignment_expression right: (function_expression body: (statement_block . "{" @definition.end)))
  ]) @definition.function
(variable_declarator
  name: (identifier) @definition.name
  value: (class body: (class_body . "{" @definition.end))) @definition.class

; Functions that only call what they are given, and so give it no name.
(#define! callbacks
  "map" "filter" "find" "findIndex" "findLast" "some" "every" "reduce" "reduceRight" "flatMap" "sort" "toSorted" "forEach"
  "from" "then" "catch" "replace" "replaceAll" "setTimeout" "setInterval" "fromEntries")

; const f = memo(() => {}), const C = $constructor("C", (self) => {}); without `map` and the like.
(variable_declarator
  name: (identifier) @definition.name
  value: (call_expression
    function: [
      (identifier) @definition.callee
      (member_expression object: (identifier) property: (_) @definition.callee)
    ]
    arguments: (arguments [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
      (call_expression arguments: (arguments [
        (arrow_function "=>" @definition.end)
        (function_expression body: (statement_block . "{" @definition.end))
      ]))
    ]))
  (#not-any-of? @definition.callee $callbacks)) @definition.function

; An object with functions is a class: const api = { get() {} }, const C = defineComponent({ setup() {} })
(variable_declarator
  name: (identifier) @definition.name
  value: [
    (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ])
    (call_expression arguments: (arguments . (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ]) .))
  ]) @definition.class
; Foo.prototype = { bar() {} }
(assignment_expression
  left: (member_expression
    object: [(identifier) @definition.name (member_expression property: (property_identifier) @definition.name)]
    property: (property_identifier) @definition.prototype)
  right: (object . "{" @definition.end [(method_definition) (pair value: [(arrow_function) (function_expression)])])
  (#eq? @definition.prototype "prototype")) @definition.class
; Members of `module.exports = {}` belong to the module.
(assignment_expression
  left: (member_expression property: (property_identifier) @definition.name)
  right: (object . "{" @definition.end [(method_definition) (pair value: [(arrow_function) (function_expression)])])
  (#not-any-of? @definition.name "exports" "prototype")) @definition.class

; Functions of such an object, and of objects nested in it: `default.methods.save`.
(variable_declarator value: (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
      (generator_function body: (statement_block . "{" @definition.end))
    ]) @definition.function))
(assignment_expression right: (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
      (generator_function body: (statement_block . "{" @definition.end))
    ]) @definition.function))
(export_statement value: (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
      (generator_function body: (statement_block . "{" @definition.end))
    ]) @definition.function))
(variable_declarator value: (call_expression arguments: (arguments (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]) @definition.function))))
(export_statement value: (call_expression arguments: (arguments (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]) @definition.function))))
(pair
  key: (property_identifier) @definition.name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @definition.body) @definition.namespace
(pair value: (object
  (pair
    key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
    value: [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]) @definition.function))

; { save: debounce(function () {}) }; without `map` and the like, and without jest.fn()
(pair
  key: [(property_identifier) @definition.name (string (string_fragment) @definition.name)]
  value: (call_expression
    function: [
      (identifier) @definition.callee
      (member_expression object: (identifier) property: (_) @definition.callee)
    ]
    arguments: (arguments [
      (arrow_function "=>" @definition.end)
      (function_expression body: (statement_block . "{" @definition.end))
    ]))
  (#not-any-of? @definition.callee $callbacks "fn")) @definition.function
(variable_declarator
  name: (identifier) @definition.name
  value: (object . "{" @definition.end (pair value: (call_expression
    function: [
      (identifier) @definition.callee
      (member_expression object: (identifier) property: (_) @definition.callee)
    ]
    arguments: (arguments [(arrow_function) (function_expression)]))))
  (#not-any-of? @definition.callee $callbacks "fn")) @definition.class

; export default without a name
(export_statement
  "default" @definition.name
  value: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
    (generator_function body: (statement_block . "{" @definition.end))
    (call_expression arguments: (arguments [
      (arrow_function "=>" @definition.end)
      (function_expression !name body: (statement_block . "{" @definition.end))
      (call_expression arguments: (arguments [
        (arrow_function "=>" @definition.end)
        (function_expression !name body: (statement_block . "{" @definition.end))
      ]))
    ]))
  ]) @definition.function
; export default memo(function Row() {}), also with several calls around the function
(export_statement
  "default"
  value: (call_expression arguments: (arguments [
    (function_expression name: (identifier) @definition.name body: (statement_block . "{" @definition.end))
    (call_expression arguments: (arguments
      (function_expression name: (identifier) @definition.name body: (statement_block . "{" @definition.end))))
  ]))) @definition.function
(export_statement
  "default" @definition.name
  value: [
    (class body: (class_body . "{" @definition.end))
    (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ])
    (call_expression arguments: (arguments . (object . "{" @definition.end [
      (method_definition)
      (pair value: [(arrow_function) (function_expression) (generator_function)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ]) .))
  ]) @definition.class

; module.exports = function () {}: named by its own name, or as in Node's frames.
(assignment_expression
  left: (member_expression object: (identifier) @definition.module property: (property_identifier) @definition.property)
  right: (function_expression
    name: (identifier) @definition.name
    body: (statement_block . "{" @definition.end))
  (#eq? @definition.module "module")
  (#eq? @definition.property "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @definition.module property: (property_identifier) @definition.name)
  right: [
    (arrow_function "=>" @definition.end)
    (function_expression !name body: (statement_block . "{" @definition.end))
    (generator_function !name body: (statement_block . "{" @definition.end))
  ]
  (#eq? @definition.module "module")
  (#eq? @definition.name "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @definition.module property: (property_identifier) @definition.property)
  right: (class name: (_) @definition.name body: (class_body . "{" @definition.end))
  (#eq? @definition.module "module")
  (#eq? @definition.property "exports")) @definition.class
(assignment_expression
  left: (member_expression object: (identifier) @definition.module property: (property_identifier) @definition.name)
  right: (class !name body: (class_body . "{" @definition.end))
  (#eq? @definition.module "module")
  (#eq? @definition.name "exports")) @definition.class

; exports.f = () => {}, window.f = function () {}, this.f = function () {}, module.exports.f = function () {}
(assignment_expression
  left: (member_expression
    object: [(identifier) @definition.module (this) @definition.module]
    property: (property_identifier) @definition.name)
  right: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
    (generator_function body: (statement_block . "{" @definition.end))
  ]
  (#any-of? @definition.module "exports" "window" "self" "globalThis" "global" "root" "this")) @definition.function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @definition.module property: (property_identifier) @definition.property)
    property: (property_identifier) @definition.name)
  right: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
    (generator_function body: (statement_block . "{" @definition.end))
  ]
  (#eq? @definition.module "module")
  (#eq? @definition.property "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: [(identifier) @definition.module (this) @definition.module (member_expression) @definition.module]
    property: (property_identifier) @definition.name)
  right: (class body: (class_body . "{" @definition.end))
  (#not-eq? @definition.module "module")) @definition.class

; Foo.prototype.bar = function () {}
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: [(identifier) @definition.owner (member_expression property: (property_identifier) @definition.owner)]
      property: (property_identifier) @definition.prototype)
    property: (property_identifier) @definition.name)
  right: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
    (generator_function body: (statement_block . "{" @definition.end))
  ]
  (#eq? @definition.prototype "prototype")) @definition.function
; Foo.bar = function () {}, exports.Foo.bar = function () {}
(assignment_expression
  left: (member_expression
    object: [
      (identifier) @definition.owner
      (member_expression object: (_) @definition.before property: (property_identifier) @definition.owner)
    ]
    property: (property_identifier) @definition.name)
  right: [
    (arrow_function "=>" @definition.end)
    (function_expression body: (statement_block . "{" @definition.end))
    (generator_function body: (statement_block . "{" @definition.end))
  ]
  (#not-any-of? @definition.owner "exports" "module" "prototype" "window" "self" "globalThis" "global" "root")
  (#not-any-of? @definition.before "module")) @definition.function

; Any other named function: on('data', function read() {})
(function_expression
  name: (identifier) @definition.name
  body: (statement_block . "{" @definition.end)) @definition.function
(arguments (class name: (_) @definition.name body: (class_body . "{" @definition.end)) @definition.class)

(export_statement declaration: (_) @decorated.definition) @decorated.node
(lexical_declaration . (variable_declarator) @decorated.definition .) @decorated.node
(variable_declaration . (variable_declarator) @decorated.definition .) @decorated.node

(comment) @before.node

(class_body (_) @member.node)
(object (_) @member.node)

(ERROR) @error.node
(MISSING) @error.node

; Tests in a source: if (import.meta.vitest) {}
(if_statement
  condition: (parenthesized_expression
    (member_expression object: (_) @testing.object property: (property_identifier) @testing.property))
  consequence: (statement_block) @testing.node
  (#eq? @testing.object "import.meta")
  (#eq? @testing.property "vitest"))
