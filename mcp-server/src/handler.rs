//! The MCP methods: what the server is, its tools, and calling one. Prompts and resources are declared and empty.

use std::borrow::Cow;
use std::sync::LazyLock;

use events_schema::api::caller::NoCaller;
use http::request::Parts;
use opentelemetry::metrics::Counter;
use opentelemetry::{KeyValue, global};
use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::{Map, Value, json};
use service_kit::problem::Problem;
use tracing::Instrument;

use crate::answer;
use crate::incoming::Incoming;
use crate::keys::no_caller;
use crate::tools::{self, ToolEntry};
use crate::upstream::Upstream;

/// Name of the server in `serverInfo`.
pub const NAME: &str = "roster";
/// Title of the server.
pub const TITLE: &str = "Person and Company Data Service";
/// Revisions of the protocol that are spoken, newest first.
pub const PROTOCOL_VERSIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2026_07_28,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_03_26,
];
const KNOWN_METHODS: &[&str] = &[
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/read",
    "resources/templates/list",
];
const INSTRUCTIONS: &str = "Match people and companies to records, search them, clean and validate values, and report wrong data. \
    Matching and searching cost credits per returned record; ask for few fields and few records.";

/// Calls by tool and by the status of REST; 0 where REST gave no answer.
static CALLS: LazyLock<Counter<u64>> = LazyLock::new(|| {
    global::meter("mcp-server")
        .u64_counter("mcp.tool.calls")
        .build()
});

/// Calls that were given up before their endpoint answered.
static STOPPED: LazyLock<Counter<u64>> = LazyLock::new(|| {
    global::meter("mcp-server")
        .u64_counter("mcp.tool.stopped")
        .build()
});
/// The error code of a cancelled call, for a client that still listens. The protocol defines none; this is `RequestCancelled` of the
/// Language Server Protocol.
const CANCELLED: ErrorCode = ErrorCode(-32800);

/// What the server has, as `initialize`, `server/discover` and the card say it.
pub fn capabilities() -> ServerCapabilities {
    let mut capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_prompts()
        .enable_resources()
        .build();
    // The list is what this build has: none is told of a change.
    if let Some(tools) = &mut capabilities.tools {
        tools.list_changed = Some(false);
    }
    capabilities
}

/// Answers MCP methods; keeps nothing between two of them.
#[derive(Debug, Clone)]
pub struct Handler {
    upstream: Upstream,
}

impl Handler {
    /// A handler that calls tools at `upstream`.
    pub fn new(upstream: Upstream) -> Self {
        Self { upstream }
    }

    async fn call(
        &self,
        tool: &ToolEntry,
        incoming: Incoming,
        arguments: Map<String, Value>,
    ) -> Result<CallToolResult, ErrorData> {
        let Incoming {
            request_id, stop, ..
        } = incoming.clone();
        if let Some(problem) = refused_arguments(tool, &incoming, &arguments) {
            return Ok(answer::refusal(&problem, &request_id));
        }
        let Some(key) = incoming.key else {
            let problem = no_caller(NoCaller::MISSING_KEY);
            return Ok(answer::refusal(&problem, &request_id));
        };
        let name = tool.endpoint.name();
        let span = tracing::info_span!(parent: &incoming.span, "tool", tool = name);
        let call = self
            .upstream
            .call(tool.endpoint, key, incoming.idempotency_keys, arguments)
            .instrument(span.clone());
        // Dropping the call ends it at its endpoint, too, which gives the held credits back.
        let Some(outcome) = stop.run_until_cancelled_owned(call).await else {
            STOPPED.add(1, &[KeyValue::new("tool", name)]);
            return Err(ErrorData::new(CANCELLED, "the call was cancelled", None));
        };
        let status = outcome
            .as_ref()
            .map_or(0, |answer| i64::from(answer.status.as_u16()));
        CALLS.add(
            1,
            &[KeyValue::new("tool", name), KeyValue::new("status", status)],
        );
        Ok(span.in_scope(|| answer::result(tool.endpoint, outcome, &request_id)))
    }
}

