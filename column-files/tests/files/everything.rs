//! Reads whatever there is to read, of files that may hold anything.

use std::sync::Arc;

use column_files::view::Dictionary;
use column_files::{Columns, Completing, Page, Search, Start};
use dialect::{Catalog, ColumnId, ListId, Query};

/// Reads every value of every column and every bit of every list, and completes texts; returns how many codes were seen, so that nothing is
/// optimized away.
pub fn read_everything(columns: &Arc<Columns>) -> u64 {
    let catalog = Catalog::of(columns.kind());
    let mut seen = 0;
    for id in (0..).take(catalog.columns().len()).map(ColumnId) {
        let view = columns.column(id);
        for place in 0..view.codes.len() {
            seen += u64::from(view.codes.get(place));
        }
        seen += view.counts.map_or(0, |counts| {
            counts.iter().map(|count| u64::from(*count)).sum()
        });
        let repeated = view.repeated.iter();
        seen += repeated.map(|[_, count]| u64::from(*count)).sum::<u64>();
        if let Some(derived) = view.derived {
            seen +=
                u64::try_from(derived.is_derived.len() + derived.fingerprints.len()).unwrap_or(0);
        }
        if let Dictionary::Text(texts) = view.dictionary {
            for text in ["", "a", "chicgo", "northwind tols"] {
                let completing = Completing::new(Arc::clone(columns), id, text, 3);
                seen += completing.run().iter().map(|one| one.count).sum::<u64>();
            }
            if let Some(hosts) = texts.hosts {
                seen += hosts.codes.iter().map(|code| u64::from(*code)).sum::<u64>();
                for block in hosts.dictionary().blocks() {
                    seen += block.texts().map(|(code, _)| u64::from(code)).sum::<u64>();
                }
                let path = &catalog.column(id).path;
                for pattern in ["%@host7%", "%@%9.test"] {
                    let text = format!("SELECT * FROM person WHERE {path} NOT LIKE '{pattern}'");
                    let query = Query::parse(columns.kind(), &text).unwrap().query;
                    let page = Page {
                        limit: 10,
                        start: Start::Offset(0),
                    };
                    seen += Search::new(Arc::clone(columns), &query, page, None)
                        .run()
                        .unwrap()
                        .total;
                }
            }
            for block in texts.blocks() {
                seen += block.texts().map(|(code, _)| u64::from(code)).sum::<u64>();
            }
            for code in [
                0,
                1,
                127,
                128,
                129,
                texts.len / 2,
                texts.len,
                texts.len.saturating_add(1),
                u32::MAX,
            ] {
                let text = texts.text(code).unwrap_or_else(|| b"v1".to_vec());
                seen += texts.find(&text).map_or(0, u64::from);
                let range = texts.prefix_range(text.get(..2).unwrap_or(&text));
                assert!(
                    range.start <= range.end && range.end <= texts.len + 1,
                    "{range:?}"
                );
            }
        } else {
            seen += u64::from(view.dictionary.len());
        }
    }
    for id in (0..).take(catalog.lists().len()).map(ListId) {
        let list = columns.list(id);
        seen += list.elements()
            + list
                .lengths
                .iter()
                .map(|length| u64::from(*length))
                .sum::<u64>();
        seen += list
            .last
            .iter()
            .chain(list.filled)
            .map(|word| u64::from(word.count_ones()))
            .sum::<u64>();
    }
    seen
}
