//! What operators ask of two instances, of which no one owns all that it is about.

use std::iter::repeat_with;

use events_schema::ids::Shard;
use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::operators::until_shared;
use crate::service::{Running, Setup, text};

const POST: Method = Method::POST;

#[tokio::test]
async fn a_report_is_corrected_whichever_instance_is_asked_and_owns_it_or_the_build() {
    let setup = Setup::without_kafka().await;
    let first = Running::start(&setup).await;
    let second = Running::start_rival(&setup).await;
    until_shared(&first, &second).await;
    // Of an operator's requests the one that is not about the owner of builds is passed on; chunks are not.
    let owner_of_builds = [&first, &second]
        .into_iter()
        .find(|instance| instance.store.owns(Shard::DATA_BUILDS))
        .unwrap();
    owner_of_builds.load_build("person", "right").await;
    owner_of_builds.load_build("company", "wrong").await;
    let (_, _, key) = first.customer().await;
    for owner in [&first, &second] {
        for asked in [&first, &second] {
            let record = repeat_with(Uuid::new_v4)
                .find(|id| owner.store.owns(Shard::of_record(*id)))
                .unwrap();
            first.records.add("person", record, Value::Null);
            let body = json!({"service_id": record, "issue_type": "incorrect",
                "issue_level": "record", "comment": "x"});
            let headers = [("API-Key", key.as_str())];
            let filed = first.post("/utility/report/person", &headers, &body).await;
            let path = format!("/admin/reports/{}", text(&filed.body["report_id"]));

            let act = async |act: &str, body: Value| {
                let path = format!("{path}/{act}");
                asked.admin(POST, &path, body).await
            };
            let (status, early) = act("correct", json!({"build": "right"})).await;
            assert_eq!(
                (status, &early["details"]["reason"]),
                (409, &json!("out_of_order"))
            );
            assert_eq!(act("accept", json!({})).await.0, 200);
            let (status, wrong) = act("correct", json!({"build": "wrong"})).await;
            assert_eq!(
                (status, &wrong["details"]["reason"]),
                (409, &json!("other_kind"))
            );
            assert_eq!(act("correct", json!({"build": "none"})).await.0, 404);
            let (status, corrected) = act("correct", json!({"build": "right"})).await;
            assert_eq!(
                (status, &corrected["status"]),
                (200, &json!("corrected")),
                "{corrected}"
            );
            assert_eq!(corrected["history"][2]["build"], "right");
        }
    }
    for asked in [&first, &second] {
        let corrected = "/admin/reports?status=corrected";
        let corrected = asked.ok(Method::GET, corrected, Value::Null).await;
        assert_eq!(corrected["reports"].as_array().unwrap().len(), 4);
    }
    second.stop().await;
    first.stop().await;
}
