"""PCH401 call-around-seam: a direct call of a provider's SDK."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from pleach_lint.flow.foreign_objects import dotted_names
from pleach_lint.flow.module import dotted_name
from pleach_lint.flow.slots import Notice
from pleach_lint.rule import Example, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.flow.analysis import View


class _Sdk(NamedTuple):
    """The entry points of one SDK that ask a model for text."""

    packages: tuple[str, ...]
    """The dotted names that the SDK is imported by."""
    calls: tuple[str, ...]
    """Ends of dotted names: `chat.completions.create` of any client."""
    source: str


_OPENAI_CALLS: Final = (
    "chat.completions.create", "chat.completions.parse", "chat.completions.stream", "completions.create",
    "responses.create", "responses.parse", "responses.stream", "ChatCompletion.create", "ChatCompletion.acreate",
)  # fmt: skip
_MESSAGES: Final = ("messages.create", "messages.stream", "messages.parse", "messages.batches.create")
_CHAT_MODEL: Final = (
    "invoke", "ainvoke", "stream", "astream", "batch", "abatch", "generate", "agenerate", "predict", "apredict",
    "astream_events",
)  # fmt: skip
_GENAI: Final = (
    "models.generate_content", "models.generate_content_stream", "generate_content", "generate_content_async",
    "chats.create().send_message", "chats.create().send_message_stream", "start_chat().send_message",
    "start_chat().send_message_async",
)  # fmt: skip

_SDKS: Final = (
    _Sdk(("openai",), _OPENAI_CALLS, "https://platform.openai.com/docs/api-reference"),
    _Sdk(("anthropic",), (*_MESSAGES, "completions.create"), "https://docs.anthropic.com/en/api/messages"),
    _Sdk(
        ("litellm",),
        (
            "completion",
            "acompletion",
            "text_completion",
            "atext_completion",
            "batch_completion",
            "responses",
            "aresponses",
        ),
        "https://docs.litellm.ai/docs/completion/input",
    ),
    _Sdk(("google.genai", "google.generativeai", "vertexai"), _GENAI, "https://googleapis.github.io/python-genai/"),
    _Sdk(
        ("mistralai",),
        tuple(
            f"{part}.{verb}"
            for part in ("chat", "fim", "agents")
            for verb in ("complete", "complete_async", "stream", "stream_async")
        ),
        "https://docs.mistral.ai/api/",
    ),
    _Sdk(
        ("cohere",),
        ("chat", "chat_stream", "generate", "v2.chat", "v2.chat_stream"),
        "https://docs.cohere.com/reference/chat",
    ),
    _Sdk(("groq", "together"), _OPENAI_CALLS, "https://console.groq.com/docs/api-reference"),
    _Sdk(("ollama",), ("chat", "generate"), "https://github.com/ollama/ollama-python"),
    _Sdk(
        tuple(
            f"{maker}.client(bedrock-runtime)"
            for maker in (
                "boto3",
                "boto3.Session",
                "boto3.session.Session",
                "aioboto3.Session",
                "aiobotocore.session.get_session()",
            )
        ),
        ("converse", "converse_stream", "invoke_model", "invoke_model_with_response_stream"),
        "https://docs.aws.amazon.com/boto3/latest/reference/services/bedrock-runtime.html",
    ),
    _Sdk(
        ("langchain.chat_models.init_chat_model()",),
        _CHAT_MODEL,
        "https://python.langchain.com/api_reference/langchain/chat_models.html",
    ),
    _Sdk(
        ("pydantic_ai",),
        (
            "Agent.run",
            "Agent.run_sync",
            "Agent.run_stream",
            "Agent.iter",
            "direct.model_request",
            "direct.model_request_sync",
            "direct.model_request_stream",
            "direct.model_request_stream_sync",
        ),
        "https://ai.pydantic.dev/api/agent/",
    ),
    _Sdk(
        ("instructor",),
        (
            "chat.completions.create",
            "chat.completions.create_partial",
            "chat.completions.create_with_completion",
            "chat.completions.create_iterable",
            "messages.create",
            "create",
            "create_partial",
            "create_iterable",
            "create_with_completion",
        ),
        "https://python.useinstructor.com/",
    ),
    _Sdk(
        ("huggingface_hub",),
        ("InferenceClient.chat_completion", "InferenceClient.text_generation", "chat.completions.create"),
        "https://huggingface.co/docs/huggingface_hub/package_reference/inference_client",
    ),
    _Sdk(
        ("agents.Runner",),
        ("run", "run_sync", "run_streamed"),
        "https://openai.github.io/openai-agents-python/ref/run/",
    ),
)
_CHAT_PACKAGES: Final = ("langchain", "llama_index")
"""Packages whose classes named `Chat…` or `…LLM` are chat models."""


_ENDS: Final = frozenset(call.rpartition(".")[2] for sdk in _SDKS for call in sdk.calls) | frozenset(_CHAT_MODEL)
"""What every method is called that asks a model."""


class CallAroundSeam(Rule):
    """A provider is called directly, around the seams.

    A call that goes through no seam has no class: it is in no sum, under no cap and in no audit row. Known are the
    calls for text of openai, anthropic, litellm, google-genai, vertexai, mistralai, cohere, groq, together, ollama,
    Bedrock through boto3, the chat models of langchain (in a chain as well, `prompt | model`), pydantic-ai, instructor,
    huggingface_hub and openai-agents. Embeddings, images and lists of models are no such calls.

    The adapters behind the seams have to make these calls: name them in `provider-modules`.

    Source: the documentation of Pleach, "Call classes"; for each SDK the address that stands beside its calls.
    """

    code = "PCH401"
    slug = "call-around-seam"
    default = False
    signs = (
        "openai", "anthropic", "litellm", "genai", "generativeai", "vertexai", "mistralai", "cohere", "groq",
        "together", "ollama", "bedrock-runtime", "langchain", "pydantic_ai", "instructor", "huggingface_hub", "agents",
    )  # fmt: skip
    way_out = "invoke a seam, or name this file in `provider-modules`"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "clients of several makers",
            """
            import anthropic
            from openai import AsyncOpenAI, OpenAI

            client = OpenAI()
            client.chat.completions.create(model="m", messages=[])  #~ 1
            client.with_options(timeout=1).responses.create(model="m")  #~ 1

            async def ask():
                async with AsyncOpenAI() as opened:
                    await opened.responses.create(model="m")  #~ 15
                with anthropic.Anthropic().messages.stream(model="m") as stream:  #~ 10
                    return stream
            """,
        ),
        Example(
            "through a seam",
            """
            async def ask(seam, request, turn):
                return await seam.invoke(request, turn=turn, stage_id="answer")
            """,
        ),
        Example(
            "functions of a module, under other names",
            """
            import litellm as llm
            import ollama
            from litellm import acompletion as complete

            llm.completion(model="m", messages=[])  #~ 1
            ollama.chat(model="m")  #~ 1

            later = partial(complete, model="m")

            async def ask():
                await later(messages=[])  #~ 11
                return await complete(model="m")  #~ 18
            """,
        ),
        Example(
            "what asks for no text",
            """
            import litellm
            from openai import OpenAI

            client = OpenAI()
            client.embeddings.create(model="m", input="text")
            client.models.list()
            litellm.token_counter(model="m", text="text")
            litellm.drop_params = True
            """,
        ),
        Example(
            "a client that a class keeps, and one that is handed in",
            """
            import google.genai as genai
            from anthropic import Anthropic

            class Desk:
                def __init__(self, client: Anthropic):
                    self.client = client
                    self.google = genai.Client()

                def ask(self, other):
                    self.client.messages.create(model="m")  #~ 9
                    self.google.models.generate_content(model="m")  #~ 9
                    other.inner.messages.create(model="m")  #~ 9
            """,
        ),
        Example(
            "Bedrock",
            """
            import boto3

            bedrock = boto3.client("bedrock-runtime")
            bedrock.converse(modelId="m", messages=[])  #~ 1
            boto3.Session().client(service_name="bedrock-runtime").invoke_model(modelId="m")  #~ 1
            """,
        ),
        Example(
            "another service, and another object with such a method",
            """
            import boto3
            from openai import OpenAI

            boto3.client("bedrock-runtime-lookalike").converse(text="m")
            boto3.client("s3").get_object(Bucket="b")
            session.messages.create(body="a text message")
            store.orders.create(name="my own")
            """,
        ),
        Example(
            "chat models and agents",
            """
            from langchain.chat_models import init_chat_model
            from langchain_openai import ChatOpenAI
            from pydantic_ai import Agent

            model = ChatOpenAI(model="m")
            model.invoke("why")  #~ 1
            init_chat_model("m").stream("why")  #~ 1
            Agent("m").run_sync("why")  #~ 1
            """,
        ),
        Example(
            "chat models in a chain",
            '''
            from langchain_core.output_parsers import StrOutputParser
            from langchain_core.prompts import ChatPromptTemplate
            from langchain_core.runnables import RunnableSequence
            from langchain_openai import ChatOpenAI

            prompt = ChatPromptTemplate.from_template("{text}")
            (prompt | ChatOpenAI()).invoke({"text": "why"})  #~ 1
            chain = {"text": str} | prompt | ChatOpenAI().bind_tools([]) | StrOutputParser()
            chain.batch([{"text": "why"}])  #~ 1
            prompt.pipe(chain).stream({"text": "why"})  #~ 1
            RunnableSequence(prompt, ChatOpenAI()).invoke({"text": "why"})  #~ 1
            ChatOpenAI().with_structured_output(Answer).invoke("why")  #~ 1

            async def made(prompt):
                """Put a chain together."""
                return prompt | ChatOpenAI()

            async def ask(model: ChatOpenAI):
                await (await made(prompt)).abatch([])  #~ 11
                return await chain.with_config(tags=[]).ainvoke({"text": "why"})  #~ 18
            ''',
        ),
        Example(
            "a chain without a model",
            """
            from langchain_core.output_parsers import StrOutputParser
            from langchain_core.prompts import ChatPromptTemplate
            from langchain_openai import ChatOpenAI

            chain = ChatPromptTemplate.from_template("{text}") | StrOutputParser()
            chain = chain | chain
            chain.invoke({"text": "why"})
            flags = ChatOpenAI | None
            whole = chain | ChatOpenAI()
            whole.get_graph()
            """,
        ),
        Example(
            "what is built from a framework, and a name of one's own",
            """
            from langchain_core.prompts import ChatPromptTemplate
            from pydantic_ai import Agent

            prompt = ChatPromptTemplate.from_messages([])
            prompt.invoke({"text": "why"})

            import openai as called

            called()

            @Agent("m").tool
            def openai(context):
                return context.run()
            """,
        ),
    )

    def visit_Call(self, node: ast.Call, view: View) -> Iterator[Notice]:
        if view.module.is_provider or (isinstance(node.func, ast.Attribute) and node.func.attr not in _ENDS):
            return
        dotted = dotted_names(view.analysis.references, view.module, node.func)
        called = sorted(filter(_calls_provider, dotted)) or ([] if dotted else list(_guessed(node.func, view)))
        if called:
            maker = called[0].partition(".")[0]
            yield Notice(node.func, f"`{ast.unparse(node.func)}(...)` calls `{maker}` directly")


def _calls_provider(dotted: str) -> bool:
    return any(_is_call_of(dotted, sdk) for sdk in _SDKS) or _is_chat_model(dotted)


def _guessed(function: ast.expr, view: View) -> Iterator[str]:
    """`self.client.messages.create(...)` of an unknown client, in a file that imports an SDK with such a call."""
    chain = dotted_name(function)
    likely = [sdk for sdk in _SDKS if any("." in call and chain.endswith(f".{call}") for call in sdk.calls)]
    imported = {name for node in view.module.nodes for name in _imported(node)} if likely else set[str]()
    for package in (package for sdk in likely for package in sdk.packages):
        if any(f"{name}.".startswith(f"{package}.") for name in imported):
            yield f"{package}.{chain}"


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_call_of(dotted: str, sdk: _Sdk) -> bool:
    inside = (dotted[len(package) :] for package in sdk.packages if dotted.startswith(f"{package}."))
    return any(rest.endswith(f".{call}") for rest in inside for call in sdk.calls)


def _is_chat_model(dotted: str) -> bool:
    """`langchain_openai.ChatOpenAI.invoke`, whatever the package and the model."""
    owner, _, method = dotted.rpartition(".")
    package, *owners = owner.split(".")
    is_named = any((owner.startswith("Chat") and "Prompt" not in owner) or owner.endswith("LLM") for owner in owners)
    return package.startswith(_CHAT_PACKAGES) and is_named and method in _CHAT_MODEL
