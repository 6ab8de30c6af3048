; A stage with a name.
(from_instruction as: (image_alias) @name) @definition.function
