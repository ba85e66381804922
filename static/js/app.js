// The modules of the pages; each looks for its data-* attribute.
