//! A small toolkit for turning instrument logs into plain-text reports.
//!
//! It reads settings in the INI format, does a little calendar arithmetic, evaluates user-written
//! formulas, keeps recent results in a cache, and lays the outcome out as a table.

/// Helpers for measuring and padding text.
pub mod text {
    /// The number of terminal columns a string takes, with every character counted as one.
    pub fn width(s: &str) -> usize {
        s.chars().count()
    }

    /// Which side of a cell its padding goes to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Align {
        Left,
        Right,
        Center,
    }

    /// Pads `s` with spaces until it is `columns` wide; longer strings come back unchanged.
    pub fn pad(s: &str, columns: usize, align: Align) -> String {
        let missing = columns.saturating_sub(width(s));
        let before = match align {
            Align::Left => 0,
            Align::Right => missing,
            Align::Center => missing / 2,
        };
        let mut out = String::with_capacity(s.len() + missing);
        out.extend(std::iter::repeat_n(' ', before));
        out.push_str(s);
        out.extend(std::iter::repeat_n(' ', missing - before));
        out
    }

    /// Cuts `s` down to `columns` characters, ending in an ellipsis where something was lost.
    pub fn ellipsize(s: &str, columns: usize) -> String {
        if width(s) <= columns {
            return s.to_string();
        }
        let mut out: String = s.chars().take(columns.saturating_sub(1)).collect();
        out.push('…');
        out
    }

    /// Breaks a paragraph into lines of at most `columns` characters, at spaces.
    pub fn wrap(paragraph: &str, columns: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }
}

/// Borrowed pieces of larger buffers.
pub mod storage {
    use std::ops::Add;

    /// A run of neighbouring elements, lent out for writing.
    pub type Strip<'a, T> = &'a mut [T];

    /// How far two elements are apart.
    pub type Distance = usize;

    /// What tells where in a buffer an element is.
    pub trait Place: Copy + Add<Distance, Output = Self> {}

    impl Place for usize {}

    /// Cuts `count` elements off the front of a strip, or as many as there are.
    pub fn take_front<'a, T>(strip: &mut Strip<'a, T>, count: usize) -> Strip<'a, T> {
        let whole = std::mem::take(strip);
        let (front, rest) = whole.split_at_mut(count.min(whole.len()));
        *strip = rest;
        front
    }
}

/// Tables of text with aligned columns.
pub mod table {
    use crate::text::{ellipsize, pad, width, Align};
    use std::fmt;

    /// The heading of a column and how its cells are set.
    #[derive(Clone, Debug)]
    pub struct Column {
        title: String,
        align: Align,
        limit: Option<usize>,
    }

    impl Column {
        /// A column whose cells keep to the left.
        pub fn new(title: &str) -> Self {
            Column { title: title.to_string(), align: Align::Left, limit: None }
        }

        /// Sets the side the cells keep to.
        pub fn align(mut self, align: Align) -> Self {
            self.align = align;
            self
        }

        /// Sets the greatest width the column may have.
        pub fn limit(mut self, columns: usize) -> Self {
            self.limit = Some(columns);
            self
        }
    }

    /// Rows of cells under a common heading.
    #[derive(Clone, Debug, Default)]
    pub struct Table {
        columns: Vec<Column>,
        rows: Vec<Vec<String>>,
    }

    impl Table {
        /// An empty table with these columns.
        pub fn new(columns: Vec<Column>) -> Self {
            Table { columns, rows: Vec::new() }
        }

        /// Adds a row; missing cells stay empty and surplus ones are dropped.
        pub fn push<I, S>(&mut self, cells: I)
        where
            I: IntoIterator<Item = S>,
            S: Into<String>,
        {
            let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
            row.resize(self.columns.len(), String::new());
            self.rows.push(row);
        }

        fn widths(&self) -> Vec<usize> {
            let mut widths: Vec<usize> = self.columns.iter().map(|c| width(&c.title)).collect();
            for row in &self.rows {
                for (w, cell) in widths.iter_mut().zip(row) {
                    *w = (*w).max(width(cell));
                }
            }
            for (w, column) in widths.iter_mut().zip(&self.columns) {
                if let Some(limit) = column.limit {
                    *w = (*w).min(limit);
                }
            }
            widths
        }
    }

