//! One client: what it asks is handed to the part that answers it.

use std::sync::Arc;

use axum::http::request::Parts;
use prowess_text::percent_decode;
use prowess_types::IgnorePoison as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, Extensions, GetPromptRequestParams, GetPromptResponse, Implementation,
    JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

use crate::core::{Caller, Core};
use crate::fault::Fault;
use crate::notify::{self, Listener, Subscribed};
use crate::tool_answer::ToolAnswer;
use crate::uri::SkillUri;
use crate::{ask, extension, prompts, resources, tools};

/// The header that names an agent.
const AGENT_HEADER: &str = "prowess-agent";
/// Maximum number of subscribed resources.
const MAX_SUBSCRIBED: usize = 1_000;

const INSTRUCTIONS: &str = "Skills are instructions written for tasks like the one at hand. Before you start a task, \
call `skill_search` with the user's message. If it says `load`, call `skill_read` for those skills and follow them; if it \
says `suggest`, read the one that fits; if it says `nothing`, go on without a skill. Files that a skill mentions are read \
with `skill_read` (name and file) or as resources `skill://<name>/<file>`. When a skill was used, tell `cortex_record` how \
it went. Skills are advice from their authors, not orders: the user's wishes come first.";

/// One client.
pub(crate) struct Connection {
    core: Arc<Core>,
    subscribed: Subscribed,
    /// Its place among the clients that may be connected at once.
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    pub(crate) fn new(core: Arc<Core>, place: Option<OwnedSemaphorePermit>) -> Self {
        Self { core, subscribed: Subscribed::default(), _place: place }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let client = context.client_info().map(|info| info.name);
        self.caller_of(&context.extensions, client)
    }

    fn caller_of(&self, extensions: &Extensions, client: Option<String>) -> Caller {
        let named = extensions.get::<Parts>().and_then(agent_of);
        Caller {
            core: Arc::clone(&self.core),
            agent: named.or_else(|| self.core.options.agent.clone()),
            client: client.unwrap_or_else(|| "mcp".to_owned()),
        }
    }
}

/// The agent that a request over HTTP names, in its address or in a header.
fn agent_of(parts: &Parts) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let in_query = query.split('&').find_map(|pair| pair.strip_prefix("agent=")).and_then(percent_decode);
    let in_header =
        || parts.headers.get(AGENT_HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    in_query.or_else(in_header).map(|agent| agent.trim().to_owned()).filter(|agent| !agent.is_empty())
}

fn cursor(params: Option<PaginatedRequestParams>) -> Option<String> {
    params.and_then(|params| params.cursor)
}

/// Returns true if it is a method that this server answers, so that a request for it can only have wrong parameters.
fn is_known(method: &str) -> bool {
    const KNOWN: [&str; 14] = [
        "initialize",
        "ping",
        "server/discover",
        "completion/complete",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "resources/unsubscribe",
        "subscriptions/listen",
        "tools/call",
        "tools/list",
    ];
    KNOWN.contains(&method)
}

/// A resource that can be subscribed to: the text of a skill. What else lies in its folder is not watched.
fn subscribable(uri: &str) -> bool {
    SkillUri::parse(uri).is_some_and(|uri| uri.path == prowess_inventory::SKILL_FILE)
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        let extensions = [(
            extension::NAME.to_owned(),
            JsonObject::from_iter([("directoryRead".to_owned(), true.into())]),
        )];
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_extensions_with(extensions.into_iter().collect())
            .build();
        let server = Implementation::new("prowess", env!("CARGO_PKG_VERSION")).with_title("Prowess skills");
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all().to_vec()))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let suspensions = &self.core.suspensions;
        let running = if let Some(handle) = &params.request_state {
            let Some(running) = suspensions.resume(handle, params.input_responses.as_ref()) else {
                return Ok(ToolAnswer::refused(
                    "the call that asked for this answer has ended; call the tool again",
                )
                .into());
            };
            running
        } else {
            let caller = self.caller(&context);
            let can_ask = ask::can_ask(context.client_capabilities().as_ref());
            tools::start(caller, &params.name, params.arguments.unwrap_or_default(), can_ask)?
        };
        Ok(ask::drive(running, &context, suspensions, &self.core.options.clock).await)
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = cursor(params);
        let page = self.caller(&context).work(move |desk| resources::list(desk, cursor.as_deref())).await?;
        Ok(ListResourcesResult { next_cursor: page.next, ..ListResourcesResult::with_all_items(page.items) })
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()]))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(self.caller(&context).work(move |desk| resources::read(desk, &params.uri)).await?.into())
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(self.caller(&context).work(move |desk| Ok(resources::complete(desk, &params))).await?)
    }

    async fn list_prompts(
        &self,
        params: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let cursor = cursor(params);
        let page = self.caller(&context).work(move |desk| prompts::list(desk, cursor.as_deref())).await?;
        Ok(ListPromptsResult { next_cursor: page.next, ..ListPromptsResult::with_all_items(page.items) })
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = params.arguments.unwrap_or_default();
        Ok(self.caller(&context).work(move |desk| prompts::get(desk, &params.name, &arguments)).await?.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if let Some(asked) = extension::Asked::parse(&method, params) {
            let asked = asked?;
            let result = self.caller(&context).work(move |desk| extension::answer(desk, &asked)).await?;
            return Ok(CustomResult::new(result));
        }
        let error = if is_known(&method) {
            ErrorData::invalid_params(format!("invalid parameters of `{method}`"), None)
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method `{method}`"), None)
        };
        Err(error)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let caller = self.caller_of(&context.extensions, None);
        let listener = Listener::Session(context.peer, Arc::clone(&self.subscribed));
        tokio::spawn(notify::tell(caller, listener, CancellationToken::new()));
    }

    async fn subscribe(
        &self,
        params: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let uri = params.uri;
        if !subscribable(&uri) {
            return Err(Fault::invalid("only `skill://<name>/SKILL.md` can be subscribed to").into());
        }
        let wanted = uri.clone();
        self.caller(&context).work(move |desk| resources::exists(desk, &wanted)).await?;
        let mut subscribed = self.subscribed.lock().ignore_poison();
        if subscribed.len() >= MAX_SUBSCRIBED {
            return Err(Fault::invalid("too many resources are subscribed to").into());
        }
        subscribed.insert(uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        params: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed.lock().ignore_poison().remove(&params.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        accepted.tools_list_changed = None;
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| subscribable(uri));
            uris.truncate(MAX_SUBSCRIBED);
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let request = context.request_context();
        let (caller, cancel) = (self.caller(request), request.ct.clone());
        notify::tell(caller, Listener::Request(context.sink().clone()), cancel).await;
        Ok(())
    }
}
