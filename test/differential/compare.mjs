/** Compares what two servers answered: what each server chooses for itself is bound pair by pair, all else must be equal. */
import { parsed } from './play.mjs';

/**
 * @typedef {object} Difference
 * @property {string} path where, indices as `*`
 * @property {unknown} real
 * @property {unknown} ours
 * @property {string} [inherited] set when the same object showed the same difference before
 */

/** Headers that clients read. */
const HEADERS = [
  'content-type',
  'cache-control',
  'warning',
  'retry-after',
  'location',
  'allow',
  'vary',
  'content-encoding',
  'www-authenticate',
  'x-content-type-options',
  'deprecation',
];
const PRESENT = ['audit-id', 'x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** What a server chooses, within texts; the name of the group says how two of them are compared. */
const TOKEN = new RegExp(
  [
    `(?<uid>${UUID})`,
    String.raw`(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z)`,
    String.raw`(?<host>\b127\.0\.0\.1:\d+\b)`,
    String.raw`(?<name>(?<=\bgen-)[bcdfghjklmnpqrstvwxz2456789]{5}\b)`,
    String.raw`(?<address>\b10\.0\.\d{1,3}\.\d{1,3}\b)`,
    String.raw`(?<port>\b3[0-2]\d{3}\b)`,
    String.raw`(?<version>(?<=resource version: |current: |resourceVersion: "|resourceVersion\\":\\"|in record \(|precondition \(|version: \d{1,20} \()\d+)`,
    String.raw`(?<age>^(?:\d+[smh]){1,2}$)`,
  ].join('|'),
  'g',
);
const DIGITS = /^\d+$/;

/** How far the times that two servers choose for the same step may lie apart. */
const TIME_MS = 120_000;

/**
 * The pairs of one playing.
 * @param {number} [laterMs] how much later ours was played: 0 when at the same time
 */
export function newBindings(laterMs = 0) {
  const maps = new Map();
  /** Pairs of versions, ascending in both. */
  const versions = [];
  const known = new Set();

  const one = (kind, real, ours) => {
    const there = maps.get(kind) ?? maps.set(kind, { to: new Map(), from: new Map() }).get(kind);
    if (!there.to.has(real) && !there.from.has(ours)) {
      there.to.set(real, ours);
      there.from.set(ours, real);
    }
    return there.to.get(real) === ours && there.from.get(ours) === real;
  };
  return {
    time: (real, ours) =>
      real.length === ours.length && Math.abs(Date.parse(ours) - Date.parse(real) - laterMs) < TIME_MS,
    /** True when the same thing on one side is the same thing on the other. */
    one,
    /**
     * As `one`, and what is newer on one side is newer on the other.
     * Of a collection (or a position in it) only that nothing older becomes newer: other resources' writes, which no client of this one can tell
     * from one another, may lie between.
     */
    version(real, ours, ofCollection = false) {
      if (!DIGITS.test(real) || !DIGITS.test(ours)) return real === ours;
      const pair = [Number(real), Number(ours)];
      if ((pair[0] === 0) !== (pair[1] === 0)) return false;
      let at = versions.length;
      while (at > 0 && versions[at - 1][0] >= pair[0]) at -= 1;
      const next = versions[at];
      if (ofCollection) {
        const last = versions[next?.[0] === pair[0] ? at : at - 1];
        const above = versions[next?.[0] === pair[0] ? at + 1 : at];
        return (last?.[1] ?? 0) <= pair[1] && pair[1] < (above?.[1] ?? Infinity);
      }
      if (next?.[0] === pair[0]) return next[1] === pair[1];
      if (!((versions[at - 1]?.[1] ?? -1) < pair[1] && pair[1] < (next?.[1] ?? Infinity))) return false;
      versions.splice(at, 0, pair);
      return true;
    },
    /** True when this was asked before with the same key. */
    seen(key) {
      if (known.has(key)) return true;
      known.add(key);
      return false;
    },
  };
}

/**
 * What differs between two answers to one step.
 * @returns {Difference[]} in the order of the document; empty when they are equal
 */
export function compareAnswers(step, real, ours, bindings) {
  if (step.op === 'close') return compareStreams(real, ours, bindings);
  const found = [];
  if (real.code !== ours.code) found.push({ path: 'code', real: said(real), ours: said(ours) });
  for (const name of HEADERS) {
    if (!sameText(real.headers[name] ?? '', ours.headers[name] ?? '', bindings))
      found.push({ path: `headers.${name}`, real: real.headers[name], ours: ours.headers[name] });
  }
  for (const name of PRESENT) {
    if (name in real.headers !== name in ours.headers)
      found.push({ path: `headers.${name}`, real: name in real.headers, ours: name in ours.headers });
  }
  if (real.code !== ours.code) return found;
  if (real.bytes !== ours.bytes) found.push({ path: 'bytes', real: real.bytes, ours: ours.bytes });
  return [...found, ...compareTexts(real.text, ours.text, bindings)];
}

const said = ({ code, text }) => `${code} ${parsed(text)?.message ?? ''}`.trim();

function compareTexts(real, ours, bindings) {
  const [a, b] = [parsed(real), parsed(ours)].map(withOrderedConflicts);
  if (a === undefined || b === undefined)
    return sameText(real, ours, bindings) ? [] : [firstLine(real, ours, bindings)];
  const found = [];
  compareValues(a, b, { bindings, found, path: [], object: undefined, inside: [] });
  const shape = (text) =>
    `${text.includes('\n  ') ? 'indented' : 'compact'}${text.endsWith('\n') ? ', newline' : ''}`;
  if (shape(real) !== shape(ours)) found.push({ path: 'layout', real: shape(real), ours: shape(ours) });
  return found;
}

/** A real server lists the owners that an apply is in conflict with in no order (those of one owner are in order). */
function withOrderedConflicts(body) {
  const causes = body?.details?.causes;
  if (!Array.isArray(causes) || !causes.every(({ reason }) => reason === 'FieldManagerConflict')) return body;
  const ordered = causes.toSorted((a, b) => (a.message < b.message ? -1 : a.message > b.message ? 1 : 0));
  return { ...body, details: { ...body.details, causes: ordered } };
}

function firstLine(real, ours, bindings) {
  const [a, b] = [real.split('\n'), ours.split('\n')];
  const at = a.findIndex((line, i) => b[i] === undefined || !sameText(line, b[i], bindings));
  return { path: 'text', real: at < 0 ? '(end)' : a[at], ours: at < 0 ? b[a.length] : (b[at] ?? '(end)') };
}

function compareStreams(real, ours, bindings) {
  const found = [];
  const events = [real, ours].map(({ lines }) => lines.map(parsed).filter((event) => !isTimed(event)));
  // The kinds of events and whom they are about come first: one lost event is one difference, not one in each that follows.
  const names = events.map((list) =>
    list.map((event) => `${event?.type} ${event?.object?.metadata?.name ?? ''}`.trim()),
  );
  const same =
    names[0].length === names[1].length && names[0].every((name, i) => sameText(name, names[1][i], bindings));
  if (!same) found.push(differingEvents(names[0], names[1], bindings));
  else
    events[0].forEach((event, i) =>
      compareValues(event, events[1][i], {
        bindings,
        found,
        path: ['events', i],
        object: undefined,
        inside: [],
      }),
    );
  if (real.ended !== ours.ended) found.push({ path: 'ended', real: real.ended, ours: ours.ended });
  return found;
}

/** Which types of events only one of two streams has; the answers themselves say about whom they are. */
function differingEvents(real, ours, bindings) {
  const rest = [...ours];
  const lost = real.filter((name) => {
    const at = rest.findIndex((other) => sameText(name, other, bindings));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  const types = (names) => [...new Set(names.map((name) => name.split(' ')[0]))].toSorted();
  const order = lost.length === 0 && rest.length === 0 ? 'in another order' : 'not there';
  return {
    path: 'events',
    real: lost.length === 0 ? order : types(lost),
    ours: rest.length === 0 ? order : types(rest),
  };
}

/** Bookmarks that time brings are at no fixed place between the steps; the one that ends the initial events is. */
const isTimed = (event) =>
  event?.type === 'BOOKMARK' &&
  event.object?.metadata?.annotations?.['k8s.io/initial-events-end'] === undefined;

/**
 * Owners stand in the order of their times, by the second. Where two writes fell into one second on one server only, the others keep their order and
 * these two are as good either way: both lists are put into an order that no time has a part in.
 */
function withOwnersInOrder(lists) {
  if (!lists.every((list) => list.every((owner) => typeof owner?.time === 'string'))) return lists;
  const keys = lists.map((list) => list.map(ownerKey));
  const times = lists.map((list, i) => new Map(list.map(({ time }, k) => [keys[i][k], time])));
  const sameOwners = keys[0].toSorted().join('\n') === keys[1].toSorted().join('\n');
  const apart = (time, a, b) => Math.sign(Date.parse(time.get(a)) - Date.parse(time.get(b)));
  const sameTimes = keys[0].every((a) =>
    keys[0].every((b) => apart(times[0], a, b) === apart(times[1], a, b)),
  );
  if (!sameOwners || sameTimes) return lists;
  return lists.map((list) => list.toSorted((a, b) => (ownerKey(a) < ownerKey(b) ? -1 : 1)));
}

const ownerKey = ({ manager, operation, apiVersion, subresource }) =>
  [operation, manager, apiVersion, subresource].join(' ');

function compareValues(real, ours, at) {
  const object = uidOf(real);
  const here = object === undefined ? at : { ...at, object, inside: [] };
  if (Array.isArray(real) && Array.isArray(ours)) {
    if (at.path.at(-1) === 'managedFields') [real, ours] = withOwnersInOrder([real, ours]);
    const names = [real, ours].map((list) =>
      list.map((item) => item?.metadata?.name ?? item?.object?.metadata?.name),
    );
    const known = names[0].every((name) => typeof name === 'string');
    if (
      real.length !== ours.length ||
      (known && !names[0].every((name, i) => sameText(name, `${names[1][i]}`, at.bindings)))
    ) {
      report(here, ...onlyThere(known ? names : [real, ours]));
      return;
    }
    real.forEach((item, i) => compareValues(item, ours[i], down(here, i)));
    return;
  }
  if (isObject(real) && isObject(ours)) {
    const keys = Object.keys(real);
    const others = Object.keys(ours);
    for (const key of keys)
      compareValues(real[key], Object.hasOwn(ours, key) ? ours[key] : undefined, down(here, key));
    for (const key of others)
      if (!Object.hasOwn(real, key)) compareValues(undefined, ours[key], down(here, key));
    const shared = keys.filter((key) => Object.hasOwn(ours, key));
    const order = others.filter((key) => Object.hasOwn(real, key));
    if (shared.join() !== order.join()) report(down(here, '(order)'), shared, order);
    return;
  }
  if (!sameLeaf(real, ours, here)) report(here, real, ours);
}

/** Of two lists of texts the texts that only one has, or both lists as they are. */
function onlyThere(lists) {
  if (!lists.flat().every((item) => typeof item === 'string')) return lists;
  const only = lists.map((list, i) => list.filter((item) => !lists[1 - i].includes(item)));
  return only.flat().length === 0 ? lists : only;
}

const down = (at, key) => ({ ...at, path: [...at.path, key], inside: [...at.inside, key] });
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const uidOf = (value) => (typeof value?.metadata?.uid === 'string' ? value.metadata.uid : undefined);

function report(at, real, ours) {
  const difference = {
    path: at.path.map((key) => (typeof key === 'number' ? '*' : key)).join('.'),
    real,
    ours,
  };
  // Made by the write that was already found to differ; what reads show of it is the same finding.
  const key =
    at.object === undefined ? undefined : JSON.stringify([at.object, at.inside, real ?? null, ours ?? null]);
  if (key !== undefined && at.bindings.seen(key)) difference.inherited = at.object;
  at.found.push(difference);
}

function sameLeaf(real, ours, at) {
  const key = at.path.at(-1);
  if (typeof real === 'number' && typeof ours === 'number' && /[nN]odePort$/.test(`${key}`))
    return sameText(`${real}`, `${ours}`, at.bindings);
  if (typeof real !== 'string' || typeof ours !== 'string') return real === ours;
  if (key === 'resourceVersion') return at.bindings.version(real, ours, at.object === undefined);
  if (key === 'continue') return sameContinue(real, ours, at.bindings);
  if ((key === 'token' || key === 'nonce') && real !== '' && ours !== '') return true;
  return sameText(real, ours, at.bindings);
}

function sameContinue(real, ours, bindings) {
  if (real === '' || ours === '') return real === ours;
  const [a, b] = [real, ours].map((token) => parsed(Buffer.from(token, 'base64url').toString()));
  if (a === undefined || b === undefined) return real === ours;
  return (
    a.v === b.v &&
    sameText(`${a.start}`, `${b.start}`, bindings) &&
    bindings.version(`${a.rv}`, `${b.rv}`, true)
  );
}

/** True when two texts are equal but for what each server chose, and that is bound. */
export function sameText(real, ours, bindings) {
  const [a, b] = [real, ours].map((text) => [...text.matchAll(TOKEN)]);
  if (a.length === 0 && b.length === 0) return real === ours;
  if (a.length !== b.length) return false;
  if (real.replace(TOKEN, '') !== ours.replace(TOKEN, '')) return false;
  return a.every((token, i) => {
    const kind = kindOf(token);
    if (kind !== kindOf(b[i])) return false;
    if (kind === 'time') return token[0] === b[i][0] || bindings.time(token[0], b[i][0]);
    if (kind === 'age') return true;
    if (kind === 'version') return bindings.version(token[0], b[i][0], true);
    return bindings.one(kind, token[0], b[i][0]);
  });
}

const kindOf = (token) => Object.entries(token.groups).find(([, value]) => value !== undefined)[0];
