"""Rule sets as data: fields, presets and variants."""
