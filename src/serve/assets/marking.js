"use strict";

// Keys of the marking page, and saving without loading the page. Forms and links do the same without this script.
//
// Everything that a marker does runs in one chain, one after the other: a key that is pressed while a mark is being saved
// acts on the page that comes next. A mark is sent again until the server answers; the server saves it once.

const PAUSE = 1000; // until a request is tried again, in milliseconds
const TYPING = 800; // without a key, after which a text is saved

let chain = Promise.resolve();
let isEdited = false; // the form has something that was not sent
let timer = 0;

const find = (selector) => document.querySelector(selector);
const form = () => find("form[data-marking]");
const isText = (element) => element.matches("textarea, input:not([type=checkbox]):not([type=hidden])");
const isNewItem = (name) => name === "new_text" || name === "new_points";

class Refused extends Error {}

function enqueue(work) {
  chain = chain.then(work).catch((error) => {
    if (!(error instanceof Refused)) throw error;
  });
}

function say(text, state) {
  const line = find("#status");
  line.textContent = text;
  line.dataset.state = state;
}

function pause() {
  return new Promise((done) => setTimeout(done, PAUSE));
}

// Asks until the server answers. `what` says what is not done until then.
async function ask(path, request, what) {
  for (;;) {
    try {
      const response = await fetch(path, { credentials: "same-origin", ...request });
      return { url: response.url, isOk: response.ok, page: await parsed(response) };
    } catch {
      say(`${what}: the server does not answer. Trying again …`, "waiting");
      await pause();
    }
  }
}

async function parsed(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// Sends a change; returns once it is saved.
async function send(path, fields) {
  say("Saving …", "saving");
  const answer = await ask(path, { method: "POST", body: new URLSearchParams(fields) }, "Not saved");
  if (answer.isOk) return answer;
  const reason = answer.page.querySelector("[role=alert]");
  say(`Not saved: ${reason ? reason.textContent : "the server refuses it"}`, "refused");
  throw new Refused();
}

// Replaces the content of the page.
function show(answer) {
  const url = new URL(answer.url);
  const hasSaved = url.searchParams.has("saved");
  url.searchParams.delete("saved");
  const isSame = url.href === location.href;
  const focus = isSame ? focused() : null;
  const kept = isSame ? unsaved() : [];
  const isAsset = (element) => element.matches("link, script");
  const main = find("main");
  for (const element of [...main.children]) if (!isAsset(element)) element.remove();
  for (const element of [...answer.page.querySelector("main").children]) {
    if (!isAsset(element)) main.append(document.adoptNode(element));
  }
  document.title = answer.page.title;
  if (!isSame) {
    history.pushState(null, "", url);
    scrollTo(0, 0);
  }
  for (const [name, value] of kept) form().elements[name].value = value;
  if (focus) find(focus)?.focus();
  prepare();
  if (hasSaved && find("#status")) find("#status").dataset.state = "saved";
}

// Returns a selector of the field that has the focus.
function focused() {
  const element = document.activeElement;
  if (!element.name || !form()?.contains(element)) return null;
  const value = element.type === "checkbox" ? `[value="${CSS.escape(element.value)}"]` : "";
  return `form[data-marking] [name="${CSS.escape(element.name)}"]${value}`;
}

// Returns the fields of an item that is being written, and of texts that were changed since the form was sent.
function unsaved() {
  const fields = form() ? [...form().elements].filter(isText) : [];
  return fields.filter((it) => it.value && (isNewItem(it.name) || isEdited)).map((it) => [it.name, it.value]);
}

// Saves what was edited, or what a button says.
async function save(button) {
  const edited = form();
  if (!edited || (!isEdited && !button)) return;
  clearTimeout(timer);
  const fields = new FormData(edited);
  if (button) fields.set(button.name, button.value);
  else for (const name of ["new_text", "new_points"]) fields.delete(name);
  isEdited = false;
  // What a button does may lead to another answer: nothing is written until then.
  edited.inert = Boolean(button);
  try {
    const answer = await send(edited.getAttribute("action"), fields);
    if (button) for (const name of ["new_text", "new_points"]) edited.elements[name].value = "";
    receive(answer, edited);
  } catch (error) {
    isEdited = true;
    edited.inert = false;
    throw error;
  }
}

// Shows the page after a change. If the marker has gone on writing meanwhile, the form stays, unless another mark came in
// between: then the page shows both, and the texts stay.
function receive(answer, edited) {
  const fresh = answer.page.querySelector("form[data-marking]");
  const isSame = fresh?.getAttribute("action") === edited.getAttribute("action");
  if (!isEdited || !isSame || answer.page.querySelector(".candidates[role=alert]")) {
    show(answer);
    isEdited = false;
    return;
  }
  edited.inert = false;
  edited.elements.saw.value = fresh.elements.saw.value;
  say("Saving …", "saving");
}

// Shows another answer, once everything is saved.
async function go(key) {
  await save();
  const link = find(`a[data-go="${key}"]`);
  if (link) show(await ask(link.getAttribute("href"), {}, "Not loaded"));
  else say("There is no such answer.", "idle");
}

async function press(key) {
  const item = find(`[data-key="${key}"]`);
  const quick = { 0: "none", f: "full" }[key];
  if (item) {
    item.checked = !item.checked;
    isEdited = true;
    await save();
  } else if (quick) {
    await save(find(`form[data-marking] button[value="${quick}"]`));
  } else if (key === "u") {
    await undo();
  } else {
    await go(key);
  }
}

async function undo() {
  await save();
  const taken = find("form[data-undo]");
  if (taken) show(await send(taken.getAttribute("action"), new FormData(taken)));
  else say("There is no mark of yours to take back.", "idle");
}

// Sends another form than that of the mark, if its page is still shown.
async function submit(other) {
  await save();
  if (other.isConnected) show(await send(other.getAttribute("action"), new FormData(other)));
}

function prepare() {
  const button = find("[data-help]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => find("#help").showModal());
}

function edit(event) {
  const field = event.target;
  if (!form()?.contains(field) || isNewItem(field.name)) return;
  isEdited = true;
  clearTimeout(timer);
  if (event.type === "change") enqueue(() => save());
  else timer = setTimeout(() => enqueue(() => save()), TYPING);
}

function typed(event) {
  if (event.key === "Escape") event.target.blur();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const button = form()?.querySelector("button[value=stay]");
    enqueue(() => save(button));
  }
}

document.addEventListener("keydown", (event) => {
  if (find("dialog[open]")) return;
  if (isText(event.target) || event.target.matches("select")) {
    typed(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = find(`[data-focus="${CSS.escape(event.key)}"]`);
  if (field) field.focus();
  else if (event.key === "?") find("#help")?.showModal();
  else if (/^[0-9fnpou]$/.test(event.key) && form()) enqueue(() => press(event.key));
  else if (/^[npo]$/.test(event.key)) enqueue(() => go(event.key));
  else return;
  event.preventDefault();
});

document.addEventListener("submit", (event) => {
  const sent = event.target;
  if (sent.method !== "post" || !find("main").contains(sent)) return;
  event.preventDefault();
  const { name, value } = event.submitter ?? {};
  if (sent === form()) enqueue(() => save({ name: name || "go", value: value || "stay" }));
  else enqueue(() => submit(sent));
});

document.addEventListener("input", (event) => {
  if (isText(event.target)) edit(event);
});
document.addEventListener("change", edit);

addEventListener("popstate", () => location.reload());
addEventListener("beforeunload", (event) => {
  if (isEdited || find('#status[data-state="waiting"]')) event.preventDefault();
});

prepare();
