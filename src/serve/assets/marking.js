"use strict";

// Keys of the marking page, and saving without loading the page. Forms and links do the same without this script.
//
// Everything that a marker does runs in one chain, one after the other: a key that is pressed while a mark is being saved
// acts on the page that comes next. If that is not the page that the marker had in mind, commands that still wait are
// dropped: after a refusal or a conflict, where there is no such answer or item, and where the rubric has changed.
// A mark is sent again until the server answers; the server saves it once.

// Until a request is tried again, in milliseconds. Twenty markers who wait then send twenty requests a second.
const PAUSE = 1000;
// Time without a key after which a text is saved, in milliseconds. At 20 words a minute, keys are 600 apart.
const TYPING = 800;
// Statuses with which a proxy answers while the server is away.
const AWAY = [502, 503, 504];
const CONFLICT = ".candidates[role=alert]";
const NEW_ITEM = ["new_text", "new_points"];
const QUICK = { 0: "none", f: "full" };

let chain = Promise.resolve();
let pending = 0; // works in the chain
let drops = 0; // times that waiting commands were dropped
let isEdited = false; // the form has something that was not sent
let isFocusing = false; // a field gets the focus once the commands before are done
let isLeaving = false; // the browser loads another page
let timer = 0;

const find = (selector) => document.querySelector(selector);
const form = () => find("form[data-marking]");
const isText = (element) => element.matches("textarea, input:not([type=checkbox]):not([type=hidden])");
const hasNewItem = () => NEW_ITEM.some((name) => form()?.elements[name].value);

// Ends a command. The status line has the reason.
class Stopped extends Error {}

// Does work after all that was asked for before.
function enqueue(work) {
  pending += 1;
  chain = chain
    .then(work)
    .catch(fail)
    .finally(() => {
      pending -= 1;
    });
}

// Does what the marker asks for, unless waiting commands are dropped before its turn.
function command(work) {
  const asked = drops;
  enqueue(() => (asked === drops ? work() : undefined));
}

function fail(error) {
  drops += 1;
  if (error instanceof Stopped) return;
  say("This page has failed: load it again.", "refused");
  reportError(error);
}

function say(text, state) {
  const line = find("#status") ?? newLine();
  line.textContent = text;
  line.dataset.state = state;
}

function newLine() {
  const line = document.createElement("p");
  line.id = "status";
  line.setAttribute("role", "status");
  find("main").prepend(line);
  return line;
}

function stop(text, state) {
  say(text, state);
  throw new Stopped(text);
}

function pause() {
  return new Promise((done) => setTimeout(done, PAUSE));
}

// Asks until the server answers. `what` says what is not done until then.
async function ask(path, request, what) {
  for (;;) {
    try {
      const response = await fetch(path, { credentials: "same-origin", ...request });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!AWAY.includes(response.status)) return checked(response, page, what);
    } catch (error) {
      if (error instanceof Stopped) throw error;
    }
    say(`${what}: the server does not answer. Trying again …`, "waiting");
    await pause();
  }
}

function checked(response, page, what) {
  if (response.ok && page.querySelector("main")) return { url: response.url, page };
  const reason = page.querySelector("[role=alert]");
  return stop(`${what}: ${reason ? reason.textContent : "the server refuses it"}`, "refused");
}

// Sends a change; returns once it is saved.
function send(path, fields) {
  say("Saving …", "saving");
  return ask(path, { method: "POST", body: new URLSearchParams(fields) }, "Not saved");
}

const isAsset = (element) => element.matches("link, script");

// Replaces the content of the page.
function show(answer) {
  const url = new URL(answer.url);
  const hasSaved = url.searchParams.has("saved");
  url.searchParams.delete("saved");
  if (!answer.page.querySelector('link[href="/assets/marking.css"]')) {
    isLeaving = true;
    location.assign(url);
    return;
  }
  const here = new URL(location.href);
  here.searchParams.delete("saved");
  const isSame = url.href === here.href;
  const focus = isSame ? focused() : null;
  const kept = isSame && form() ? NEW_ITEM.map((name) => [name, form().elements[name].value]) : [];
  const items = rubric();
  isEdited = false;
  clearTimeout(timer);
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
  if (form()) for (const [name, value] of kept) form().elements[name].value = value;
  if (focus) find(focus)?.focus();
  if (hasSaved && find("#status")) find("#status").dataset.state = "saved";
  prepare(items);
}

