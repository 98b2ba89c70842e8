//! A bad wire between two parts: a TCP proxy that cuts, delays, drops and half-closes. No rights of root are needed for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// What the wire does to bytes and connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    /// All bytes pass at once.
    Clear,
    /// All connections are reset, new ones end at once.
    Cut,
    /// Bytes arrive later by so much.
    Delayed(Duration),
    /// Connections stay open and nothing arrives, as behind a cable that was pulled.
    Silent,
    /// Requests arrive and answers do not: what was asked is done, and nobody hears of it.
    Deaf,
    /// The answering side says that it will send no more, and listens on.
    HalfClosed,
    /// One connection of so many is reset with each piece that it carries.
    Lossy(u64),
    /// A connection stands still, behind the piece in which the asking side has sent this.
    HeldBehind(&'static [u8]),
}

/// The wire from one part to another. It ends with the value.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    wire: Arc<Wire>,
    accepts: JoinHandle<()>,
}

#[derive(Debug)]
struct Wire {
    /// 0 until it is known.
    target: AtomicU16,
    weather: watch::Sender<Weather>,
    /// That were carried so far.
    pieces: AtomicU64,
    /// What came while the weather was bad.
    met: AtomicU64,
}

impl Wire {
    /// Notes a piece or a connection that came in this weather.
    fn meets(&self, weather: Weather) {
        if weather != Weather::Clear {
            self.met.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Proxy {
    /// Listens on a port of its own; where it leads is told by [`Proxy::lead_to`].
    ///
    /// # Errors
    /// When there is no port.
    pub async fn listen() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let wire = Arc::new(Wire {
            target: AtomicU16::new(0),
            weather: watch::Sender::new(Weather::Clear),
            pieces: AtomicU64::new(0),
            met: AtomicU64::new(0),
        });
        let accepts = tokio::spawn(accept(listener, wire.clone()));
        Ok(Self {
            port,
            wire,
            accepts,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How many pieces have come while the weather was bad, and how many connections were refused by it.
    #[must_use]
    pub fn met(&self) -> u64 {
        self.wire.met.load(Ordering::Relaxed)
    }

    /// Names the port of the machine that it leads to.
    pub fn lead_to(&self, port: u16) {
        self.wire.target.store(port, Ordering::Relaxed);
    }

    /// Changes the weather, for connections that are there and for new ones.
    pub fn set(&self, weather: Weather) {
        self.wire.weather.send_replace(weather);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepts.abort();
        self.set(Weather::Cut);
    }
}

async fn accept(listener: TcpListener, wire: Arc<Wire>) {
    while let Ok((near, _)) = listener.accept().await {
        let weather = *wire.weather.borrow();
        let target = ("127.0.0.1", wire.target.load(Ordering::Relaxed));
        if weather == Weather::Cut {
            wire.meets(weather);
            continue;
        }
        // A target that does not listen is a connection that ends at once.
        if let Ok(far) = TcpStream::connect(target).await {
            tokio::spawn(carry(near, far, wire.clone()));
        }
    }
}

/// Carries both directions until one of them is reset or both have ended.
async fn carry(near: TcpStream, far: TcpStream, wire: Arc<Wire>) {
    // Small pieces are what the parts send; each is to arrive by itself.
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let (near_in, near_out) = near.into_split();
    let (far_in, far_out) = far.into_split();
    let asks = pass(near_in, far_out, Side::Asks, wire.clone());
    let answers = pass(far_in, near_out, Side::Answers, wire);
    // A reset of one direction drops the other with it.
    let _reset = tokio::try_join!(asks, answers);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Asks,
    Answers,
}

/// The connection is gone.
#[derive(Debug)]
struct Reset;

impl From<std::io::Error> for Reset {
    fn from(_: std::io::Error) -> Self {
        Self
    }
}

async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    side: Side,
    wire: Arc<Wire>,
) -> Result<(), Reset> {
    let mut weather = wire.weather.subscribe();
    let mut piece = vec![0; 16 * 1024];
    loop {
        let now = *weather.borrow_and_update();
        let is_silent = now == Weather::Silent || (now == Weather::Deaf && side == Side::Answers);
        match now {
            Weather::Cut => return Err(Reset),
            Weather::HalfClosed if side == Side::Answers => {
                to.shutdown().await?;
                weather.changed().await.map_err(|_| Reset)?;
                return Err(Reset);
            }
            _ => {}
        }
        if is_silent {
            // What comes waits in the socket until the weather is better: TCP loses nothing, it only takes long.
            tokio::select! {
                waiting = from.peek(&mut piece) => if waiting? > 0 {
                    wire.meets(now);
                },
                changed = weather.changed() => {
                    changed.map_err(|_| Reset)?;
                    continue;
                }
            }
            weather.changed().await.map_err(|_| Reset)?;
            continue;
        }
        let read = tokio::select! {
            // First of all: what comes in bad weather meets it.
            biased;
            changed = weather.changed() => {
                changed.map_err(|_| Reset)?;
                continue;
            }
            read = from.read(&mut piece) => read?,
        };
        let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else {
            to.shutdown().await?;
            return Ok(());
        };
        wire.meets(now);
        let number = wire.pieces.fetch_add(1, Ordering::Relaxed) + 1;
        match now {
            Weather::Delayed(by) => sleep(by).await,
            Weather::Lossy(one_of) if number.is_multiple_of(one_of) => return Err(Reset),
            _ => {}
        }
        to.write_all(bytes).await?;
        if let Weather::HeldBehind(words) = now
            && side == Side::Asks
            && bytes.windows(words.len()).any(|here| here == words)
        {
            weather.changed().await.map_err(|_| Reset)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wait::until;

    /// A server that sends back what it gets.
    async fn echo() -> u16 {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    tokio::io::copy(&mut from, &mut to).await
                });
            }
        });
        port
    }

    async fn said_back(stream: &mut TcpStream) -> std::io::Result<bool> {
        stream.write_all(b"word").await?;
        let mut back = [0; 4];
        stream.read_exact(&mut back).await?;
        Ok(back == *b"word")
    }

    #[tokio::test]
    async fn each_weather_does_what_it_says() {
        let proxy = Proxy::listen().await.unwrap();
        proxy.lead_to(echo().await);
        let connect = || TcpStream::connect(("127.0.0.1", proxy.port()));
        let mut stream = connect().await.unwrap();
        assert!(said_back(&mut stream).await.unwrap());
        for quiet in [Weather::Silent, Weather::Deaf] {
            proxy.set(quiet);
            let waited = Duration::from_millis(100);
            let answer = tokio::time::timeout(waited, said_back(&mut stream)).await;
            assert!(answer.is_err(), "{quiet:?}: {answer:?}");
            proxy.set(Weather::Clear);
            let mut late = [0; 4];
            stream.read_exact(&mut late).await.unwrap();
        }
        proxy.set(Weather::HeldBehind(b"or"));
        assert!(said_back(&mut stream).await.unwrap());
        let held = tokio::time::timeout(Duration::from_millis(100), said_back(&mut stream)).await;
        assert!(held.is_err(), "{held:?}");
        proxy.set(Weather::Cut);
        assert!(said_back(&mut stream).await.is_err());
        let mut refused = connect().await.unwrap();
        assert!(said_back(&mut refused).await.is_err());
        proxy.set(Weather::HalfClosed);
        let mut half = connect().await.unwrap();
        assert_eq!(half.read(&mut [0; 1]).await.unwrap(), 0);
    }

    /// What a weather does is met by what comes in it, and by nothing that came before.
    #[tokio::test]
    async fn only_what_comes_in_bad_weather_has_met_it() {
        let limit = Duration::from_secs(10);
        let proxy = Proxy::listen().await.unwrap();
        proxy.lead_to(echo().await);
        let connect = || TcpStream::connect(("127.0.0.1", proxy.port()));
        let mut busy = connect().await.unwrap();
        for _ in 0..3 {
            assert!(said_back(&mut busy).await.unwrap());
        }
        assert_eq!(proxy.met(), 0);
        let bad = [
            Weather::Delayed(Duration::from_millis(1)),
            Weather::Silent,
            Weather::Deaf,
            Weather::HalfClosed,
            Weather::Lossy(1),
            Weather::Cut,
        ];
        for weather in bad {
            let mut stream = connect().await.unwrap();
            assert!(said_back(&mut stream).await.unwrap());
            proxy.set(weather);
            let before = proxy.met();
            drop(connect().await.unwrap());
            assert!(
                weather == Weather::Cut || proxy.met() == before,
                "{weather:?}"
            );
            // A reset may be quicker than the word; who connects anew meets the cut.
            let _ = stream.write_all(b"word").await;
            let met = async || (proxy.met() > before).then_some(());
            until(&format!("{weather:?}"), limit, met).await.unwrap();
            proxy.set(Weather::Clear);
        }
        let before = proxy.met();
        let mut stream = connect().await.unwrap();
        assert!(said_back(&mut stream).await.unwrap());
        assert_eq!(proxy.met(), before);
    }
}
