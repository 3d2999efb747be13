//! Reports as SARIF 2.1.0, which code hosts and editors show.

use prowess_text::percent_encode_path;
use serde_json::{Value, json};

use crate::finding::{Report, ScanFinding, ScanSeverity};
use crate::rules;

/// Reports as one SARIF run. Each comes with the folder its files lie in, relative to the root of the run.
pub fn sarif(reports: &[(&str, &Report)]) -> Value {
    let rules: Vec<Value> = rules::rules()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.title },
                "fullDescription": { "text": rule.why },
                "help": { "text": rule.fix },
                "defaultConfiguration": { "level": level(rule.severity) },
                "properties": { "category": rule.category },
            })
        })
        .collect();
    let results: Vec<Value> = reports
        .iter()
        .flat_map(|(folder, report)| {
            report.findings.iter().map(move |finding| result(folder, report, finding))
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "prowess",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
            "columnKind": "unicodeCodePoints",
        }],
    })
}

fn level(severity: ScanSeverity) -> &'static str {
    match severity {
        ScanSeverity::Info => "note",
        ScanSeverity::Warn => "warning",
        ScanSeverity::Critical => "error",
    }
}

fn result(folder: &str, report: &Report, finding: &ScanFinding) -> Value {
    let uri = if folder.is_empty() {
        finding.file.clone()
    } else {
        format!("{}/{}", folder.trim_end_matches('/'), finding.file)
    };
    let mut location = json!({ "artifactLocation": { "uri": percent_encode_path(&uri) } });
    if finding.line > 0 {
        location["region"] = json!({
            "startLine": finding.line,
            "startColumn": finding.column,
            "endColumn": finding.end_column.max(finding.column),
            "snippet": { "text": finding.evidence },
        });
    }
    json!({
        "ruleId": finding.rule,
        "level": level(finding.severity),
        "message": { "text": format!("{}. {}.", finding.reason, finding.fix) },
        "locations": [{ "physicalLocation": location }],
        "partialFingerprints": { "contentRuleLine/v1": format!("{}:{}:{}:{}", report.content, finding.rule, finding.file, finding.line) },
    })
}