// Replaces the content of the page around a form in which somebody writes. `fresh` is the form of the new page.
function showAround(edited, fresh) {
  const main = find("main");
  let [kept, left] = [edited, fresh];
  while (kept !== main) {
    const [parent, source] = [kept.parentElement, left.parentElement];
    for (const element of [...parent.children]) if (element !== kept && !isAsset(element)) element.remove();
    let isBefore = true;
    for (const element of [...source.children]) {
      if (element === left) isBefore = false;
      else if (isAsset(element)) continue;
      else if (isBefore) kept.before(element);
      else parent.append(element);
    }
    [kept, left] = [parent, source];
  }
}

// Returns a selector of the field that has the focus.
function focused() {
  const element = document.activeElement;
  if (!element.name || !form()?.contains(element)) return null;
  const value = element.type === "checkbox" ? `[value="${CSS.escape(element.value)}"]` : "";
  return `form[data-marking] [name="${CSS.escape(element.name)}"]${value}`;
}

// Returns the items of the rubric that have keys, as the marker sees them.
function rubric() {
  const items = document.querySelectorAll("form[data-marking] [data-key]");
  return [...items].map((item) => `${item.value} ${item.closest("label").textContent}`);
}

// Prepares a page after its content was replaced. `items` are those of the rubric before; commands that wait are of it.
function prepare(items) {
  const button = find("[data-help]");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => find("#help").showModal());
  }
  const now = rubric();
  const isChanged = items.some((item, at) => item !== now[at]);
  if (isChanged && pending > 1 && find("#status")) {
    find("#status").append(" The rubric has changed: keys that were waiting were dropped.");
  }
  if (isChanged || find(CONFLICT) || !find("nav.steps")) drops += 1;
}

// Saves what was edited, or what a button says.
async function save(button) {
  const edited = form();
  if (!edited || (!isEdited && !button)) return;
  clearTimeout(timer);
  const fields = new FormData(edited);
  const addsItem = button?.name === "go";
  if (!addsItem) for (const name of NEW_ITEM) fields.delete(name);
  if (button) fields.set(button.name, button.value);
  isEdited = false;
  // What a button does may lead to another answer: nothing is written until then.
  edited.inert = Boolean(button);
  try {
    const answer = await send(edited.getAttribute("action"), fields);
    if (addsItem) for (const name of NEW_ITEM) edited.elements[name].value = "";
    receive(answer, edited);
  } catch (error) {
    isEdited = true;
    throw error;
  } finally {
    edited.inert = false;
  }
}

// Saves what was edited by itself. It does not decide between two marks: that is for a key or a button.
async function autosave() {
  if (!find(CONFLICT)) await save();
}

// Shows the page after a change. The form stays where the marker has gone on writing, or may do so.
function receive(answer, edited) {
  const fresh = answer.page.querySelector("form[data-marking]");
  const isSame = fresh?.getAttribute("action") === edited.getAttribute("action");
  const focus = document.activeElement;
  const isWriting = isEdited || (edited.contains(focus) && isText(focus));
  if (!isSame || !isWriting) {
    show(answer);
    return;
  }
  edited.elements.saw.value = fresh.elements.saw.value;
  showAround(edited, fresh);
  find("#status").dataset.state = "saved";
  if (isEdited && find(CONFLICT)) say("Another mark came in between. What you wrote since is not saved.", "refused");
  else if (isEdited) say("Saving …", "saving");
  prepare(rubric());
}

// Saves what was edited before the marker goes on.
async function settle() {
  if (isEdited && find(CONFLICT)) stop("What you wrote is not saved: save it, or use one of the marks.", "refused");
  await save();
}

// Shows the answer of a request. Until then, nothing is written into the form.
async function replace(request) {
  const left = form();
  if (left) left.inert = true;
  try {
    show(await request);
  } finally {
    if (left) left.inert = false;
  }
}

// Shows another answer, once everything is saved.
async function go(key) {
  await settle();
  if (hasNewItem()) stop("The new item is not saved: press Enter in it, or empty it.", "refused");
  const link = find(`a[data-go="${key}"]`);
  if (!link) stop("There is no such answer.", "idle");
  await replace(ask(link.getAttribute("href"), {}, "Not loaded"));
}

