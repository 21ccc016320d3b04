"""Shows an assessment: ``content`` says it once, and one module a format sets it; nothing here computes a measure."""

FORMATS = {
    "text": "sqlrisk.report.text",
    "json": "sqlrisk.report.json",
    "markdown": "sqlrisk.report.markdown",
    "html": "sqlrisk.report.html",
    "sdp-json": "sqlrisk.report.sdp",
}
