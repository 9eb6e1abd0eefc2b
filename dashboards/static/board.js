// The live page: one stream, whole parts replaced, and two separate signs: age of the data, state of the link.
// Clock and zone are the server's and the table's, never the display's own.
const { body } = document;
const { dataset } = body;
const words = JSON.parse(dataset.words ?? "{}");
const asIs = { createHTML: (html) => html };
const policy = globalThis.trustedTypes?.createPolicy("board", asIs) ?? asIs;
const fill = (text, ...values) => {
  let next = 0;
  return text.replace(/\{(\d?)\}/g, (_, at) => values[at || next++]);
};
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const named = (part) => document.querySelector(`[data-part="${part}"]`);
const mono = () => performance.now();

let offset = dataset.now - mono(); // server's time less our monotonic one
let heard = mono(); // when the server last spoke
let quietAfter = dataset.beat * 2500; // milliseconds: two and a half beats
let source = { lost: body.classList.contains("is-source"), contact: +dataset.now };
let last = dataset.last;
const tall = matchMedia("(orientation: portrait)");
const boards = dataset.auto && named("table");
let stream, opened, waiting, tries = 0, turned = false;

// ---- parts: replaced whole, never patched: the page stays the same size for months

// a part without a version always is
function isNewer({ dataset: part }, { dataset: old }) {
  const shoes = part.shoe - old.shoe;
  return !(shoes < 0 || (shoes === 0 && part.version - old.version <= 0));
}

function place(html) {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html); // rendered and escaped by our own server
  const { roll } = template.content.firstElementChild.dataset;
  if (roll) all(".tile").forEach((tile) => roll.includes(` ${tile.dataset.part} `) || tile.remove());
  for (const part of all("[data-part]", template.content)) {
    const old = named(part.dataset.part);
    if (old && !turned && !isNewer(part, old)) continue;
    part.classList.toggle("is-settled", Boolean(old) && old.dataset.newest === part.dataset.newest);
    put(part, old);
    if (part.dataset.spoken) say(document, "spoken", part.dataset.spoken);
  }
  turned = false;
  sort();
  if (!dataset.stream) return;
  keepOptions();
  tick();
}

// focus and scrolling go on in what takes the place
function put(part, old) {
  const at = old ? stops(old).indexOf(document.activeElement) : -1;
  const left = old && all(".scroll", old).map((box) => box.scrollLeft);
  const { pit, order, gone } = part.dataset;
  const tiles = document.querySelector(".tiles");
  if (gone || (pit !== undefined && tiles.dataset.pit && tiles.dataset.pit !== pit)) return old?.remove();
  if (old?.dataset.order === order) old?.replaceWith(part);
  else {
    old?.remove();
    tiles.insertBefore(part, all("[data-order]", tiles).find((other) => other.dataset.order > order));
  }
  if (!old) return;
  all(".scroll", part).forEach((box, index) => (box.scrollLeft = left[index]));
  if (at >= 0) stops(part)[at]?.focus({ preventScroll: true });
}

const stops = (part) => [part, ...all("a, button, [tabindex]", part)];

// parts are the same for all viewers; links keep this one's options
function keepOptions() {
  if (!dataset.query) return;
  for (const link of all("a.tile, .foot__nav a")) link.search = dataset.query;
}

// ---- the stream

function open() {
  waiting = 0;
  opened = mono();
  stream?.close();
  if (document.hidden) return; // nobody sees this tab: its connection, one of six, is left to others
  const url = new URL(dataset.stream, location);
  url.searchParams.set("last", last);
  if (boards && tall.matches) url.searchParams.set("orientation", "portrait");
  stream = new EventSource(url);
  stream.addEventListener("beat", ({ data }) => beat(JSON.parse(data)));
  for (const kind of ["table", "lobby", "statistics"]) {
    stream.addEventListener(kind, ({ data, lastEventId }) => {
      last = lastEventId;
      heard = mono();
      place(data);
    });
  }
  stream.addEventListener("gone", () => renew(200, 404));
  // a browser gives up after an answer that is no stream: we do not
  stream.onerror = () => stream.readyState === EventSource.CLOSED && (again(), renew(404));
}

// a board that follows the screen: the same version once more, with other columns
function turn() {
  turned = true;
  last = "";
  open();
}

function again() {
  stream?.close();
  waiting ||= setTimeout(open, 250 + Math.random() * Math.min(30000, 1000 * 2 ** tries++));
}

function beat({ now, build, lost, contact, beat }) {
  tries = 0;
  heard = mono();
  offset = now - heard;
  quietAfter = beat * 2500 || quietAfter;
  source = { lost, contact };
  dataset.heard = now;
  if (build !== dataset.build && mono() > 60000) renew(200);
  tick();
}

