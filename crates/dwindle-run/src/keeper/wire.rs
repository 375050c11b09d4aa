//! What dwindle and a keeper say to each other over two pipes.
//!
//! Dwindle sends requests; [`Request::Cancel`] may come while a test runs or, too late, after it.
//! The keeper greets with its process number, and answers each [`Request::Run`] once.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::run::{Printed, Run, RunEnd, RunError, Sought, Stream, Wanted};

/// A program to be run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// The program and its arguments.
    pub(crate) program: Vec<OsString>,
    /// The candidate, in the folder that is the test's own.
    pub(crate) candidate: PathBuf,
    /// Where it runs, if not there.
    pub(crate) folder: Option<PathBuf>,
    /// Whether the candidate is its standard input; otherwise that is empty.
    pub(crate) reads: bool,
    /// Whether all of its standard output is wanted, which then goes to a file.
    pub(crate) prints: bool,
    /// What is looked for in what it prints.
    pub(crate) sought: Sought,
    /// How long it may run.
    pub(crate) limit: Duration,
}

/// What dwindle wants of a keeper.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Run a program.
    Run(Order),
    /// Stop the test that runs, if one does.
    Cancel,
    /// End; dwindle lives and cleans up itself.
    Leave,
}

impl Request {
    pub(super) fn send(&self, pipe: &mut impl Write) -> io::Result<()> {
        pipe.write_all(&match self {
            Self::Cancel => vec![b'C'],
            Self::Leave => vec![b'L'],
            Self::Run(Order { program, candidate, folder, reads, prints, sought, limit }) => {
                let nanos = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
                let mut bytes =
                    [&[b'R', u8::from(*prints), u8::from(*reads)][..], &nanos.to_le_bytes()].concat();
                bytes.extend((program.len() as u32).to_le_bytes());
                // No folder has an empty name.
                let folder = folder.as_deref().unwrap_or(Path::new("")).as_os_str();
                let words = program.iter().map(OsString::as_os_str);
                for word in [candidate.as_os_str(), folder].into_iter().chain(words) {
                    bytes.extend((word.len() as u32).to_le_bytes());
                    bytes.extend(word.as_bytes());
                }
                bytes.push(u8::from(sought.apart));
                bytes.extend((sought.texts.len() as u32).to_le_bytes());
                for Wanted { stream, text } in &sought.texts {
                    bytes.push(u8::from(*stream == Stream::Stderr));
                    bytes.extend((text.len() as u32).to_le_bytes());
                    bytes.extend(text);
                }
                bytes
            }
        })
    }

    /// The next request; `None` where dwindle has gone without a word.
    pub(super) fn receive(pipe: &mut impl Read) -> io::Result<Option<Self>> {
        let mut tag = [0];
        if let Err(error) = pipe.read_exact(&mut tag) {
            return if error.kind() == ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
        }
        Ok(Some(match tag[0] {
            b'C' => Self::Cancel,
            b'L' => Self::Leave,
            b'R' => {
                let [prints, reads] = take(pipe)?;
                let limit = Duration::from_nanos(u64::from_le_bytes(take(pipe)?));
                let words = u32::from_le_bytes(take(pipe)?);
                let mut word = || -> io::Result<OsString> { Ok(OsString::from_vec(bytes(pipe)?)) };
                let candidate = word()?.into();
                let folder = Some(word()?).filter(|folder| !folder.is_empty()).map(PathBuf::from);
                let program = (0..words).map(|_| word()).collect::<Result<_, _>>()?;
                let [apart] = take(pipe)?;
                let texts = u32::from_le_bytes(take(pipe)?);
                let texts = (0..texts).map(|_| wanted(pipe)).collect::<io::Result<_>>()?;
                let sought = Sought { texts, apart: apart != 0 };
                let (prints, reads) = (prints != 0, reads != 0);
                Self::Run(Order { program, candidate, folder, reads, prints, sought, limit })
            }
            _ => return Err(ErrorKind::InvalidData.into()),
        }))
    }
}

/// Says who the keeper is.
pub(super) fn greet(pipe: &mut impl Write) -> io::Result<()> {
    pipe.write_all(&std::process::id().to_le_bytes())
}

/// The process number of the keeper.
pub(super) fn greeted(pipe: &mut impl Read) -> io::Result<i32> {
    take(pipe).map(i32::from_le_bytes)
}

/// Answers how a run went. Of an error its number is told, which is all that the system says.
pub(super) fn answer(answer: &Result<Run, RunError>, pipe: &mut impl Write) -> io::Result<()> {
    let none = Run::stopped();
    let number = |error: &io::Error| error.raw_os_error().unwrap_or(rustix::io::Errno::IO.raw_os_error());
    let (tag, value, run) = match answer {
        Ok(run) => match run.end {
            RunEnd::Exited(code) => (b'X', code, run),
            RunEnd::Signalled(signal) => (b'G', signal, run),
            RunEnd::TimedOut => (b'T', 0, run),
            RunEnd::Stopped => (b'S', 0, run),
        },
        Err(RunError::Start(error)) => (b's', number(error), &none),
        Err(RunError::Place(error)) => (b'p', number(error), &none),
        Err(RunError::Left) => (b'l', 0, &none),
        Err(RunError::Wait(error)) => (b'w', number(error), &none),
        // Dwindle itself finds out about these.
        Err(RunError::Full { .. } | RunError::Keeper | RunError::Elsewhere(_)) => (b'w', 0, &none),
    };
    let mut bytes = vec![tag];
    bytes.extend(value.to_le_bytes());
    bytes.extend(run.seconds.to_le_bytes());
    bytes.extend(run.cpu_seconds.to_le_bytes());
    bytes.extend((run.output.len() as u32).to_le_bytes());
    bytes.extend(&run.output);
    bytes.extend((run.seen.len() as u32).to_le_bytes());
    bytes.extend(run.seen.iter().map(|&seen| u8::from(seen)));
    bytes.push(u8::from(run.apart.is_some()));
    for Printed { bytes: printed, length } in run.apart.iter().flat_map(|apart| apart.iter()) {
        bytes.extend((printed.len() as u32).to_le_bytes());
        bytes.extend(printed);
        bytes.extend(length.to_le_bytes());
    }
    pipe.write_all(&bytes)
}

