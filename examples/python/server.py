"""Notes of organizations, on FastAPI. Gatehouse decides for each request who makes it."""

import os
from typing import Annotated
from urllib.parse import quote

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel

from identity import GATEHOUSE_URL, Caller, Refusal, ask_identity

GATEHOUSE_FRONTEND_URL = os.environ.get("GATEHOUSE_FRONTEND_URL", GATEHOUSE_URL)
PORT = int(os.environ.get("PORT", "3000"))
OWN_URL = f"http://localhost:{PORT}"


class NewNote(BaseModel):
    text: str


class Note(BaseModel):
    text: str
    author: str


# By the id of the organization that owns them; a real application has a database.
notes: dict[str, list[Note]] = {}


def reader(request: Request) -> Caller:
    return ask_identity(request, "notes:read")


def writer(request: Request) -> Caller:
    return ask_identity(request, "notes:write")


app = FastAPI()


# FastAPI runs functions without `async` in threads, which may wait for Gatehouse.
@app.get("/notes")
def list_notes(caller: Annotated[Caller, Depends(reader)]) -> dict[str, list[Note]]:
    return {"notes": notes.get(caller.organization_id, [])}


@app.post("/notes", status_code=201)
def add_note(caller: Annotated[Caller, Depends(writer)], new: NewNote) -> Note:
    note = Note(text=new.text, author=caller.name)
    notes.setdefault(caller.organization_id, []).append(note)
    return note


def is_navigation(request: Request) -> bool:
    """A browser that opens a page, in contrast to a script, which can handle a 401."""
    headers = request.headers
    return request.method == "GET" and "authorization" not in headers and "text/html" in headers.get("accept", "")


@app.exception_handler(Refusal)
def answer_refusal(request: Request, refusal: Refusal) -> Response:
    if refusal.status == 401 and is_navigation(request):
        query = f"?{request.url.query}" if request.url.query else ""
        page = quote(f"{OWN_URL}{request.url.path}{query}", safe="")
        return RedirectResponse(f"{GATEHOUSE_FRONTEND_URL}/signin?redirect={page}", 302)
    challenge = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else None
    return JSONResponse(refusal.body, refusal.status, challenge)


@app.exception_handler(RequestValidationError)
def answer_bad_input(_request: Request, _error: RequestValidationError) -> Response:
    return JSONResponse({"error": {"code": "BAD_USER_INPUT", "message": "A note needs a text."}}, 400)


if __name__ == "__main__":
    uvicorn.run(app, host="localhost", port=PORT, proxy_headers=False)
