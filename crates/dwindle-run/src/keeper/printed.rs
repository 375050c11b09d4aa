//! What a test prints: its beginning and its end are kept, and all of it is searched for the texts that are wanted.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read};

use memchr::memmem;
use rustix::fs::{OFlags, fcntl_setfl};

use crate::run::{self, Run, RunEnd, Sought, Stream, Wanted};

/// How much of a test's output is kept of its beginning, and as much of its end.
const OUTPUT_KEPT: usize = 64 << 10;

/// What a test has printed so far, and where it prints.
pub(super) struct Printed {
    pipes: Vec<Pipe>,
    output: Vec<u8>,
    wanted: Vec<Wanted>,
    seen: Vec<bool>,
    /// Standard output and standard error, where they are wanted apart.
    apart: Option<Box<[run::Printed; 2]>>,
}

struct Pipe {
    reader: PipeReader,
    open: bool,
    stream: Stream,
    /// The last bytes, in which a wanted text may have begun.
    tail: Vec<u8>,
}

impl Printed {
    pub(super) fn new(sought: &Sought) -> Self {
        let seen = vec![false; sought.texts.len()];
        let apart = sought.apart.then(Box::default);
        Self { pipes: Vec::new(), output: Vec::new(), wanted: sought.texts.clone(), seen, apart }
    }

    /// Where the test prints to `stream`.
    pub(super) fn pipe(&mut self, stream: Stream) -> io::Result<PipeWriter> {
        let (reader, writer) = io::pipe()?;
        fcntl_setfl(&reader, OFlags::NONBLOCK)?;
        self.pipes.push(Pipe { reader, open: true, stream, tail: Vec::new() });
        Ok(writer)
    }

    /// The pipes in which there may be more later.
    pub(super) fn open(&self) -> impl Iterator<Item = &PipeReader> {
        self.pipes.iter().filter(|pipe| pipe.open).map(|pipe| &pipe.reader)
    }

    /// Reads what is there in those of the open pipes that are `ready`. Bounded, so that a test that prints without
    /// end cannot keep us here.
    pub(super) fn read_available(&mut self, ready: impl Fn(usize) -> bool) -> io::Result<()> {
        let open: Vec<usize> = (0..self.pipes.len()).filter(|&pipe| self.pipes[pipe].open).collect();
        for (_, pipe) in open.into_iter().enumerate().filter(|&(open, _)| ready(open)) {
            self.pipes[pipe].open = self.read_from(pipe)?;
        }
        keep_ends(&mut self.output);
        self.apart
            .iter_mut()
            .flat_map(|apart| apart.iter_mut())
            .for_each(|printed| keep_ends(&mut printed.bytes));
        Ok(())
    }

