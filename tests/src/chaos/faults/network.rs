//! Bad wires between pairs of parts, one after the other: cut, slow, silent, deaf, half-closed, lossy. After each the parts recover.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::proxy::{Proxy, Weather};
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Random, Seen, World};

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut wires = Vec::new();
    for _ in 0..4 {
        wires.push(Arc::new(Proxy::listen().await?));
    }
    let [ledger, event_store, answers, folds] = wires.as_slice() else {
        anyhow::bail!("there are four wires");
    };
    let mut needs = Needs::default();
    needs.wiring.ledger = Some(ledger.clone());
    needs.wiring.event_store = Some(event_store.clone());
    needs.wiring.answers = Some(answers.clone());
    needs.wiring.folds = Some(folds.clone());
    let mut world = World::start("network", plan, needs).await?;
    let load = world.load();
    let (shortest, longest) = plan.choose((300, 1_500), (1_000, 7_000));
    for turn in 0..plan.choose(8, 40) {
        load.until_paid(20).await?;
        // Each wire in turn, the weather by the seed.
        let (Some(wire), weather) = (wires.get(turn % 4), weather(&mut world.random)) else {
            continue;
        };
        wire.set(weather);
        sleep(world.random.millis(shortest, longest)).await;
        wire.set(Weather::Clear);
        let recovered = load.until_paid(20).await;
        recovered.with_context(|| format!("turn {turn}, wire {}: {weather:?}", turn % 4))?;
    }
    world.finish(load, Allowed::default()).await
}

fn weather(random: &mut Random) -> Weather {
    match random.below(6) {
        0 => Weather::Cut,
        1 => Weather::Delayed(Duration::from_millis(u64::from(20 + random.below(400)))),
        2 => Weather::Silent,
        3 => Weather::Deaf,
        4 => Weather::HalfClosed,
        _ => Weather::Lossy(u64::from(5 + random.below(100))),
    }
}
