//! Accounts on social networks. Those of LinkedIn, Twitter, GitHub and Facebook have one spelling and are matched on;
//! others are kept as they are.

use normalize::{linkedin_company, social};
use serde::Serialize;
use serde_json::{Map, Value};

use super::data_point::Grade;
use super::reader::Reader;

const NETWORKS: &[&str] = &[
    "linkedin",
    "twitter",
    "github",
    "facebook",
    "instagram",
    "youtube",
    "tiktok",
    "mastodon",
    "other",
];

/// One account.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Account {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) network: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(flatten)]
    pub(super) grade: Grade,
    /// Whether the URL is one that enrich reads.
    #[serde(skip)]
    pub(super) is_matched: bool,
}

impl Account {
    /// Reads an element of `socials`; `is_company` says whose pages LinkedIn's are.
    pub(super) fn read(
        object: Map<String, Value>,
        is_company: bool,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let (mut account, mut url) = (Self::default(), None);
        for (key, value) in object {
            let Some(value) = account.grade.take(&key, value, "socials", reader) else {
                continue;
            };
            match key.as_str() {
                "network" => account.network = network(value, reader),
                "url" => url = reader.given("socials.url", value),
                "username" => account.username = reader.given("socials.username", value),
                "id" => account.id = reader.given("socials.id", value),
                other => reader.tally.unknown_key(&format!("socials.{other}")),
            }
        }
        if let Some(url) = url {
            account.spell(&url, is_company, reader);
        }
        (account.url.is_some() || account.username.is_some() || account.id.is_some())
            .then_some(account)
    }

    /// An account known by its LinkedIn page or number alone.
    pub(super) fn linkedin(url: Option<String>, id: Option<String>) -> Self {
        let username = url
            .as_deref()
            .and_then(|url| url.rsplit('/').next())
            .map(str::to_owned);
        Self {
            network: Some("linkedin".to_owned()),
            is_matched: url.is_some(),
            url,
            username,
            id,
            grade: Grade {
                is_flat: true,
                ..Grade::default()
            },
        }
    }

    fn spell(&mut self, url: &str, is_company: bool, reader: &mut Reader<'_>) {
        let page = if is_company {
            linkedin_company::clean(url).ok()
        } else {
            None
        };
        if let Some(page) = page {
            self.network = Some("linkedin".to_owned());
            self.username = page.rsplit('/').next().map(str::to_owned);
            self.url = Some(page);
            self.is_matched = true;
        } else if let Ok(known) = social::clean(url) {
            self.network = Some(known.network.as_str().to_owned());
            self.username = Some(known.username);
            self.url = Some(known.url);
            self.is_matched = true;
        } else if let Some(kept) = social::stored(url) {
            self.network
                .get_or_insert_with(|| network_of(&kept).to_owned());
            self.url = Some(kept);
        } else {
            reader.tally.unreadable("socials.url");
        }
    }

    /// Whether it is on LinkedIn.
    pub(super) fn is_linkedin(&self) -> bool {
        self.network.as_deref() == Some("linkedin")
    }
}

fn network(value: Value, reader: &mut Reader<'_>) -> Option<String> {
    let name = reader.text("socials.network", value)?;
    if name == "x" {
        return Some("twitter".to_owned());
    }
    if NETWORKS.contains(&name.as_str()) {
        return Some(name);
    }
    reader.tally.unmapped("socials.network", &name);
    Some("other".to_owned())
}

fn network_of(url: &str) -> &'static str {
    let host = url.split('/').next().unwrap_or(url);
    NETWORKS
        .iter()
        .find(|name| host.split('.').any(|label| label == **name))
        .unwrap_or(&"other")
}
