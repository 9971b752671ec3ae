"""English; the comments here say what each text is for, in all languages."""
