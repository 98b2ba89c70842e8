//! Thousands of connections that say nothing, or a byte now and then, of a header or of a body that never ends.

use std::time::{Duration, Instant};

use anyhow::ensure;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Seen, World};

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut world = World::start("slow-connections", plan, Needs::default()).await?;
    let load = world.load();
    load.until_paid(100).await?;
    let ports = [world.stack.ports.query, world.stack.ports.command];
    let key = world.customers.first().map(|one| one.api_key.clone());
    let key = key.unwrap_or_default();
    let mut connections = JoinSet::new();
    let count = plan.choose(600, 5_000);
    for number in 0..count {
        let port = ports.get(number % 2).copied().unwrap_or_default();
        connections.spawn(drip(port, number, key.clone()));
    }
    let (before, began) = (world.history.paid(), Instant::now());
    sleep(plan.choose(Duration::from_secs(4), Duration::from_secs(30))).await;
    load.until_paid(50).await?;
    let paid = world.history.paid() - before;
    // Somebody new comes, too: at the latest when the first slow ones are sent away.
    let newcomer = world
        .stack
        .customer(5)
        .await?
        .enrich("person1@people.example")
        .await?;
    ensure!(newcomer.status == 200, "{}", newcomer.body);
    world.notes.push(format!(
        "{count} slow connections, {paid} paid beside them in {} s",
        began.elapsed().as_secs()
    ));
    connections.shutdown().await;
    load.until_paid(100).await?;
    world.finish(load, Allowed::default()).await
}

/// One slow client after the other; each stays until it is sent away.
async fn drip(port: u16, number: usize, key: String) {
    loop {
        // Refused, or sent away: the next one comes a little later.
        let _ = connection(port, number, &key).await;
        sleep(Duration::from_millis(500)).await;
    }
}

async fn connection(port: u16, number: usize, key: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let head = "POST /person/enrich HTTP/1.1\r\nHost: roster\r\n";
    let whole = format!(
        "{head}API-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
    );
    let sent = match number % 3 {
        0 => "",
        1 => head,
        _ => whole.as_str(),
    };
    stream.write_all(sent.as_bytes()).await?;
    loop {
        sleep(Duration::from_secs(1)).await;
        if number.is_multiple_of(3) {
            stream.readable().await?;
            return Ok(());
        }
        stream.write_all(b"a").await?;
    }
}
