//! Bad wires between the parts, one after the other: cut, slow, silent, deaf, half-closed, lossy. After each the parts recover.
//!
//! Clients ask all the time, but some wires are quiet: weather stays as it is until something has met it.

use std::time::Duration;

use anyhow::Context;
use tokio::time::sleep;

use crate::chaos::checker::Allowed;
use crate::chaos::proxy::Weather;
use crate::chaos::world::Needs;
use crate::chaos::{Plan, Random, Seen, World};
use crate::wait::until;
use crate::wiring::Wire;

/// Each wire carries something within this time, in a stack of clients at all doors.
const MET_WITHIN: Duration = Duration::from_secs(60);

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
    let mut unmet = Vec::new();
    for turn in 0..plan.choose(1, 5) {
        // Each wire in turn, the weather by the seed.
        for (wire, proxy) in &wires {
            load.until_paid(20).await?;
            let weather = weather(&mut world.random);
            let before = proxy.met();
            proxy.set(weather);
            sleep(world.random.millis(shortest, longest)).await;
            let met = async || (proxy.met() > before).then_some(());
            let met = until("something meets it", MET_WITHIN, met).await;
            if let Err(why) = met {
                unmet.push(format!(
                    "turn {turn}, {wire:?}: {weather:?} was not tried: {why}"
                ));
            }
            proxy.set(Weather::Clear);
            let recovered = load.until_paid(20).await;
            recovered.with_context(|| format!("turn {turn}, {wire:?}: {weather:?}"))?;
        }
    }
    let mut seen = world.finish(load, Allowed::default()).await?;
    seen.violations.extend(unmet);
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
