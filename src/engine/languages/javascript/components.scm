; mention: names in templates, which count as calls: `@click="save"`, `{total}`. Tags are statements with the component's name.
(identifier) @mention.name
(shorthand_property_identifier) @mention.name