    impl fmt::Display for Table {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let widths = self.widths();
            let titles: Vec<String> = self.columns.iter().map(|c| c.title.clone()).collect();
            let rule = widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>().join("-+-");
            for (number, row) in std::iter::once(&titles).chain(&self.rows).enumerate() {
                if number == 1 {
                    writeln!(f, "{rule}")?;
                }
                let cells: Vec<String> = row
                    .iter()
                    .zip(&widths)
                    .zip(&self.columns)
                    .map(|((cell, w), column)| pad(&ellipsize(cell, *w), *w, column.align))
                    .collect();
                writeln!(f, "{}", cells.join(" | ").trim_end())?;
            }
            Ok(())
        }
    }
}

/// Settings in the INI format.
pub mod config {
    use std::collections::BTreeMap;
    use std::fmt;
    use std::str::FromStr;

    /// What is wrong with a settings file, and in which line.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ConfigError {
        UnclosedSection { line: usize },
        MissingEquals { line: usize },
        EmptyKey { line: usize },
        BadValue { key: String },
    }

    impl fmt::Display for ConfigError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                ConfigError::UnclosedSection { line } => {
                    write!(f, "line {line}: section heading without ']'")
                }
                ConfigError::MissingEquals { line } => write!(f, "line {line}: no '=' found"),
                ConfigError::EmptyKey { line } => write!(f, "line {line}: nothing before '='"),
                ConfigError::BadValue { key } => write!(f, "the value of '{key}' makes no sense"),
            }
        }
    }

    impl std::error::Error for ConfigError {}

    /// The sections of a settings file; keys above the first heading belong to section "".
    #[derive(Clone, Debug, Default)]
    pub struct Config {
        sections: BTreeMap<String, BTreeMap<String, String>>,
    }

    impl Config {
        /// Reads a whole file.
        pub fn parse(source: &str) -> Result<Self, ConfigError> {
            let mut config = Config::default();
            let mut section = String::new();
            for (index, raw) in source.lines().enumerate() {
                let line = index + 1;
                let content = raw.trim();
                if content.is_empty() || content.starts_with([';', '#']) {
                    continue;
                }
                if let Some(heading) = content.strip_prefix('[') {
                    let name = heading.strip_suffix(']').ok_or(ConfigError::UnclosedSection { line })?;
                    section = name.trim().to_lowercase();
                    continue;
                }
                let (key, value) = content.split_once('=').ok_or(ConfigError::MissingEquals { line })?;
                let key = key.trim();
                if key.is_empty() {
                    return Err(ConfigError::EmptyKey { line });
                }
                config
                    .sections
                    .entry(section.clone())
                    .or_default()
                    .insert(key.to_lowercase(), unquote(value.trim()).to_string());
            }
            Ok(config)
        }

        /// The raw text of a setting.
        pub fn get(&self, section: &str, key: &str) -> Option<&str> {
            self.sections.get(section)?.get(key).map(String::as_str)
        }

        /// A setting in the type the caller needs, or `fallback` where it is not set.
        pub fn get_or<T: FromStr>(&self, section: &str, key: &str, fallback: T) -> Result<T, ConfigError> {
            match self.get(section, key) {
                None => Ok(fallback),
                Some(value) => {
                    value.parse().map_err(|_| ConfigError::BadValue { key: format!("{section}.{key}") })
                }
            }
        }
    }

    fn unquote(value: &str) -> &str {
        value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
    }
}

/// Days of the Gregorian calendar.
pub mod calendar {
    use std::fmt;
    use std::ops::{Add, Sub};

    /// A date, as the number of days since the first of January 1970.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Date(i64);

    /// The days of the week, Monday first.
    pub const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

    /// Whether a year has a 29th of February.
    pub fn is_leap(year: i64) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The length of a month, which is counted from 1.
    pub fn days_in_month(year: i64, month: u32) -> u32 {
        match month {
            4 | 6 | 9 | 11 => 30,
            2 if is_leap(year) => 29,
            2 => 28,
            _ => 31,
        }
    }

    impl Date {
        /// The date with this year, month and day, if there is one.
        pub fn new(year: i64, month: u32, day: u32) -> Option<Self> {
            if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
                return None;
            }
            let shifted = if month > 2 { year } else { year - 1 };
            let era = shifted.div_euclid(400);
            let year_of_era = shifted.rem_euclid(400);
            let month_from_march = i64::from((month + 9) % 12);
            let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
            let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
            Some(Date(era * 146_097 + day_of_era - 719_468))
        }

