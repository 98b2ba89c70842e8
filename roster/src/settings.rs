//! Where the service is: the environment first, then `.data/env` in the current folder or the nearest one above it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// File that `make up` writes, below the folder of the project.
const ENV_FILE: &str = ".data/env";

/// Settings by name. Tokens and passwords are in it: never printed.
pub(crate) struct Settings {
    file: BTreeMap<String, String>,
    data_folder: Option<PathBuf>,
}

impl Settings {
    /// Reads `.data/env` if there is one.
    pub(crate) fn read() -> Result<Self, Failure> {
        let Some(path) = find_upward(ENV_FILE) else {
            return Ok(Self {
                file: BTreeMap::new(),
                data_folder: None,
            });
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|fault| Failure::usage(format!("{}: {fault}", path.display())))?;
        Ok(Self {
            file: parse(&text),
            data_folder: path.parent().map(Path::to_owned),
        })
    }

    /// A setting, if it is set and not empty.
    pub(crate) fn optional(&self, name: &str) -> Option<String> {
        std::env::var(name)
            .ok()
            .filter(|value| !value.is_empty())
            .or_else(|| self.file.get(name).cloned())
    }

    /// A setting without which the command cannot run.
    pub(crate) fn required(&self, name: &str) -> Result<String, Failure> {
        self.optional(name).ok_or_else(|| {
            Failure::usage(format!(
                "{name} is not set, and no {ENV_FILE} in this folder or above it has it (`make up` writes one)"
            ))
        })
    }

    /// The local folder of the object store: `OBJECT_STORE`, else `objects` beside `.data/env`.
    pub(crate) fn object_folder(&self) -> Option<PathBuf> {
        match self.optional("OBJECT_STORE") {
            Some(url) if url.contains("://") => url.strip_prefix("file://").map(PathBuf::from),
            Some(path) => Some(PathBuf::from(path)),
            None => Some(self.data_folder.as_ref()?.join("objects")),
        }
    }
}

fn find_upward(name: &str) -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    current
        .ancestors()
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// Shell lines `NAME=value`, with or without `export` and quotes; empty values count as not set.
fn parse(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_prefix("export ").unwrap_or(line).split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), unquoted(value.trim()).to_owned()))
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

fn unquoted(value: &str) -> &str {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_lines_are_read_with_and_without_quotes() {
        let read = parse("# a comment\nA='one two'\nexport B=\"x=y\"\nC=plain\nD=''\nno line\n");
        let expected = [("A", "one two"), ("B", "x=y"), ("C", "plain")];
        assert_eq!(
            read,
            expected.map(|(k, v)| (k.to_owned(), v.to_owned())).into()
        );
    }
}
