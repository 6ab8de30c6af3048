; Names in JSX; see tokens.scm.

(jsx_attribute (property_identifier) @property)
