//! Loads a grammar, parses a text by it and says what that took:
//! `measure GRAMMAR LEXER|- START|- TEXT`.

use std::path::Path;
use std::time::Instant;

use dwindle_cfg::{Grammar, TreeForm, antlr, yacc};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [grammar, lexer, start, text] = &arguments[..] else {
        return Err("GRAMMAR, LEXER or -, START or -, TEXT are wanted".into());
    };
    let lexer = (lexer != "-").then(|| Path::new(lexer));
    let start = (start != "-").then_some(start.as_str());
    let began = Instant::now();
    let grammar: Grammar = match (Path::new(grammar), lexer) {
        (path, Some(lexer)) if path.extension().is_some_and(|name| name == "y") => {
            yacc::read(path, lexer, start, TreeForm::Lists)?
        }
        (path, lexer) => antlr::read(path, lexer, start, TreeForm::Lists)?,
    };
    println!("{} rules, {} productions, {:?}", grammar.rules().len(), grammar.productions(), began.elapsed());
    grammar.warnings().iter().for_each(|warning| println!("{warning}"));
    let missing: Vec<&str> = (0..)
        .zip(grammar.rules())
        .filter(|(index, _)| grammar.minimal(*index).is_none())
        .map(|(_, rule)| rule.name.as_str())
        .collect();
    println!("{} rules without a shortest text: {missing:?}", missing.len());
    let text = std::fs::read(text)?;
    let began = Instant::now();
    let tokens = grammar.tokens(&text)?;
    println!("{} tokens, {:?}", tokens.len(), began.elapsed());
    let began = Instant::now();
    let steps = grammar.parse(&text)?;
    println!("{} steps, {:?}", steps.len(), began.elapsed());
    let status = std::fs::read_to_string("/proc/self/status")?;
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
    Ok(())
}