/// The answer to a request.
pub(super) fn answered(pipe: &mut impl Read) -> io::Result<Result<Run, RunError>> {
    let [tag] = take(pipe)?;
    let value = i32::from_le_bytes(take(pipe)?);
    let (seconds, cpu_seconds) = (f64::from_le_bytes(take(pipe)?), f64::from_le_bytes(take(pipe)?));
    let output = bytes(pipe)?;
    let seen = bytes(pipe)?.into_iter().map(|seen| seen != 0).collect();
    let apart = match take(pipe)? {
        [0] => None,
        [_] => Some(Box::new([printed(pipe)?, printed(pipe)?])),
    };
    let error = || io::Error::from_raw_os_error(value);
    let end = match tag {
        b'X' => RunEnd::Exited(value),
        b'G' => RunEnd::Signalled(value),
        b'T' => RunEnd::TimedOut,
        b'S' => RunEnd::Stopped,
        b's' => return Ok(Err(RunError::Start(error()))),
        b'p' => return Ok(Err(RunError::Place(error()))),
        b'w' => return Ok(Err(RunError::Wait(error()))),
        b'l' => return Ok(Err(RunError::Left)),
        _ => return Err(ErrorKind::InvalidData.into()),
    };
    Ok(Ok(Run { seen, apart, cpu_seconds, ..Run::ended(end, output, seconds) }))
}

fn printed(pipe: &mut impl Read) -> io::Result<Printed> {
    Ok(Printed { bytes: bytes(pipe)?, length: u64::from_le_bytes(take(pipe)?) })
}

fn wanted(pipe: &mut impl Read) -> io::Result<Wanted> {
    let [stream] = take(pipe)?;
    let stream = if stream == 0 { Stream::Stdout } else { Stream::Stderr };
    Ok(Wanted { stream, text: bytes(pipe)? })
}

/// As many bytes as the number before them says. Allocates as they come, not what a torn answer says.
fn bytes(pipe: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = u64::from(u32::from_le_bytes(take(pipe)?));
    let mut bytes = Vec::new();
    pipe.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

fn take<const N: usize>(pipe: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    pipe.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_arrive_as_they_were_sent() {
        let run = |candidate: &[u8], limit| {
            let candidate = OsString::from_vec(candidate.to_vec()).into();
            Request::Run(Order {
                program: Vec::new(),
                candidate,
                folder: None,
                reads: true,
                prints: false,
                sought: Sought::default(),
                limit,
            })
        };
        let program = vec!["/bin/p".into(), "".into(), OsString::from_vec(b"\xff x".to_vec())];
        let requests = [
            run(b"/a/b \xff\n", Duration::from_nanos(1_500_000_001)),
            Request::Cancel,
            run(b"", Duration::ZERO),
            Request::Run(Order {
                program,
                candidate: "/a".into(),
                folder: Some("/b c".into()),
                reads: false,
                prints: true,
                sought: Sought {
                    texts: vec![
                        Wanted { stream: Stream::Stdout, text: b"said".to_vec() },
                        Wanted { stream: Stream::Stderr, text: b"\xff\0".to_vec() },
                    ],
                    apart: true,
                },
                limit: Duration::ZERO,
            }),
            Request::Leave,
        ];
        let mut pipe = Vec::new();
        requests.iter().for_each(|request| request.send(&mut pipe).unwrap());
        let mut pipe = pipe.as_slice();
        for request in requests {
            assert_eq!(Request::receive(&mut pipe).unwrap(), Some(request));
        }
        assert_eq!(Request::receive(&mut pipe).unwrap(), None, "the other end has gone");
        assert!(Request::receive(&mut &b"R\0\0"[..]).is_err(), "gone in the middle");
    }

    #[test]
    fn answers_arrive_as_they_were_given() {
        let error = || io::Error::from_raw_os_error(2);
        let run = |end| Run {
            seen: vec![true, false],
            cpu_seconds: 0.5,
            ..Run::ended(end, b"said\xff".to_vec(), 1.25)
        };
        let streams =
            [("a", 1), ("", 200_000)].map(|(bytes, length)| Printed { bytes: bytes.into(), length });
        let apart = Run { apart: Some(Box::new(streams)), ..run(RunEnd::Exited(0)) };
        for given in [
            Ok(run(RunEnd::Exited(-3))),
            Ok(apart),
            Ok(run(RunEnd::Signalled(9))),
            Ok(run(RunEnd::TimedOut)),
            Ok(run(RunEnd::Stopped)),
            Err(RunError::Start(error())),
            Err(RunError::Place(error())),
            Err(RunError::Wait(error())),
            Err(RunError::Left),
        ] {
            let mut pipe = Vec::new();
            answer(&given, &mut pipe).unwrap();
            assert_eq!(format!("{:?}", answered(&mut pipe.as_slice()).unwrap()), format!("{given:?}"));
            assert!(answered(&mut &pipe[..pipe.len() - 1]).is_err(), "cut short");
        }
    }
}
