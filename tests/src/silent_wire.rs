//! A wire that dies in silence: what is sent on it is taken and never arrives, and a connection that was on it then never comes
//! back, as behind a router that has forgotten it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The wire to one server.
#[derive(Debug)]
pub struct Wire {
    /// The port of 127.0.0.1 at which it begins.
    pub port: u16,
    /// How often it fell silent or was mended; odd while it is silent.
    turns: watch::Sender<u32>,
    unheard: Arc<AtomicUsize>,
}

impl Wire {
    /// A wire to `host:port` on which all is well.
    ///
    /// # Errors
    /// When there is no free port.
    pub async fn to(server: String) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let turns = watch::Sender::new(0);
        let (heard, unheard) = (turns.subscribe(), Arc::<AtomicUsize>::default());
        let counted = unheard.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let carried = carry(near, server.clone(), heard.clone(), counted.clone());
                tokio::spawn(carried);
            }
        });
        Ok(Self {
            port,
            turns,
            unheard,
        })
    }

    /// From now on nothing arrives.
    pub fn silence(&self) {
        self.turns.send_modify(|turns| *turns |= 1);
    }

    /// New connections are well again.
    pub fn mend(&self) {
        self.turns.send_modify(|turns| *turns += *turns % 2);
    }

    /// Connections on which something was sent that never arrived.
    #[must_use]
    pub fn unheard(&self) -> usize {
        self.unheard.load(Ordering::Relaxed)
    }
}

async fn carry(
    mut near: TcpStream,
    server: String,
    mut turns: watch::Receiver<u32>,
    unheard: Arc<AtomicUsize>,
) {
    let mut far = None;
    let begun = *turns.borrow();
    if begun.is_multiple_of(2) {
        let Ok(mut connected) = TcpStream::connect(server).await else {
            return;
        };
        tokio::select! {
            // Silence first: what comes when it has fallen is not carried, however late this task has its turn.
            biased;
            _ = turns.wait_for(|turns| *turns != begun) => {}
            _ = copy_bidirectional(&mut near, &mut connected) => return,
        }
        far = Some(connected);
    }
    let mut piece = [0; 1024];
    let mut is_counted = false;
    while matches!(near.read(&mut piece).await, Ok(1..)) {
        if !is_counted {
            unheard.fetch_add(1, Ordering::Relaxed);
            is_counted = true;
        }
    }
    drop(far);
}