        /// Year, month and day.
        pub fn parts(self) -> (i64, u32, u32) {
            let days = self.0 + 719_468;
            let era = days.div_euclid(146_097);
            let day_of_era = days.rem_euclid(146_097);
            let year_of_era =
                (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
            let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
            let month_from_march = (5 * day_of_year + 2) / 153;
            let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
            let month = (month_from_march + 2) as u32 % 12 + 1;
            let year = era * 400 + year_of_era + i64::from(month <= 2);
            (year, month, day)
        }

        /// The place of the day in its week, Monday being 0.
        pub fn weekday(self) -> usize {
            (self.0 + 3).rem_euclid(7) as usize
        }

        /// The same day some months later, or the last one of a month that is too short.
        pub fn plus_months(self, months: i64) -> Self {
            let (year, month, day) = self.parts();
            let total = year * 12 + i64::from(month) - 1 + months;
            let (year, month) = (total.div_euclid(12), total.rem_euclid(12) as u32 + 1);
            let day = day.min(days_in_month(year, month));
            Date::new(year, month, day).unwrap_or(self)
        }

        /// Reads a date such as `2024-02-29`.
        pub fn parse(source: &str) -> Option<Self> {
            let mut fields = source.splitn(3, '-');
            let year = fields.next()?.parse().ok()?;
            let month = fields.next()?.parse().ok()?;
            let day = fields.next()?.parse().ok()?;
            Date::new(year, month, day)
        }
    }

    impl Add<i64> for Date {
        type Output = Date;

        fn add(self, days: i64) -> Date {
            Date(self.0 + days)
        }
    }

    impl Sub for Date {
        type Output = i64;

        fn sub(self, earlier: Date) -> i64 {
            self.0 - earlier.0
        }
    }

    impl fmt::Display for Date {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let (year, month, day) = self.parts();
            write!(f, "{year:04}-{month:02}-{day:02}")
        }
    }
}

/// Sharing out buffers among a fixed number of workers.
pub mod panels {
    use crate::storage::{self, Distance, Place, Strip};

    /// How many workers there are.
    pub const WORKERS: usize = 4;

    /// One piece of a buffer for each worker; late workers may get nothing.
    #[derive(Debug)]
    pub struct Panels<'a, T> {
        strips: [Strip<'a, T>; WORKERS],
        stride: usize,
    }

    impl<'a, T> Panels<'a, T> {
        /// Pieces to be filled in, all of them empty so far.
        pub fn vacant(stride: usize) -> Self {
            Panels { strips: std::array::from_fn(|_| Strip::default()), stride: stride.max(1) }
        }

        /// Deals out a buffer, cutting only between its rows.
        pub fn deal(buffer: Strip<'a, T>, stride: usize) -> Self {
            let mut panels = Self::vacant(stride);
            let rows = buffer.len().div_ceil(panels.stride);
            let share = rows.div_ceil(WORKERS) * panels.stride;
            let mut rest = buffer;
            for strip in &mut panels.strips {
                *strip = storage::take_front(&mut rest, share);
            }
            panels
        }

        /// How many workers have something to do.
        pub fn busy(&self) -> usize {
            self.strips.iter().filter(|s| !s.is_empty()).count()
        }

        /// Calls `work` for every row, with the number of the worker that owns it.
        pub fn each_row(&mut self, mut work: impl FnMut(usize, &mut [T])) {
            for (worker, strip) in self.strips.iter_mut().enumerate() {
                for row in strip.chunks_mut(self.stride) {
                    work(worker, row);
                }
            }
        }
    }

    /// Finding the rows of a buffer by their numbers.
    pub trait Locate {
        /// The way places are written down.
        type Spot: Place;

        /// Where the row with this number begins.
        fn locate(&self, row: usize) -> Self::Spot;
    }

    /// The grid a buffer is divided by; `origin` is the place of its first element.
    #[derive(Clone, Copy, Debug)]
    pub struct Grid<P> {
        pub origin: P,
        pub pitch: Distance,
    }

    impl Locate for Grid<usize> {
        type Spot = usize;

        fn locate(&self, row: usize) -> usize {
            self.origin + row * self.pitch
        }
    }

    /// Things that keep their elements in one buffer made of rows.
    pub trait Partition {
        /// What the buffer holds.
        type Element;

        /// The length of a row.
        fn stride(&self) -> usize;

        /// The whole buffer.
        fn buffer(&mut self) -> Strip<'_, Self::Element>;

