//! `tengen web`: a page on loopback to play on, in the browser.
//!
//! The page ([`crate::frontend::page`]) keeps the game; this server lends it the engine. A connection is a thread and
//! one request (`http`); `guard` says who may ask, `routes` finds the answer, `pool` has the engines.

mod folder;
mod guard;
mod http;
mod pool;
mod position;
mod routes;
mod strength;
mod think;

use crate::frontend::{EngineArgs, print};
use crate::logging;
use crate::params::Overrides;
use anyhow::{Context, bail};
use clap::Args;
use folder::Folder;
use guard::Guard;
use http::Refusal;
use pool::Pool;
use routes::Server;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// The port that is tried first: the same address every time lets the browser keep what it remembers.
const PORT: u16 = 1919;
/// Connections at the same time.
const MAX_CONNECTIONS: usize = 64;

/// The options of `tengen web`.
#[derive(Args, Debug)]
pub struct WebArgs {
    /// Address to listen on; others than this machine can reach it only if you give one that they can
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Port to listen on, 0 for any [default: 1919, or any if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Folder in which the page may save and load games; without it the browser does, as downloads
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print the address only, and open no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    params: EngineArgs,
    /// Append a log to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Serves the page until it is interrupted.
pub fn run(args: &WebArgs) -> anyhow::Result<()> {
    let mut overrides = Overrides::default();
    // Against people, no two games should begin alike, unless the options say so.
    overrides.insert("opening.vary", "true")?;
    args.params.apply(&mut overrides, &[])?;
    overrides.settle_seed();
    logging::begin(args.log.as_deref())?;
    let folder = args.folder.as_deref().map(Folder::open).transpose()?;
    let listener = listen(args.address, args.port)?;
    let guard = Guard::new(listener.local_addr()?)?;
    let address = guard.address();
    let pool = Pool::new(overrides);
    let server = Arc::new(Server { guard, pool, reviews: AtomicUsize::new(0), folder });
    print(&format!("{address}\n"))?;
    if !args.address.is_loopback() {
        eprintln!(
            "tengen: whoever reaches {} and knows the whole address can use it",
            args.address
        );
    }
    if args.no_open || open::that_detached(&address).is_err() {
        eprintln!("tengen: open the address above in a browser; ctrl-C ends it");
    } else {
        eprintln!("tengen: the page opens in the browser; ctrl-C ends it");
    }
    accept(&listener, &server)
}

/// Listens where it was asked to; if nobody asked for a port, anywhere.
fn listen(address: IpAddr, port: Option<u16>) -> anyhow::Result<TcpListener> {
    let bind = |port| TcpListener::bind(SocketAddr::new(address, port));
    match (bind(port.unwrap_or(PORT)), port) {
        (Err(error), None) if error.kind() == ErrorKind::AddrInUse => {
            bind(0).with_context(|| format!("cannot listen on {address}"))
        }
        (Err(error), None) => bail!("cannot listen on {address}: {error}; give another --address"),
        (Err(error), Some(port)) => {
            bail!("cannot listen on {address} port {port}: {error}; give another --port")
        }
        (Ok(listener), _) => Ok(listener),
    }
}

/// A connection that counts as long as it lives.
struct Counted {
    stream: TcpStream,
    count: Arc<AtomicUsize>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.count.fetch_sub(1, SeqCst);
    }
}

fn accept(listener: &TcpListener, server: &Arc<Server>) -> ! {
    let count = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // Out of file handles, for one: some will be given back.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let before = count.fetch_add(1, SeqCst);
        let mut connection = Counted { stream, count: Arc::clone(&count) };
        if before >= MAX_CONNECTIONS {
            let _ = connection.stream.set_nonblocking(true); // nobody waits for a client here
            let busy = Refusal::new(503, "too many connections at once: try again in a moment");
            http::answer_refused(&mut connection.stream, &busy);
            continue;
        }
        let server = Arc::clone(server);
        let serve = move || server.serve(&mut connection.stream);
        // If no thread can be had the connection is dropped, and the client tries again.
        let _ = std::thread::Builder::new().name("connection".to_owned()).spawn(serve);
    }
}
