//! Short forms of the faults of `make chaos` that no other test tries: some seconds each, by a fixed seed.

use tests::chaos::briefly;

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_owner_is_replaced_and_its_return_harms_nothing() {
    briefly("owner-stopped", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn immediate_restarts_of_postgres_under_load_lose_no_charge() {
    briefly("postgres-restarted", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_publisher_had_sent_is_sent_again_in_order_and_under_its_ids() {
    briefly("publisher-killed", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_bad_wire_between_the_parts_breaks_a_promise_and_each_is_recovered_from() {
    briefly("network", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_projector_that_is_killed_in_copy_and_in_commit_loses_and_doubles_nothing() {
    briefly("projector-killed", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_connections_do_not_stop_those_who_are_served() {
    briefly("slow-connections", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_damaged_in_store_and_files_is_seen_and_never_answered_from() {
    briefly("corrupted", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_events_of_one_contract_wait_and_all_others_go_on() {
    briefly("poison", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn paging_sessions_meet_every_record_once_while_builds_become_active() {
    briefly("paging", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_backup_is_restored_and_one_that_is_older_than_the_topics_is_noticed() {
    briefly("backup", 1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_limits_do_not_follow_clocks_that_are_set() {
    briefly("clocks", 1).await.unwrap();
}

/// Who is not root cannot mount a small disk.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_recovered_from_when_there_is_room_again() {
    match briefly("disk-full", 1).await {
        Err(why) if why.to_string().contains("by root alone") => eprintln!("{why}"),
        tried => drop(tried.unwrap()),
    }
}