async function press(key) {
  const item = find(`[data-key="${key}"]`);
  if (item) {
    item.checked = !item.checked;
    isEdited = true;
    await save();
  } else if (key in QUICK) {
    await save(find(`form[data-marking] button[value="${QUICK[key]}"]`));
  } else if (/^[1-9]$/.test(key)) {
    stop(`The rubric has no item ${key}.`, "idle");
  } else if (key === "u") {
    await undo();
  } else {
    await go(key);
  }
}

async function undo() {
  await settle();
  const taken = find("form[data-undo]");
  if (!taken) stop("There is no mark of yours to undo.", "idle");
  await post(taken);
}

// Sends another form than that of the mark. In a conflict it decides, and what was written into the form is dropped.
async function submit(other) {
  if (!find(CONFLICT)) await save();
  if (!other.isConnected) stop("The page has changed: choose again.", "idle");
  await post(other);
}

async function post(other) {
  await replace(send(other.getAttribute("action"), new FormData(other)));
}

// Saves what a button says, if the answer is still the one whose form has this path.
async function saveOn(path, button) {
  if (form()?.getAttribute("action") === path) await save(button);
}

function edit(event) {
  const field = event.target;
  if (!form()?.contains(field) || NEW_ITEM.includes(field.name)) return;
  clearTimeout(timer);
  if (event.type === "input") {
    isEdited = true;
    timer = setTimeout(() => enqueue(autosave), TYPING);
  } else if (isText(field)) {
    // What was written is saved already if the marker paused before the field was left.
    if (isEdited) enqueue(autosave);
  } else {
    isEdited = true;
    if (find(CONFLICT)) command(() => save());
    else enqueue(autosave);
  }
}

function pressInText(event) {
  if (event.key === "Escape") event.target.blur();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form()) {
    const path = form().getAttribute("action");
    command(() => saveOn(path, { name: "go", value: "stay" }));
  }
}

// Gives a field the focus, so that what is written replaces the value of a line, and is added to a text of several lines.
function enter(field) {
  if (!field) return;
  field.focus();
  if (field.matches("input")) field.select();
  else field.setSelectionRange(field.value.length, field.value.length);
}

// Gives the field of a key the focus. If that must wait, keys have no effect until then: they are meant for the field.
function focus(key) {
  if (pending === 0 || (pending === 1 && !form()?.inert)) {
    enter(find(`[data-focus="${key}"]`));
    return;
  }
  isFocusing = true;
  command(() => enter(find(`[data-focus="${key}"]`)));
  enqueue(() => {
    isFocusing = false;
  });
}

// Characters of keys that are neither letters nor digits, on a keyboard of the layout QWERTY.
const SIGNS = { Period: ".", Slash: "?" };

// Returns the key of an event in lower case. With a layout of other letters than ASCII, the place of the key says which it is.
function keyOf({ key, code }) {
  if (/^[ -~]$/.test(key)) return key.toLowerCase();
  if (/^[A-Z]/.test(key) && key !== "Dead") return key;
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1].toLowerCase() ?? SIGNS[code] ?? key;
}

document.addEventListener("keydown", (event) => {
  if (find("dialog[open]")) return;
  if (isText(event.target) || event.target.matches("select")) {
    pressInText(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = keyOf(event);
  const isIgnored = event.repeat ? /^[0-9fnpouca.?]$/.test(key) : isFocusing && key.length === 1;
  if (isIgnored) event.preventDefault();
  else if (find(`[data-focus="${CSS.escape(key)}"]`)) focus(key);
  else if (key === "?") find("#help")?.showModal();
  else if (/^[0-9fnpou]$/.test(key) && form()) command(() => press(key));
  else if (/^[npo]$/.test(key) && find("nav.steps")) command(() => go(key));
  else return;
  event.preventDefault();
});

document.addEventListener("submit", (event) => {
  const sent = event.target;
  if (sent.method !== "post" || !find("main").contains(sent)) return;
  event.preventDefault();
  const { name, value } = event.submitter ?? {};
  const path = sent.getAttribute("action");
  if (sent === form()) command(() => saveOn(path, { name: name || "go", value: value || "stay" }));
  else if (sent.matches("[data-undo]") && !find(CONFLICT)) command(undo);
  else command(() => submit(sent));
});

document.addEventListener("input", (event) => {
  if (isText(event.target)) edit(event);
});
document.addEventListener("change", edit);

addEventListener("popstate", () => location.reload());
addEventListener("beforeunload", (event) => {
  if (!isLeaving && (isEdited || pending > 0 || hasNewItem())) event.preventDefault();
});

prepare([]);
