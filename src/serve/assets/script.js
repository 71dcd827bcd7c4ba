"use strict";

// Replaces the live parts of the page when the results have changed.
async function refresh() {
  // Without an answer the page stays as it is until the server tells of the next change.
  const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (other && other.innerHTML !== part.innerHTML) replace(part, document.adoptNode(other));
  }
}

// Replaces a part of the page. Whoever works in it with the keyboard stays at the same place.
function replace(part, other) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = [...part.querySelectorAll(".scroll")].map((it) => [it.scrollLeft, it.scrollTop]);
  part.replaceWith(other);
  other.querySelectorAll(".scroll").forEach((it, at) => it.scrollTo(...(scrolled[at] ?? [0, 0])));
  if (focused) counterpart(other, focused)?.focus({ preventScroll: true });
}

// Returns the element of a part of the page that is what an element was in the part before it.
function counterpart(part, element) {
  const same = (it) => ["id", "href", "name", "value", "aria-label"].every((name) => it.getAttribute(name) === element.getAttribute(name));
  return [...part.querySelectorAll(element.tagName)].find(same);
}

// Listens to the server. Some browsers give up when the server does not answer at once.
function listen() {
  const events = new EventSource("/events");
  // A connection that is new, or new again, does not tell what has changed before it.
  for (const name of ["connected", "changed"]) events.addEventListener(name, refresh);
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  });
  addEventListener("pagehide", () => events.close());
}

if (document.querySelector("[data-live]")) listen();
