/** Plays the steps of a scenario on one or more servers, each with its own names, versions and tokens. */
import { edited, valueAt } from './edits.mjs';
import { PROTOBUF, protobufCoding } from './protobuf.mjs';

/**
 * One step. Texts may hold `{{p}}` (the prefix of this playing's names) and `{{rv:ID}}`, `{{uid:ID}}`, `{{continue:ID}}`, `{{name:ID}}`: of what the
 * step ID was answered on the same server, or nothing when that step is not there or its answer has no such thing.
 *
 * @typedef {object} Step
 * @property {number} id
 * @property {string} area
 * @property {'request' | 'open' | 'close' | 'await' | 'pause'} op await: asks (GET) until the answer is the expected one; not compared, as a pause
 * @property {number} [after] of await: a step without which there is nothing to wait for
 * @property {string} [method]
 * @property {string} [path]
 * @property {Record<string, string>} [headers]
 * @property {{ raw: string } | { json: unknown } | { from: number, edits: [readonly (string | number)[], unknown][], fallback: unknown }} [body]
 *   with a content type of protobuf it is sent as such
 * @property {{ keep: number } | { at: number, byte: number }} [broken] what is done to a body of protobuf: cut at a share of it, or one byte changed there
 * @property {number} [ms] of pause
 * @property {number} [watch] of close: the step that opened it
 * @property {{ path: readonly (string | number)[], value: unknown } | { text: string }} [until] of await: a value in the answer, or a text
 */

const QUIET_MS = 40;
const AWAIT_MS = 10_000;
const PREFIX = /\{\{p\}\}/g;
const REFERENCE = /\{\{(rv|uid|continue|name):(\d+)\}\}/g;
const REFERENCED = {
  rv: ['metadata', 'resourceVersion'],
  uid: ['metadata', 'uid'],
  continue: ['metadata', 'continue'],
  name: ['metadata', 'name'],
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Plays steps, each on all servers at once.
 * Shape: one entry per step, in order: what each server answered (`{ code, headers, text }`, of close `{ lines, ended }`, of await nothing).
 *
 * @param {ReturnType<import('./connection.mjs').connect>[]} servers
 * @param {readonly Step[]} steps
 * @param {string} prefix what `{{p}}` stands for
 * @param {number} [patienceMs] how long a watch may be behind that of another server
 */
export async function play(servers, steps, prefix, patienceMs = 600) {
  const places = servers.map((server) => ({
    server,
    answers: new Map(),
    told: new Map(),
    streams: new Map(),
  }));
  const played = [];
  try {
    for (const step of steps) {
      if (step.op === 'pause') {
        await pause(step.ms);
        continue;
      }
      if (step.op === 'close') {
        const streams = places.map(({ streams }) => streams.get(step.watch));
        if (streams.includes(undefined)) continue;
        await settled(streams, patienceMs);
        played.push({
          step,
          answers: streams.map(({ lines, ended }) => ({ lines: [...lines], ended: ended() })),
        });
        for (const { streams } of places) {
          streams.get(step.watch).close();
          streams.delete(step.watch);
        }
        continue;
      }
      const answers = await Promise.all(places.map((place) => answer(place, step, prefix)));
      if (step.op !== 'await') played.push({ step, answers });
    }
  } finally {
    for (const { streams } of places) for (const stream of streams.values()) stream.close();
  }
  return played;
}

async function answer(place, step, prefix) {
  const filled = (text) =>
    text.replace(PREFIX, prefix).replace(REFERENCE, (_, what, id) => {
      const value = valueAt(place.told.get(Number(id)), REFERENCED[what]);
      return typeof value === 'string' ? value : '';
    });
  const path = filled(step.path);
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name, filled(value)]),
  );
  if (step.op === 'open') {
    const stream = await place.server.open(path, headers);
    if (stream.answer.code === 200) place.streams.set(step.id, stream);
    return stream.answer;
  }
  if (step.op === 'await') {
    if (step.after !== undefined && !place.answers.has(step.after)) return undefined;
    for (let waited = 0; waited < AWAIT_MS; waited += 20) {
      const { text } = await place.server.send(
        step.method ?? 'GET',
        path,
        headers,
        bodyText(step.body, place, filled),
      );
      if (holds(text, step.until, filled)) return undefined;
      await pause(20);
    }
    return undefined;
  }
  const text = bodyText(step.body, place, filled);
  const body = headers['content-type'] === PROTOBUF ? await protobufBody(text, step.broken) : text;
  const got = await place.server.send(step.method, path, headers, body);
  const document = parsed(got.text);
  place.told.set(step.id, document);
  if (got.code >= 200 && got.code < 300) place.answers.set(step.id, document);
  return got;
}

const holds = (text, until, filled) =>
  'text' in until
    ? text.includes(filled(until.text))
    : JSON.stringify(valueAt(parsed(text), until.path)) === JSON.stringify(until.value);

function bodyText(body, place, filled) {
  if (body === undefined) return undefined;
  if ('raw' in body) return filled(body.raw);
  if ('json' in body) return filled(JSON.stringify(body.json));
  const base = place.answers.get(body.from) ?? JSON.parse(filled(JSON.stringify(body.fallback)));
  const edits = body.edits.map(([path, value]) => [
    path,
    value === undefined || value === null ? value : JSON.parse(filled(JSON.stringify(value))),
  ]);
  return JSON.stringify(
    edits.reduce((value, [path, to]) => edited(value, path, to === null ? undefined : to), base),
  );
}

/** The bytes of a JSON text's object; the text itself where it is no object that has a form in protobuf. */
async function protobufBody(text, broken) {
  if (text === undefined) return undefined;
  const { encoded } = await protobufCoding();
  let bytes;
  try {
    bytes = encoded(JSON.parse(text));
  } catch {
    return text;
  }
  if (broken === undefined) return bytes;
  if ('keep' in broken) return bytes.subarray(0, Math.floor(broken.keep * bytes.length));
  const changed = Buffer.from(bytes);
  changed[Math.floor(broken.at * bytes.length)] = broken.byte;
  return changed;
}

/** Waits until the streams have said equally much and are quiet, or one of them is behind for too long. */
async function settled(streams, patienceMs) {
  const sizes = () => streams.map(({ lines, ended }) => `${lines.length} ${ended()}`);
  let seen = sizes().join();
  let quiet = 0;
  let waited = 0;
  while (waited < patienceMs) {
    await pause(10);
    waited += 10;
    const now = sizes();
    quiet = now.join() === seen ? quiet + 10 : 0;
    seen = now.join();
    if (quiet >= QUIET_MS && now.every((size) => size === now[0])) return;
  }
}

/** The JSON document of a text; undefined when it is none. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
