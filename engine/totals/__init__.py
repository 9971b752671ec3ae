"""Could a paper sheet's totals come from any game?"""
