"""Who makes a request: asks /auth/identity of Gatehouse, with the standard library."""

import json
import os
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request as Question, build_opener

from fastapi import Request

GATEHOUSE_URL = os.environ.get("GATEHOUSE_URL", "http://localhost:4000")
TIMEOUT_SECONDS = 5

UNAVAILABLE = {"error": {"code": "UNAVAILABLE", "message": "The service is briefly unavailable. Try again in a moment."}}


@dataclass(frozen=True)
class Caller:
    name: str
    organization_id: str


class Refusal(Exception):
    """Gatehouse refuses the request, or does not answer (503): then it is not known who asks."""

    def __init__(self, status: int = 503, body: Any = UNAVAILABLE):
        self.status, self.body = status, body


class WithoutRedirects(HTTPRedirectHandler):
    """A credential is sent to Gatehouse and to no other place."""

    def redirect_request(self, *_: Any) -> None:
        return None


gatehouse = build_opener(WithoutRedirects)


def ask_identity(request: Request, scope: str) -> Caller:
    """Who makes a request, if they hold a scope in an organization. Asks for each request: nothing may be cached."""
    # An upgrade may change something later, so that it is no reading request.
    method = "CONNECT" if "upgrade" in request.headers else request.method
    parameters = urlencode(
        {"method": method, "client_ip": client_ip(request), "scope": scope, "membership": "required"}
    )
    question = Question(f"{GATEHOUSE_URL}/auth/identity?{parameters}", headers=credentials(request))
    try:
        with gatehouse.open(question, timeout=TIMEOUT_SECONDS) as answer:
            identity = json.load(answer)
        return Caller(identity["actor"]["name"], identity["membership"]["organization"]["id"])
    except HTTPError as answer:
        raise refusal_in(answer) from None
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
        raise Refusal() from error


def client_ip(request: Request) -> str:
    """The client's address, which Gatehouse believes from a peer that its TRUST_PROXY names."""
    # The peer of a forwarded request is a proxy: where you run one, take the address that it names.
    if request.client is None or "x-forwarded-for" in request.headers:
        return "unknown"
    return request.client.host


def credentials(request: Request) -> dict[str, str]:
    """Authorization; without it the cookie auth_access alone, with Origin and Referer, which decide on the cookie."""

    def header(name: str) -> dict[str, str]:
        values = request.headers.getlist(name)
        return {name: ", ".join(values)} if values else {}

    if authorization := header("authorization"):
        return authorization
    pairs = ";".join(request.headers.getlist("cookie")).split(";")
    # Every copy: Gatehouse refuses a repeated one.
    access = [pair.strip() for pair in pairs if pair.split("=")[0].strip() == "auth_access"]
    return {"cookie": "; ".join(access), **header("origin"), **header("referer")} if access else {}


def refusal_in(answer: HTTPError) -> Refusal:
    """Only the documented refusals say something of the caller; after anything else it is not known who asks."""
    try:
        with answer:
            body = json.load(answer)
        if answer.code in (401, 403) and isinstance(body["error"]["code"], str):
            return Refusal(answer.code, body)
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        pass
    return Refusal()
