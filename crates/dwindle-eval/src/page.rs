//! What an experiment says: tables, claims, plots; as Markdown, and as a part of one HTML page.

use std::fmt::Write;

/// The findings of one experiment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) title: String,
    /// The command that makes it again.
    pub(crate) command: String,
    pub(crate) notes: Vec<String>,
    pub(crate) tables: Vec<Table>,
    pub(crate) claims: Vec<Claim>,
    /// Pictures, as SVG documents, each with its title.
    pub(crate) plots: Vec<(String, String)>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// Something that a paper says, and whether it is so here.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) what: String,
    pub(crate) published: String,
    pub(crate) ours: String,
    /// Nothing where there is too little to tell.
    pub(crate) agrees: Option<bool>,
}

impl Table {
    pub(crate) fn new(title: &str, header: &[&str]) -> Self {
        let header = header.iter().map(|name| (*name).to_owned()).collect();
        Self { title: title.to_owned(), header, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Page {
    /// That the paper says `published`, and here it is `ours`.
    pub(crate) fn claim(
        &mut self,
        what: &str,
        published: impl Into<String>,
        ours: String,
        agrees: Option<bool>,
    ) {
        let (what, published) = (what.to_owned(), published.into());
        self.claims.push(Claim { what, published, ours, agrees });
    }

    /// All tables, the claims as the last.
    fn all_tables(&self) -> Vec<Table> {
        let mut claims = Table::new("Does the direction agree?", &["claim", "published", "here", "agrees"]);
        for Claim { what, published, ours, agrees } in &self.claims {
            let agrees = match agrees {
                Some(true) => "yes",
                Some(false) => "**no**",
                None => "too little data",
            };
            claims.row([what, published, ours, agrees].map(|cell| cell.to_owned()));
        }
        let claims = (!self.claims.is_empty()).then_some(claims);
        self.tables.iter().cloned().chain(claims).collect()
    }

    /// As Markdown, without the pictures.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n    {}\n", self.title, self.command);
        for note in &self.notes {
            let _ = write!(text, "\n{note}\n");
        }
        for Table { title, header, rows } in self.all_tables() {
            let _ = write!(text, "\n## {title}\n\n| {} |\n", header.join(" | "));
            let _ = writeln!(text, "|---|{}", "--:|".repeat(header.len().saturating_sub(1)));
            for row in &rows {
                let _ = writeln!(text, "| {} |", row.join(" | "));
            }
        }
        text
    }

    fn section(&self) -> String {
        let mut text =
            format!("<section><h2>{}</h2><pre>{}</pre>", escaped(&self.title), escaped(&self.command));
        for note in &self.notes {
            let _ = write!(text, "<p>{}</p>", escaped(note));
        }
        for Table { title, header, rows } in self.all_tables() {
            let row = |cells: &[String], tag: &str| -> String {
                cells
                    .iter()
                    .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell).replace("**", "")))
                    .collect()
            };
            let _ = write!(text, "<h3>{}</h3><table><tr>{}</tr>", escaped(&title), row(&header, "th"));
            for cells in &rows {
                let _ = write!(text, "<tr>{}</tr>", row(cells, "td"));
            }
            text.push_str("</table>");
        }
        for (title, svg) in &self.plots {
            // What comes before the element has no place in a page.
            let svg = &svg[svg.find("<svg").unwrap_or(0)..];
            let _ = write!(text, "<figure><figcaption>{}</figcaption>{svg}</figure>", escaped(title));
        }
        text + "</section>\n"
    }
}

/// One page of HTML with everything in it.
pub(crate) fn html(pages: &[Page]) -> String {
    const HEAD: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>dwindle: evaluation</title>\
        <style>body{font:15px sans-serif;margin:2em auto;max-width:76em}table{border-collapse:collapse;margin:1em 0}\
        td,th{border:1px solid #ccc;padding:.2em .6em;text-align:right}td:first-child,th:first-child{text-align:left}\
        pre{background:#f4f4f4;padding:.5em}figure{margin:1em 0}</style></head><body><h1>dwindle: evaluation</h1>\n";
    let sections: String = pages.iter().map(Page::section).collect();
    format!("{HEAD}{sections}</body></html>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// `figure` with about three digits, never less than its whole part.
pub(crate) fn short(figure: f64) -> String {
    match figure.abs() {
        figure if figure.is_nan() => "-".to_owned(),
        ..9.995 => format!("{figure:.2}"),
        ..99.95 => format!("{figure:.1}"),
        _ => format!("{figure:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_tables_claims_and_pictures() {
        let mut page = Page { title: "a < b".to_owned(), command: "run it".to_owned(), ..Page::default() };
        let mut table = Table::new("sizes", &["case", "tokens"]);
        table.row(["x".to_owned(), "3".to_owned()]);
        page.tables.push(table);
        page.claim("smaller", "2", "3".to_owned(), Some(false));
        page.plots.push(("plot".to_owned(), "<?xml?><svg></svg>".to_owned()));
        assert_eq!(
            page.markdown(),
            "# a < b\n\n    run it\n\n## sizes\n\n| case | tokens |\n|---|--:|\n| x | 3 |\n\n\
             ## Does the direction agree?\n\n| claim | published | here | agrees |\n|---|--:|--:|--:|\n\
             | smaller | 2 | 3 | **no** |\n"
        );
        let html = html(&[page]);
        assert!(html.contains("<h2>a &lt; b</h2>") && html.contains("<td>no</td>"), "{html}");
        assert!(html.contains("</figcaption><svg></svg>"), "{html}");
    }
}