        /// The buffer in pieces.
        fn partition(&mut self) -> Panels<'_, Self::Element> {
            let stride = self.stride();
            Panels::deal(self.buffer(), stride)
        }
    }
}

/// Formulas with named variables.
pub mod formula {
    use std::collections::HashMap;
    use std::iter::Peekable;
    use std::str::Chars;

    /// Why a formula has no value.
    #[derive(Clone, Debug, PartialEq)]
    pub enum FormulaError {
        Unexpected(char),
        EndOfInput,
        BadNumber(String),
        UnknownName(String),
        DivisionByZero,
    }

    /// A formula, ready to be evaluated.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Expr {
        Number(f64),
        Variable(String),
        Negate(Box<Expr>),
        Binary(Box<Expr>, char, Box<Expr>),
        Call(String, Box<Expr>),
    }

    struct Parser<'s> {
        input: Peekable<Chars<'s>>,
    }

    impl<'s> Parser<'s> {
        fn peek(&mut self) -> Option<char> {
            while self.input.next_if(|c| c.is_whitespace()).is_some() {}
            self.input.peek().copied()
        }

        fn expect(&mut self, wanted: char) -> Result<(), FormulaError> {
            match self.peek() {
                Some(c) if c == wanted => {
                    self.input.next();
                    Ok(())
                }
                Some(c) => Err(FormulaError::Unexpected(c)),
                None => Err(FormulaError::EndOfInput),
            }
        }

        fn run(&mut self, accept: impl Fn(char) -> bool) -> String {
            let mut word = String::new();
            while let Some(c) = self.input.next_if(|c| accept(*c)) {
                word.push(c);
            }
            word
        }

        fn binary(&mut self, level: u32) -> Result<Expr, FormulaError> {
            let mut left = self.prefix()?;
            while let Some(op) = self.peek() {
                let strength = match op {
                    '+' | '-' => 1,
                    '*' | '/' | '%' => 2,
                    '^' => 3,
                    _ => break,
                };
                if strength < level {
                    break;
                }
                self.input.next();
                let next_level = if op == '^' { strength } else { strength + 1 };
                let right = self.binary(next_level)?;
                left = Expr::Binary(Box::new(left), op, Box::new(right));
            }
            Ok(left)
        }

        fn prefix(&mut self) -> Result<Expr, FormulaError> {
            match self.peek().ok_or(FormulaError::EndOfInput)? {
                '-' => {
                    self.input.next();
                    Ok(Expr::Negate(Box::new(self.binary(3)?)))
                }
                '(' => {
                    self.input.next();
                    let inner = self.binary(1)?;
                    self.expect(')')?;
                    Ok(inner)
                }
                c if c.is_ascii_digit() || c == '.' => {
                    let digits = self.run(|c| c.is_ascii_digit() || c == '.');
                    match digits.parse() {
                        Ok(number) => Ok(Expr::Number(number)),
                        Err(_) => Err(FormulaError::BadNumber(digits)),
                    }
                }
                c if c.is_alphabetic() || c == '_' => {
                    let name = self.run(|c| c.is_alphanumeric() || c == '_');
                    if self.peek() != Some('(') {
                        return Ok(Expr::Variable(name));
                    }
                    self.input.next();
                    let argument = self.binary(1)?;
                    self.expect(')')?;
                    Ok(Expr::Call(name, Box::new(argument)))
                }
                c => Err(FormulaError::Unexpected(c)),
            }
        }
    }

    impl Expr {
        /// Reads a formula such as `2 * (x + 1)`.
        pub fn parse(source: &str) -> Result<Self, FormulaError> {
            let mut parser = Parser { input: source.chars().peekable() };
            let expr = parser.binary(1)?;
            match parser.peek() {
                None => Ok(expr),
                Some(c) => Err(FormulaError::Unexpected(c)),
            }
        }

        /// The value of the formula for these variables.
        pub fn eval(&self, names: &HashMap<String, f64>) -> Result<f64, FormulaError> {
            match self {
                Expr::Number(value) => Ok(*value),
                Expr::Variable(name) => {
                    names.get(name).copied().ok_or_else(|| FormulaError::UnknownName(name.clone()))
                }
                Expr::Negate(inner) => Ok(-inner.eval(names)?),
                Expr::Call(name, argument) => {
                    let x = argument.eval(names)?;
                    match name.as_str() {
                        "abs" => Ok(x.abs()),
                        "sqrt" => Ok(x.sqrt()),
                        "round" => Ok(x.round()),
                        _ => Err(FormulaError::UnknownName(name.clone())),
                    }
                }
                Expr::Binary(left, op, right) => {
                    let (a, b) = (left.eval(names)?, right.eval(names)?);
                    match op {
                        '+' => Ok(a + b),
                        '-' => Ok(a - b),
                        '*' => Ok(a * b),
                        '^' => Ok(a.powf(b)),
                        '/' | '%' if b == 0.0 => Err(FormulaError::DivisionByZero),
                        '/' => Ok(a / b),
                        '%' => Ok(a % b),
                        other => Err(FormulaError::Unexpected(*other)),
                    }
                }
            }
        }
    }
}

