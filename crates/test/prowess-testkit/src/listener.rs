//! The part that all servers of tests have in common: a port, a thread for each connection, and an end.

use std::collections::HashMap;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// A port that is served until this is dropped; open connections end with it.
pub(crate) struct Listener {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    open: Arc<Mutex<HashMap<SocketAddr, TcpStream>>>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    /// Serves each connection in a thread of its own. The flag is set when it is over.
    pub(crate) fn start(serve: impl Fn(&TcpStream, &AtomicBool) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, open) = (Arc::new(AtomicBool::new(false)), Arc::<Mutex<HashMap<_, _>>>::default());
        let (stopped, streams, serve) = (Arc::clone(&stop), Arc::clone(&open), Arc::new(serve));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (Ok(client), Ok(copy)) = (stream.peer_addr(), stream.try_clone()) else { continue };
                locked(&streams).insert(client, copy);
                let (stopped, streams, serve) =
                    (Arc::clone(&stopped), Arc::clone(&streams), Arc::clone(&serve));
                thread::spawn(move || {
                    serve(&stream, &stopped);
                    let _ = stream.shutdown(Shutdown::Both);
                    locked(&streams).remove(&client);
                });
            }
        });
        Self { address, stop, open, thread: Some(thread) }
    }

    /// The address it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the thread, which then sees that it is over.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        for stream in locked(&self.open).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