/// What must be refused here, since REST would accept it or never see it.
fn refused_arguments(
    tool: &ToolEntry,
    incoming: &Incoming,
    arguments: &Map<String, Value>,
) -> Option<Problem> {
    if incoming.arguments_are_no_object {
        return Some(Problem::bad_request(
            "malformed_json",
            "The arguments must be one JSON object.",
        ));
    }
    let withheld = tools::withheld(tool.endpoint).iter();
    let given: Vec<&str> = withheld
        .copied()
        .filter(|name| arguments.get(*name).is_some_and(|value| !value.is_null()))
        .collect();
    (!given.is_empty()).then(|| {
        let message = format!("The tool has no argument {}.", given.join(", "));
        Problem::bad_request("unknown_parameter", message)
            .detail("parameters", json!(given))
            .detail("accepted", tool.argument_names())
    })
}

/// Names what was asked for, cut, and what there is.
fn no_such_tool(asked: &str) -> ErrorData {
    const SHOWN_CHARS: usize = 64;
    let asked: String = asked.chars().take(SHOWN_CHARS).collect();
    let names: Vec<&str> = tools::TOOLS
        .iter()
        .map(|tool| tool.endpoint.name())
        .collect();
    let message = format!(
        "there is no such tool: {asked}; there are {}",
        names.join(", ")
    );
    ErrorData::invalid_params(message, Some(json!({"tool": asked, "tools": names})))
}

/// What the protocol requires of the parameters of a method.
fn required(method: &str) -> &'static [&'static str] {
    match method {
        "initialize" => &["protocolVersion", "capabilities", "clientInfo"],
        "tools/call" | "prompts/get" => &["name"],
        "resources/read" => &["uri"],
        _ => &[],
    }
}

/// Says what is missing, at any depth that the protocol gives a name to.
fn unread_parameters(request: &CustomRequest) -> ErrorData {
    let given = request.params.as_ref();
    let has = |path: &str| given.is_some_and(|given| given.pointer(path).is_some());
    let mut missing: Vec<String> = required(&request.method)
        .iter()
        .filter(|name| !has(&format!("/{name}")))
        .map(|name| (*name).to_owned())
        .collect();
    if request.method == "initialize" && has("/clientInfo") {
        let of_client = ["name", "version"].into_iter();
        let of_client = of_client.filter(|name| !has(&format!("/clientInfo/{name}")));
        missing.extend(of_client.map(|name| format!("clientInfo.{name}")));
    }
    let message = "the parameters of the method cannot be read";
    if missing.is_empty() {
        return ErrorData::invalid_params(message, None);
    }
    let message = format!("{message}: {} is missing", missing.join(", "));
    ErrorData::invalid_params(message, Some(json!({"missing": missing})))
}

/// Every list fits on one page, so this server never gave out a cursor. An empty cursor is accepted: some clients send one with their first
/// request.
fn first_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    if cursor.is_some_and(|cursor| !cursor.is_empty()) {
        let message = "unknown cursor: every list of this server has one page";
        return Err(ErrorData::invalid_params(message, None));
    }
    Ok(())
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new(NAME, env!("CARGO_PKG_VERSION")).with_title(TITLE);
        ServerConfig::new(capabilities())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(PROTOCOL_VERSIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::described()
            .iter()
            .find(|tool| tool.name == name)
            .cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        first_page(request)?;
        Ok(ListToolsResult::with_all_items(tools::described().to_vec()))
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        first_page(request)?;
        Ok(ListPromptsResult::default())
    }

    async fn get_prompt(
        &self,
        _request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let message = "there is no such prompt: this server has none";
        Err(ErrorData::invalid_params(message, None))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        first_page(request)?;
        Ok(ListResourcesResult::default())
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        first_page(request)?;
        Ok(ListResourceTemplatesResult::default())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let message = "there is no such resource: this server has none";
        let uri = json!({ "uri": request.uri });
        Err(ErrorData::resource_not_found(message, Some(uri)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::find(&request.name) else {
            return Err(no_such_tool(&request.name));
        };
        let parts = context.extensions.get::<Parts>();
        let Some(incoming) = parts
            .and_then(|parts| parts.extensions.get::<Incoming>())
            .cloned()
        else {
            return Err(ErrorData::internal_error(
                "the request did not come over HTTP",
                None,
            ));
        };
        let result = self
            .call(tool, incoming, request.arguments.unwrap_or_default())
            .await?;
        Ok(CallToolResponse::from(result))
    }

    /// rmcp takes a known method whose parameters it cannot read for one that it does not know.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            return Err(unread_parameters(&request));
        }
        Err(ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            "there is no such method",
            None,
        ))
    }

    /// The default would log; a stateless server has nothing to note.
    async fn on_initialized(&self, _context: NotificationContext<RoleServer>) {}
}