/// Matrices of floating-point numbers.
pub mod matrix {
    use crate::panels::{Grid, Partition};
    use crate::storage::Strip;
    use std::ops::{Add, Index, IndexMut};

    /// A rectangle of numbers, kept row by row.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Matrix {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }

    impl Matrix {
        /// A matrix of zeros.
        pub fn zeros(rows: usize, cols: usize) -> Self {
            Matrix { rows, cols, data: vec![0.0; rows * cols] }
        }

        /// A matrix with ones along its diagonal and zeros elsewhere.
        pub fn identity(size: usize) -> Self {
            let mut result = Matrix::zeros(size, size);
            for i in 0..size {
                result[(i, i)] = 1.0;
            }
            result
        }

        /// Multiplies every element by `factor`, panel after panel.
        pub fn scale(&mut self, factor: f64) {
            self.partition().each_row(|_, row| {
                for x in row {
                    *x *= factor;
                }
            });
        }

        /// The places of the elements in memory, for handing them to other programs.
        pub fn grid(&self) -> Grid<*const f64> {
            Grid { origin: self.data.as_ptr(), pitch: self.cols }
        }

        /// Solves `self * x = right` by elimination; `None` for a singular matrix.
        pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
            let n = self.rows;
            if self.cols != n || right.len() != n {
                return None;
            }
            let mut a = self.clone();
            let mut x = right.to_vec();
            for col in 0..n {
                let pivot = (col..n).max_by(|&i, &j| a[(i, col)].abs().total_cmp(&a[(j, col)].abs()))?;
                if a[(pivot, col)].abs() < 1e-12 {
                    return None;
                }
                for k in 0..n {
                    a.data.swap(pivot * n + k, col * n + k);
                }
                x.swap(pivot, col);
                for row in (0..n).filter(|&row| row != col) {
                    let ratio = a[(row, col)] / a[(col, col)];
                    for k in col..n {
                        let above = a[(col, k)];
                        a[(row, k)] -= ratio * above;
                    }
                    x[row] -= ratio * x[col];
                }
            }
            for (i, value) in x.iter_mut().enumerate() {
                *value /= a[(i, i)];
            }
            Some(x)
        }
    }

    impl Partition for Matrix {
        type Element = f64;

        fn stride(&self) -> usize {
            self.cols
        }

        fn buffer(&mut self) -> Strip<'_, f64> {
            &mut self.data
        }
    }

    /// The place of the first element of a row, every row being `pitch` elements long.
    pub fn place_of<T>(origin: *const T, row: usize, pitch: usize) -> *const T
    where
        *const T: Add<usize, Output = *const T>,
    {
        let skipped = row * pitch;
        origin + skipped
    }

    impl Index<(usize, usize)> for Matrix {
        type Output = f64;

        fn index(&self, (row, col): (usize, usize)) -> &f64 {
            &self.data[row * self.cols + col]
        }
    }

    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (row, col): (usize, usize)) -> &mut f64 {
            &mut self.data[row * self.cols + col]
        }
    }
}

/// A cache that forgets what was not asked for lately.
pub mod cache {
    use std::collections::HashMap;
    use std::hash::Hash;

    struct Entry<V> {
        value: V,
        touched: u64,
    }

    /// Keeps up to `capacity` values.
    pub struct Cache<K, V> {
        capacity: usize,
        clock: u64,
        entries: HashMap<K, Entry<V>>,
    }

    impl<K: Hash + Eq + Clone, V> Cache<K, V> {
        /// An empty cache with room for at least one value.
        pub fn with_capacity(capacity: usize) -> Self {
            Cache { capacity: capacity.max(1), clock: 0, entries: HashMap::new() }
        }

        fn tick(&mut self) -> u64 {
            self.clock += 1;
            self.clock
        }

