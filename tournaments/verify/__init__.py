"""Does what is stored still follow from the entries, and are the entries those that were made?"""
