// Sends the changed numbers, puts the answer in place. One request at a time, the newest wins.
"use strict";

const form = document.getElementById("inputs");
const fields = [...form.querySelectorAll("input[name]")];
const main = document.querySelector("main");
const gone =
  "tco ui does not answer; start it again, open the address that it prints, and put what stands " +
  "after the question mark of this one behind it";
let asked = false; // a newer state waits for the request on its way
let busy = false;
let rest = 0; // the timer of what follows
let following = new AbortController();

const box = (field) => field.closest(".input");
const slider = (field) => box(field).querySelector("[type=range]");

function query() {
  const changed = fields.filter((field) => field.value.trim() !== field.dataset.stated);
  return new URLSearchParams(changed.map((field) => [field.name, field.value.trim()])).toString();
}

function mark(fault) {
  const shown = new URLSearchParams(document.getElementById("front").dataset.query);
  for (const field of fields) {
    const wrong = fault !== null && fault.key === field.name;
    field.toggleAttribute("aria-invalid", wrong);
    if (wrong) {
      field.setAttribute("aria-invalid", "true");
      field.closest("details").open = true;
    }
    box(field).querySelector(".wrong").textContent = wrong ? fault.message : "";
    box(field).classList.toggle("differs", shown.has(field.name));
  }
  main.classList.toggle("stale", fault !== null);
  const words = fault === null ? "" : `The figures do not follow: ${fault.message}`;
  const said = document.getElementById("fault");
  if (said.textContent !== words) said.textContent = words;
}

function show(html) {
  const found = new DOMParser().parseFromString(html, "text/html");
  for (const id of ["front", "changed", "verdict", "rest"]) replace(id, found.getElementById(id));
  const now = document.getElementById("front").dataset.query;
  const after = now ? `?${now}` : "";
  history.replaceState(null, "", location.pathname + after);
  document.getElementById("copy").setAttribute("href", `scenario.yaml${after}`);
  document.getElementById("pdf").setAttribute("href", `report.pdf${after}`);
}

// The headline stays the same element, so that what changes in it is read aloud; focus is kept.
function replace(id, found) {
  const old = document.getElementById(id);
  const focused = old.contains(document.activeElement) ? document.activeElement.dataset.reset : null;
  if (id === "front") {
    const headline = old.querySelector("#headline");
    const words = found.querySelector("#headline");
    if (headline.textContent !== words.textContent) headline.textContent = words.textContent;
    words.replaceWith(headline);
  }
  old.replaceWith(found);
  if (focused !== null) (found.querySelector("[data-reset]") || fields[0]).focus();
}

async function ask() {
  asked = true;
  clearTimeout(rest);
  following.abort();
  if (busy) return;
  busy = true;
  while (asked) {
    asked = false;
    await answer("answer");
  }
  busy = false;
  // Once nothing has changed for a moment: how sure it is, which takes longer.
  if (isUnsure()) rest = setTimeout(follow, 400);
}

function follow() {
  following = new AbortController();
  answer("answer?whole", following.signal);
}

const isUnsure = () => document.getElementById("front").dataset.unsure !== undefined;

async function answer(path, signal) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: query(),
      signal,
    });
    const text = await response.text();
    if (response.ok) show(text);
    mark(response.ok ? null : response.status === 422 ? JSON.parse(text) : { key: null, message: text });
  } catch (error) {
    if (error.name !== "AbortError") mark({ key: null, message: gone });
  }
}

function reset(chosen) {
  for (const field of chosen) {
    field.value = field.dataset.stated;
    slider(field).value = field.value;
  }
  ask();
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  const [field, range] = [box(event.target).querySelector("[name]"), slider(event.target)];
  if (event.target === range) field.value = range.value;
  else range.value = field.value;
  ask();
});
document.getElementById("reset").addEventListener("click", () => reset(fields));
document.addEventListener("click", (event) => {
  const key = event.target.dataset ? event.target.dataset.reset : undefined;
  if (key !== undefined) reset(fields.filter((field) => field.name === key));
});
mark(main.classList.contains("stale") ? currentFault() : null);

function currentFault() {
  const wrong = fields.find((field) => field.getAttribute("aria-invalid") === "true");
  const said = document.getElementById("fault").textContent.replace("The figures do not follow: ", "");
  return { key: wrong ? wrong.name : null, message: said };
}