// load the page anew where it answers so: there is a new build, or its table is gone
async function renew(...expected) {
  const answer = await fetch(location, { method: "HEAD" }).catch(() => 0);
  if (expected.includes(answer.status)) location.reload();
}

// ---- signs

const clocks = {};
const clock = (time, zone) => (clocks[zone] ??= formatter(zone)).format(time);

function formatter(timeZone) {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone });
  } catch {
    return formatter("UTC"); // a zone that only the server knows
  }
}

const { lang } = document.documentElement;
const tenths = new Intl.NumberFormat(`${lang}-u-nu-latn`, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = (number) => `${number}`.padStart(2, 0);
function duration(ms) {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (seconds < 120) return fill(words.duration[0], seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return fill(words.duration[1], minutes, two(seconds % 60));
  return fill(words.duration[2], Math.floor(minutes / 60), two(minutes % 60));
}

function age(ms) {
  if (ms < 10000) return fill(words.age, tenths.format(Math.max(0, ms) / 1000));
  return fill(words.age_long, duration(ms));
}

function say(within, what, text) {
  for (const place of all(`[data-say="${what}"]`, within)) {
    if (place.textContent !== text) place.textContent = text;
  }
}

function tick() {
  const time = mono() + offset;
  const quiet = mono() - heard > quietAfter;
  const lost = !quiet && source.lost;
  body.classList.toggle("is-stale", quiet || lost);
  body.classList.toggle("is-link", quiet);
  body.classList.toggle("is-source", lost);
  const since = quiet ? heard + offset : source.contact;
  let newest = 0;
  for (const part of all("[data-at]")) {
    const { at, silent, zone, round } = part.dataset;
    newest = Math.max(newest, at);
    const mute = !quiet && !lost && silent > 0 && time - at > silent * 1000;
    part.classList.toggle("is-silent", mute);
    part.classList.toggle("is-stale", mute);
    if (mute) warn(part, fill(words.silent, clock(Number(at), zone)), fill(words.silent_why, duration(time - at), round));
  }
  for (const scene of all("[data-zone]:not(.tile)")) {
    say(scene, "clock", clock(time, scene.dataset.zone));
    if (!quiet && !lost) continue;
    const { zone, round } = scene.dataset;
    const why = quiet ? [words.stale_why, words.stale_short] : [words.source_why, words.source_short];
    warn(scene, fill(words.stale, clock(since, zone)), fill(why[round ? 0 : 1], duration(time - since), round));
  }
  say(document, "age", newest ? age(time - newest) : words.age_none);
  if (quiet && !waiting && mono() - opened > quietAfter) again();
}

function warn(scene, title, text) {
  say(scene, "stale-title", title);
  say(scene, "stale-text", text);
}

// ---- forms that show at once what is chosen

let following;
async function follow(form) {
  if (!form.reportValidity()) return;
  following?.abort();
  following = new AbortController();
  const address = `?${new URLSearchParams(new FormData(form))}`;
  try {
    const answer = await fetch(address, following);
    if (!answer.ok) return;
    place(await answer.text());
    history.replaceState(null, "", address);
    if (form.round) form.round.max = named("rows").dataset.last;
  } catch {
    // overtaken, or the server is away
  }
}
for (const form of all("form[data-live]")) {
  form.classList.add("is-live");
  form.addEventListener("input", () => follow(form));
  if (!form.round) continue;
  document.addEventListener("keydown", ({ key, target, altKey, ctrlKey, metaKey }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!step || altKey || ctrlKey || metaKey || target.closest("input, select, .scroll")) return;
    form.round.valueAsNumber += document.dir === "rtl" ? -step : step;
    follow(form);
  });
}

// ---- tables that can be sorted, also by frames that come later

let sorted;
document.addEventListener("click", ({ target }) => {
  const column = target.closest?.(".sorts")?.parentElement.cellIndex;
  if (column === undefined) return;
  sorted = { column, down: sorted?.column !== column || !sorted.down };
  sort();
});

function sort() {
  if (!sorted) return;
  const { column, down } = sorted;
  const text = ({ cells }) => cells[column].textContent;
  const number = ({ cells }) => Number(cells[column].dataset.v || (down ? -1 : 1) / 0); // none: last
  const compare = column ? (a, b) => number(a) - number(b) || 0 : (a, b) => text(b).localeCompare(text(a), lang);
  for (const { tHead, tBodies: [body] } of all(".bets")) {
    for (const head of all("[aria-sort]", tHead)) {
      head.ariaSort = head.cellIndex !== column ? "none" : down === column > 0 ? "descending" : "ascending";
    }
    body.append(...[...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b))));
  }
}

if (dataset.stream) {
  keepOptions();
  if (boards && tall.matches) turn();
  else open();
  if (boards) tall.onchange = turn;
  document.addEventListener("visibilitychange", open);
  tick();
  setInterval(tick, 1000);
}
if (dataset.again) setInterval(renew, dataset.again * 1000, 200);
