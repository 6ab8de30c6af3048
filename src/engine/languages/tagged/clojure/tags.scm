((source
  (list_lit
    .
    value: (sym_lit name: (sym_name) @kind)
    .
    value: (sym_lit name: (sym_name) @name)
    (#eq? @kind "ns")) @definition.namespace))

(list_lit
  .
  value: (sym_lit name: (sym_name) @kind)
  .
  value: (sym_lit name: (sym_name) @name)
  (#match? @kind "^(def(n|n-|macro|multi|method|test|test-|inline|generate|component)?|>defn-?|defn-spec|definline|deftest|defspec|defun)$")
  (#not-eq? @kind "def")) @definition.function
(list_lit
  .
  value: (sym_lit name: (sym_name) @kind)
  .
  value: (sym_lit name: (sym_name) @name)
  (#any-of? @kind "defprotocol" "defrecord" "deftype" "definterface" "defstruct")) @definition.type
; (def total (fn [x] …))
(list_lit
  .
  value: (sym_lit name: (sym_name) @kind)
  .
  value: (sym_lit name: (sym_name) @name)
  value: (list_lit . value: (sym_lit name: (sym_name) @maker))
  (#any-of? @kind "def" "defonce")
  (#any-of? @maker "fn" "fn*" "partial" "comp" "memoize" "complement" "juxt")) @definition.function
; Methods of protocols, records and types.
(list_lit
  .
  value: (sym_lit name: (sym_name) @kind)
  value: (list_lit . value: (sym_lit name: (sym_name) @name) . value: (vec_lit)) @definition.method
  (#any-of? @kind "defprotocol" "defrecord" "deftype" "definterface"))

(list_lit . value: (sym_lit name: (sym_name) @name)) @reference.call