        fn evict(&mut self) {
            let oldest = self.entries.iter().min_by_key(|(_, e)| e.touched);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.entries.remove(&key);
            }
        }

        /// The value for `key`, computed only when it is not there.
        pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce(&K) -> V) -> &V {
            let touched = self.tick();
            if !self.entries.contains_key(&key) && self.entries.len() >= self.capacity {
                self.evict();
            }
            let fresh = key.clone();
            let entry = self.entries.entry(key).or_insert_with(|| Entry { value: make(&fresh), touched });
            entry.touched = touched;
            &entry.value
        }
    }
}

/// A priority queue whose order is given by a key function.
pub mod queue {
    /// A binary heap with the smallest key on top.
    pub struct Queue<T, F> {
        items: Vec<T>,
        key: F,
    }

    impl<T, P: PartialOrd, F: Fn(&T) -> P> Queue<T, F> {
        /// An empty queue.
        pub fn new(key: F) -> Self {
            Queue { items: Vec::new(), key }
        }

        fn before(&self, i: usize, j: usize) -> bool {
            (self.key)(&self.items[i]) < (self.key)(&self.items[j])
        }

        /// Puts an item in its place.
        pub fn push(&mut self, item: T) {
            self.items.push(item);
            let mut child = self.items.len() - 1;
            while child > 0 {
                let parent = (child - 1) / 2;
                if !self.before(child, parent) {
                    break;
                }
                self.items.swap(child, parent);
                child = parent;
            }
        }

        /// Takes out the item with the smallest key.
        pub fn pop(&mut self) -> Option<T> {
            if self.items.is_empty() {
                return None;
            }
            let top = self.items.swap_remove(0);
            let mut parent = 0;
            loop {
                let mut least = parent;
                for child in [2 * parent + 1, 2 * parent + 2] {
                    if child < self.items.len() && self.before(child, least) {
                        least = child;
                    }
                }
                if least == parent {
                    return Some(top);
                }
                self.items.swap(parent, least);
                parent = least;
            }
        }
    }
}

/// The report itself.
pub mod report {
    use crate::cache::Cache;
    use crate::calendar::{Date, WEEKDAYS};
    use crate::config::{Config, ConfigError};
    use crate::formula::Expr;
    use crate::queue::Queue;
    use crate::table::{Column, Table};
    use crate::text::{wrap, Align};
    use std::collections::HashMap;

    /// What an instrument measured on one day.
    #[derive(Clone, Debug)]
    pub struct Reading {
        pub date: Date,
        pub instrument: String,
        pub value: f64,
    }

    impl Reading {
        /// Reads a line such as `2024-02-29 barometer 1013.25`.
        pub fn parse(line: &str) -> Option<Self> {
            let mut fields = line.split_whitespace();
            Some(Reading {
                date: Date::parse(fields.next()?)?,
                instrument: fields.next()?.to_string(),
                value: fields.next()?.parse().ok()?,
            })
        }
    }

    /// Lays the readings out by date, each corrected by the formula its instrument has in `config`.
    pub fn render(config: &Config, log: &str) -> Result<String, ConfigError> {
        let columns = config.get_or("report", "width", 72)?;
        let digits = config.get_or("report", "digits", 2)?;
        let mut queue = Queue::new(|reading: &Reading| reading.date);
        for reading in log.lines().filter_map(Reading::parse) {
            queue.push(reading);
        }
        let mut formulas: Cache<String, Option<Expr>> = Cache::with_capacity(16);
        let mut table = Table::new(vec![
            Column::new("day"),
            Column::new("date").align(Align::Center),
            Column::new("instrument").limit(20),
            Column::new("value").align(Align::Right),
        ]);
        while let Some(reading) = queue.pop() {
            let formula = formulas.get_or_insert_with(reading.instrument.clone(), |name| {
                Expr::parse(config.get("formulas", name)?).ok()
            });
            let names = HashMap::from([("x".to_string(), reading.value)]);
            let value = match formula {
                Some(expr) => expr.eval(&names).unwrap_or(f64::NAN),
                None => reading.value,
            };
            table.push([
                WEEKDAYS[reading.date.weekday()].to_string(),
                reading.date.to_string(),
                reading.instrument,
                format!("{value:.digits$}"),
            ]);
        }
        let title = config.get("report", "title").unwrap_or("Readings");
        Ok(format!("{}\n\n{table}", wrap(title, columns).join("\n")))
    }
}
