//! Bad wires between the parts, one after the other: cut, slow, silent, deaf, half-closed, lossy. After each the parts recover.

use std::time::Duration;

use anyhow::Context;
use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::proxy::Weather;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Random, Seen, World};
use crate::wiring::Wire;

pub(super) async fn run(plan: Plan) -> anyhow::Result<Seen> {
    let mut needs = Needs::default();
    needs.wiring.is_pair = true;
    needs.wiring.has_gateway = true;
    let mut wires = Vec::new();
    for wire in Wire::ALL {
        wires.push((wire, needs.wiring.lay(wire).await?));
    }
    let mut world = World::start("network", plan, needs).await?;
    world.until_owners(2).await?;
    let load = world.load();
    let (shortest, longest) = plan.choose((300, 1_500), (1_000, 7_000));
    for turn in 0..plan.choose(1, 5) {
        // Each wire in turn, the weather by the seed.
        for (wire, proxy) in &wires {
            load.until_paid(20).await?;
            let weather = weather(&mut world.random);
            proxy.set(weather);
            sleep(world.random.millis(shortest, longest)).await;
            proxy.set(Weather::Clear);
            let recovered = load.until_paid(20).await;
            recovered.with_context(|| format!("turn {turn}, {wire:?}: {weather:?}"))?;
        }
    }
    let mut seen = world.finish(load, Allowed::default()).await?;
    for (wire, proxy) in &wires {
        if proxy.carried() == 0 {
            let unused = format!("{wire:?} carried nothing, so that nothing was tried there");
            seen.violations.push(unused);
        }
    }
    Ok(seen)
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
