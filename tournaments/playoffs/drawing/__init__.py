"""Pictures that the server draws: the bracket of the play-offs, as SVG and on paper."""
