//! `person_enrich` and `company_enrich` (`docs/API.md`, "POST /person/enrich").

use events_schema::api::endpoint::Endpoint;

use super::ToolEntry;
use super::schema::matches;

pub(super) const PERSON: ToolEntry = ToolEntry {
    endpoint: Endpoint::PersonEnrich,
    title: "Enrich a person",
    summary: "Match a person and append data",
    description: "Match one person by e-mail, phone, social URL, hash or id, or by name plus context. Costs 1 credit \
        per returned match, 0 if nothing matches. Pass include_fields to keep the answer small.",
    output: matches,
};

pub(super) const COMPANY: ToolEntry = ToolEntry {
    endpoint: Endpoint::CompanyEnrich,
    title: "Enrich a company",
    summary: "Match a company and append data",
    description: "Match one company by domain, name, LinkedIn, ticker or id. Costs 1 credit per returned match, 0 if \
        nothing matches. Pass include_fields to keep the answer small.",
    output: matches,
};
