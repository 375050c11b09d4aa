//! The view on a terminal: a thread that draws, and reads keys.
//!
//! It takes the screen of its own that terminals have, so what stood there before comes back when it ends: at the end, at a
//! panic and at a signal.

use std::io::{self, Stderr, Write, stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};
use signal_hook::consts::SIGCONT;

use super::screen::{Colours, draw};
use super::standing::Standing;

/// What is over sooner is not worth a screen of its own.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is drawn, and how long a key waits at most.
const DRAWS: Duration = Duration::from_millis(125);
/// How long the thread may take to end: a terminal may have stopped listening.
const LISTENS: Duration = Duration::from_millis(250);

/// Whether the terminal is as this process has made it.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// What the thread and the reduction share.
#[derive(Debug)]
pub(super) struct Shared {
    standing: Mutex<Standing>,
    closing: AtomicBool,
    changed: Condvar,
    /// Set where what is being tried is not to be waited for.
    skip: Arc<AtomicBool>,
}

impl Shared {
    pub(super) fn new(standing: Standing, skip: Arc<AtomicBool>) -> Arc<Self> {
        Arc::new(Self {
            skip,
            standing: Mutex::new(standing),
            closing: AtomicBool::new(false),
            changed: Condvar::new(),
        })
    }

    pub(super) fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    pub(super) fn close(&self) {
        let standing = self.standing();
        self.closing.store(true, Ordering::Relaxed);
        drop(standing);
        self.changed.notify_all();
    }

    /// Waits for as long, or until something changes.
    pub(super) fn wait(&self, time: Duration) {
        let standing = self.standing();
        if !self.is_closing() {
            drop(self.changed.wait_timeout(standing, time));
        }
    }
}

/// The view, which may not have been opened yet.
#[derive(Debug)]
pub(super) struct View {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

impl View {
    pub(super) fn new(shared: Arc<Shared>) -> io::Result<Self> {
        let of_thread = shared.clone();
        let run = move || {
            let opens = Instant::now() + PATIENCE;
            while Instant::now() < opens && !of_thread.is_closing() {
                of_thread.wait(opens.saturating_duration_since(Instant::now()));
            }
            // A terminal that cannot do that is left as it is.
            let _ = show(&of_thread);
        };
        let thread = thread::Builder::new().name("view".to_owned()).spawn(run)?;
        Ok(Self { shared, thread })
    }

    /// Ends it and gives the terminal back.
    pub(super) fn close(self) {
        self.shared.close();
        let until = Instant::now() + LISTENS;
        while !self.thread.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        give_back();
    }
}

/// Draws until it is closed.
fn show(shared: &Shared) -> io::Result<()> {
    if shared.is_closing() {
        return Ok(());
    }
    let colours = Colours(std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()));
    let mut terminal = take()?;
    while !shared.is_closing() {
        terminal.draw(|frame| draw(frame, &shared.standing(), colours, Instant::now()))?;
        if !poll(DRAWS)? {
            continue;
        }
        if let Event::Key(key) = read()?
            && key.kind != KeyEventKind::Release
        {
            match of_key(key) {
                Some(Key::Stop(stops)) => {
                    shared.standing().stopping = true;
                    shared.changed.notify_all();
                    let _ = match stops {
                        Stops::Dwindle => kill_process(getpid(), Signal::INT),
                        // As the terminal itself would send it.
                        Stops::All => kill_current_process_group(Signal::INT),
                    };
                }
                Some(Key::Suspend) => {
                    give_back();
                    suspend()?;
                    terminal = take()?;
                }
                Some(Key::Pause) => {
                    let mut standing = shared.standing();
                    standing.paused = standing.paused.is_none().then(Instant::now);
                    shared.changed.notify_all();
                }
                Some(Key::Skip) => shared.skip.store(true, Ordering::Relaxed),
                Some(Key::Redraw) => terminal = take()?,
                None => {}
            }
        }
    }
    Ok(())
}

/// What a key means.
enum Key {
    Stop(Stops),
    Suspend,
    Pause,
    Skip,
    Redraw,
}

/// Who is stopped: this process, or its whole group.
enum Stops {
    Dwindle,
    All,
}

fn of_key(key: KeyEvent) -> Option<Key> {
    match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
        (KeyCode::Char('c'), true) => Some(Key::Stop(Stops::All)),
        (KeyCode::Char('z'), true) => Some(Key::Suspend),
        (KeyCode::Char('l'), true) => Some(Key::Redraw),
        (KeyCode::Char('q'), false) => Some(Key::Stop(Stops::Dwindle)),
        (KeyCode::Char('s'), false) => Some(Key::Skip),
        (KeyCode::Char('p' | ' '), false) => Some(Key::Pause),
        _ => None,
    }
}

/// Stops as at the terminal's own Ctrl-Z, until somebody lets it go on.
fn suspend() -> io::Result<()> {
    let continued = Arc::new(AtomicBool::new(false));
    let id = signal_hook::flag::register(SIGCONT, continued.clone())?;
    kill_current_process_group(Signal::TSTP)?;
    // It takes effect a moment later. Where nobody could let it go on, the system ignores it.
    let until = Instant::now() + LISTENS;
    while !continued.load(Ordering::Relaxed) && Instant::now() < until {
        thread::sleep(Duration::from_millis(5));
    }
    signal_hook::low_level::unregister(id);
    Ok(())
}

/// Takes the terminal; a panic gives it back before it says why.
fn take() -> io::Result<Terminal<CrosstermBackend<Stderr>>> {
    static HOOK: AtomicBool = AtomicBool::new(false);
    if !HOOK.swap(true, Ordering::Relaxed) {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            give_back();
            before(what);
        }));
    }
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::Relaxed);
    execute!(stderr(), EnterAlternateScreen, Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(stderr()))
}

/// Gives the terminal back, if it was taken.
fn give_back() {
    if TAKEN.swap(false, Ordering::Relaxed) {
        let _ = disable_raw_mode();
        let _ = execute!(stderr(), LeaveAlternateScreen, Show);
        let _ = stderr().flush();
    }
}
