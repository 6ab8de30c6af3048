; A stage with a name.
(from_instruction as: (image_alias) @name) @definition.function
; One without a name has that of its image.
((from_instruction (image_spec name: (image_name) @name)) @definition.function
  (#not-match? @definition.function "[ \t][aA][sS][ \t]"))
