"""The files of the pages: templates, style sheets, scripts."""