    /// Whether there may be more later.
    fn read_from(&mut self, pipe: usize) -> io::Result<bool> {
        let mut buffer = [0; 16 << 10];
        for _ in 0..16 {
            match self.pipes[pipe].reader.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => self.take(pipe, &buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn take(&mut self, pipe: usize, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
        if self.output.len() > 3 * OUTPUT_KEPT {
            keep_ends(&mut self.output);
        }
        let Pipe { stream, tail, .. } = &mut self.pipes[pipe];
        if let Some(apart) = &mut self.apart {
            let printed = &mut apart[usize::from(*stream == Stream::Stderr)];
            printed.length += bytes.len() as u64;
            printed.bytes.extend_from_slice(bytes);
            if printed.bytes.len() > 3 * OUTPUT_KEPT {
                keep_ends(&mut printed.bytes);
            }
        }
        let wanted = || self.wanted.iter().enumerate().filter(|(_, wanted)| wanted.stream == *stream);
        let Some(longest) = wanted().map(|(_, wanted)| wanted.text.len()).max() else { return };
        tail.extend_from_slice(bytes);
        for (number, wanted) in wanted() {
            self.seen[number] = self.seen[number] || memmem::find(tail, &wanted.text).is_some();
        }
        tail.drain(..tail.len().saturating_sub(longest.saturating_sub(1)));
    }

    /// The beginning and the end of it all, which texts were in it, and the streams apart where that was asked for.
    pub(super) fn into_output(self) -> (Vec<u8>, Vec<bool>, Option<Box<[run::Printed; 2]>>) {
        (self.output, self.seen, self.apart)
    }
}

/// A run that has ended so and printed these texts to standard output and standard error.
pub fn run_that_printed(end: RunEnd, sought: &Sought, streams: [Vec<u8>; 2], seconds: f64) -> Run {
    let text = |stream| &streams[usize::from(stream == Stream::Stderr)];
    let is_seen = |wanted: &Wanted| memmem::find(text(wanted.stream), &wanted.text).is_some();
    let seen = sought.texts.iter().map(is_seen).collect();
    let mut output = streams.concat();
    keep_ends(&mut output);
    let apart = sought.apart.then(|| {
        Box::new(streams.map(|mut bytes| {
            let length = bytes.len() as u64;
            keep_ends(&mut bytes);
            run::Printed { bytes, length }
        }))
    });
    Run { seen, apart, ..Run::ended(end, output, seconds) }
}

fn keep_ends(output: &mut Vec<u8>) {
    if output.len() > 2 * OUTPUT_KEPT {
        output.drain(OUTPUT_KEPT..output.len() - OUTPUT_KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn of_a_long_output_the_beginning_and_the_end_are_kept() {
        let numbers = |count: usize| (0..count as u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        for count in [0, OUTPUT_KEPT / 2, OUTPUT_KEPT / 2 + 1, OUTPUT_KEPT] {
            let whole = numbers(count);
            let mut output = whole.clone();
            keep_ends(&mut output);
            assert_eq!(output.len(), whole.len().min(2 * OUTPUT_KEPT));
            let half = output.len() / 2;
            assert!(whole.starts_with(&output[..half]) && whole.ends_with(&output[half..]));
        }
    }

    #[test]
    fn what_was_printed_elsewhere_is_what_is_printed_here() {
        let texts = [(Stream::Stdout, &b"out"[..]), (Stream::Stderr, b"out"), (Stream::Stderr, b"err")];
        let texts = texts.map(|(stream, text)| Wanted { stream, text: text.to_vec() }).to_vec();
        let (stdout, stderr) = (b"out".repeat(OUTPUT_KEPT), b"err".to_vec());
        let sought = Sought { texts, apart: true };
        let mut here = Printed::new(&sought);
        let mut pipes = [Stream::Stdout, Stream::Stderr].map(|stream| here.pipe(stream).unwrap());
        for (pipe, part) in stdout.chunks(1000).map(|part| (0, part)).chain([(1, &stderr[..])]) {
            pipes[pipe].write_all(part).unwrap();
            here.read_available(|_| true).unwrap();
        }
        let elsewhere = run_that_printed(RunEnd::Exited(3), &sought, [stdout, stderr], 0.5);
        assert_eq!((elsewhere.end, elsewhere.seconds), (RunEnd::Exited(3), 0.5));
        assert_eq!((elsewhere.output, elsewhere.seen, elsewhere.apart), here.into_output());
        assert!(
            run_that_printed(RunEnd::Exited(3), &Sought::default(), Default::default(), 0.5).apart.is_none()
        );
    }

    #[test]
    fn a_text_is_seen_however_it_is_cut_into_pieces_and_on_its_stream_only() {
        let wanted = [(Stream::Stdout, &b"needle"[..]), (Stream::Stderr, b"needle"), (Stream::Stdout, b"e")];
        let wanted = wanted.map(|(stream, text)| Wanted { stream, text: text.to_vec() });
        for cut in 0..=6 {
            let mut printed = Printed::new(&Sought { texts: wanted.to_vec(), apart: true });
            let mut writers = [Stream::Stderr, Stream::Stdout].map(|stream| printed.pipe(stream).unwrap());
            for part in [b"x", &b"needle"[..cut], &b"needle"[cut..], b"y"] {
                writers[1].write_all(part).unwrap();
                writers[0].write_all(b"dle need").unwrap();
                printed.read_available(|_| true).unwrap();
            }
            let (_, seen, apart) = printed.into_output();
            assert_eq!(seen, [true, false, true]);
            let apart = apart.unwrap().map(|printed| (printed.bytes, printed.length));
            assert_eq!(apart, [(b"xneedley".to_vec(), 8), (b"dle need".repeat(4), 32)]);
        }
    }
}
