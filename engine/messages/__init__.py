"""Every sentence and name the rules need, in English and Swedish (rulebook §1-§8)."""
