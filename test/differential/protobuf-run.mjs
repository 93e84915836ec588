#!/usr/bin/env node
/** Stores random objects on a real server and on ours, in protobuf, and compares what comes back: decoded, and byte for byte. */
import { compareAnswers, newBindings } from './compare.mjs';
import { connect } from './connection.mjs';
import { KINDS, collectionPath } from './kinds.mjs';
import { PROTOBUF, protobufCoding } from './protobuf.mjs';
import { seededRandom } from './random.mjs';
import { TOKEN, oracleFolder, startOurs, startReal } from './servers.mjs';
import { schemaObject } from './validation-steps.mjs';

const USAGE = `usage: npm run protobuf -- [options]
  --objects N   objects that both servers store (default 500)
  --seed N      where chance begins (default 1)
  --real URL, --ours URL   servers that run already; without them both are started
exit: 0 at least 995 of 1,000 came back equal, 1 fewer did, 2 usage; 0 and a line "skipped" where there is no ../shared/oracle`;

/** Made objects are refused too often to ask for a number of stored ones without a bound. */
const MOST_ATTEMPTS = 8;
const LEAST_EQUAL = 0.995;
const NAMESPACE = 'protobuf';
const SHOWN = 30;
const HEADERS = { accept: PROTOBUF, 'content-type': PROTOBUF };
const STORED = KINDS.filter(({ review, weight }) => review === undefined && weight > 0);

function optionsOf(args) {
  const options = { objects: 500, seed: 1, real: undefined, ours: undefined };
  for (let i = 0; i < args.length; i += 2) {
    const name = args[i].replace(/^--/, '');
    const text = args[i + 1];
    const value = name === 'objects' || name === 'seed' ? Number(text) : text;
    const good = typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : value !== undefined;
    if (!Object.hasOwn(options, name) || !good) {
      console.error(USAGE);
      process.exit(2);
    }
    options[name] = value;
  }
  return options;
}

/** How often each place of a difference was met, the most frequent first. */
function byPlace(differences) {
  const times = new Map();
  for (const { kind, first } of differences) {
    const place = `${kind} ${first.path}`;
    const known = times.get(place) ?? { place, times: 0, first };
    times.set(place, { ...known, times: known.times + 1 });
  }
  return [...times.values()].sort((a, b) => b.times - a.times);
}

/** Shape: `{ method, path, body }` of a create; undefined where chance made a member that its message cannot hold. */
function creation(random, index, encoded) {
  const kind = random.pick(STORED);
  const object = schemaObject(random, kind, `p${index}`);
  const path = collectionPath(kind, NAMESPACE);
  try {
    return { kind, name: object.metadata.name, path, body: encoded(object) };
  } catch {
    return undefined;
  }
}

/**
 * Shape: how many objects both stored, how many of these came back equal, by kind; how often only one of the servers stored one; and what
 * differed.
 */
async function compared(servers, { objects, seed }) {
  const { encoded } = await protobufCoding();
  const random = seededRandom(seed);
  const result = { attempts: 0, stored: 0, equal: 0, refusedByOne: 0, kinds: new Set(), differences: [] };
  const both = (...request) => Promise.all(servers.map((server) => server.send(...request)));
  await both('POST', '/api/v1/namespaces', HEADERS, encoded(namespaceObject()));
  while (result.stored < objects && result.attempts < objects * MOST_ATTEMPTS) {
    result.attempts += 1;
    const made = creation(random, result.attempts, encoded);
    if (made === undefined) continue;
    const { kind, name, path, body } = made;
    const created = await both('POST', path, HEADERS, body);
    const codes = created.map(({ code }) => code);
    if (codes[0] !== codes[1]) result.refusedByOne += 1;
    if (codes[0] === 201 && codes[1] === 201) {
      const got = await both('GET', `${path}/${name}`, HEADERS);
      const differences = [created, got].flatMap(([real, ours]) =>
        compareAnswers({ method: 'GET', path }, real, ours, newBindings()),
      );
      result.stored += 1;
      if (differences.length === 0) result.equal += 1;
      else result.differences.push({ kind: kind.kind, first: differences[0] });
      result.kinds.add(`${kind.apiVersion} ${kind.kind}`);
    }
    if (codes.includes(201))
      await both('DELETE', `${path}/${name}?gracePeriodSeconds=0&propagationPolicy=Background`);
  }
  return result;
}

const namespaceObject = () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });

const options = optionsOf(process.argv.slice(2));
if (options.real === undefined && oracleFolder() === undefined) {
  console.log('skipped: no ../shared/oracle, or no Go to build it with');
  process.exit(0);
}
const running = (url) => ({ url, token: TOKEN, stop: () => undefined });
const real = options.real === undefined ? await startReal() : running(options.real);
const ours = options.ours === undefined ? await startOurs() : running(options.ours);
try {
  const result = await compared([connect(real), connect(ours)], options);
  for (const { place, times, first } of byPlace(result.differences).slice(0, SHOWN))
    console.log(`${times} times: ${place}: ${JSON.stringify(first).slice(0, 500)}`);
  console.log(
    `protobuf: ${result.equal} of ${result.stored} objects of ${result.kinds.size} kinds equal, decoded and byte for byte; ` +
      `${result.attempts} made, ${result.refusedByOne} stored by one server only; seed ${options.seed}`,
  );
  process.exitCode = result.stored > 0 && result.equal >= LEAST_EQUAL * result.stored ? 0 : 1;
} finally {
  await ours.stop();
  await real.stop();
}
process.exit();
