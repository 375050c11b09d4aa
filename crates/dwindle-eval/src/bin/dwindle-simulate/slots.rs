//! What a cluster gains and costs: slots in any number, long tests, a long way to them, a price.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use dwindle::simulation::Course;

use crate::Recording;

/// What the slots of a cluster are like.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Cluster {
    /// Print what each number of slots gains and costs, at this price of a slot for an hour
    #[arg(long, value_name = "PRICE")]
    price: Option<f64>,
    /// The median time of a test; recorded times are scaled, so they spread as they did
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f32>,
    /// How long a test is on the way to its slot and back
    #[arg(long, value_name = "SECONDS", default_value = "0")]
    way: f32,
}

impl Cluster {
    /// Lets tests take as long as they do there; they all take as long where times are fixed.
    pub(crate) fn set<'a>(self, times: impl Iterator<Item = &'a mut f32>, fixed: bool) {
        let mut times: Vec<&mut f32> = times.collect();
        times.sort_unstable_by(|one, other| one.total_cmp(other));
        let Some(median) = times.get(times.len() / 2).map(|median| median.max(1e-6)) else { return };
        for time in times {
            let own = match (self.seconds, fixed) {
                (Some(seconds), true) => seconds,
                (Some(seconds), false) => *time / median * seconds,
                (None, true) => 0.001,
                (None, false) => *time,
            };
            *time = own + self.way;
        }
    }

    /// Prints what each number of slots gains and costs, if a price was given.
    pub(crate) fn print(self, journals: &[PathBuf], slots: &[usize], fixed: bool) -> anyhow::Result<bool> {
        let Some(price) = self.price else { return Ok(false) };
        println!(
            "| input | slots | hours | x | for nothing, each needed | slots kept | only while used | an hour less |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|--:|");
        for path in journals {
            let recording =
                Recording::read(path, fixed, self).with_context(|| format!("in {}", path.display()))?;
            let mut rows = Vec::new();
            for &slots in slots {
                let course = recording.course(slots, recording.oracle.clone())?;
                rows.push(Row::of(&course, slots, price));
            }
            for (index, row) in rows.iter().enumerate() {
                let before = index.checked_sub(1).map(|before| rows[before]);
                println!("| {} | {} |", recording.name, row.columns(rows[0], before));
            }
        }
        Ok(true)
    }
}

/// A reduction on so many slots.
#[derive(Clone, Copy, Debug)]
struct Row {
    slots: usize,
    hours: f64,
    /// The tests that were begun for nothing, for each that was needed.
    wasted: f64,
    /// What it costs if all slots are kept from begin to end, and if they are paid while a test runs.
    kept: f64,
    used: f64,
}

impl Row {
    fn of(course: &Course, slots: usize, price: f64) -> Self {
        let hours = |micros: u64| micros as f64 / 3.6e9;
        let questions = course.questions() as f64;
        Self {
            slots,
            hours: hours(course.micros),
            wasted: (course.begun as f64 - questions) / questions.max(1.0),
            kept: slots as f64 * hours(course.micros) * price,
            used: hours(course.busy) * price,
        }
    }

    /// The columns of the row, which comes behind these two.
    fn columns(self, first: Self, before: Option<Self>) -> String {
        let Self { slots, hours, wasted, kept, used } = self;
        let less = before
            .filter(|before| before.hours > hours)
            .map_or("-".to_owned(), |before| format!("{:.2}", (used - before.used) / (before.hours - hours)));
        let times = first.hours / hours;
        format!("{slots} | {hours:.2} | {times:.1} | {wasted:.2} | {kept:.2} | {used:.2} | {less}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(cluster: Cluster, fixed: bool) -> [f32; 3] {
        let mut times = [4.0, 1.0, 2.0];
        cluster.set(times.iter_mut(), fixed);
        times
    }

    #[test]
    fn tests_take_as_long_as_the_cluster_says() {
        let cluster = Cluster { price: None, seconds: Some(30.0), way: 0.5 };
        assert_eq!(times(cluster, true), [30.5; 3]);
        assert_eq!(times(cluster, false), [60.5, 15.5, 30.5]);
        assert_eq!(times(Cluster { seconds: None, way: 0.0, ..cluster }, false), [4.0, 1.0, 2.0]);
    }

    #[test]
    fn a_cluster_costs_what_its_slots_do() {
        let course = |micros, busy| Course { micros, busy, begun: 3, ..Course::default() };
        let one = Row::of(&course(7_200_000_000, 7_200_000_000), 1, 0.5);
        assert_eq!((one.hours, one.kept, one.used), (2.0, 1.0, 1.0));
        let four = Row::of(&course(3_600_000_000, 10_800_000_000), 4, 0.5);
        assert_eq!((four.kept, four.used), (2.0, 1.5));
        assert_eq!(four.columns(one, Some(one)), "4 | 1.00 | 2.0 | 3.00 | 2.00 | 1.50 | 0.50");
    }
}
