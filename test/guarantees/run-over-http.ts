/** Random sessions over real sockets, in real time, against a server in a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { seededRandom, type Random } from '../../mockserver/ground/random.js';
import { violations } from './checks.js';
import { History, type Interest, type Place, placeText, type Version } from './history.js';
import { HttpWatch } from './http-watch.js';
import { COLORS } from './scenario.js';
import { begin, type Server } from './server-place.js';
import { type Ending, type Start } from './session.js';

export interface HttpOutcome {
  readonly sessions: number;
  readonly broken: readonly string[];
  readonly summary: string;
}

/** Longest wait for what is still to come, once everybody reads. */
const QUIET_MS = 10_000;
const WRITERS = 3;
const NAMES_EACH = 2;
const PADDING = 'x'.repeat(60_000);

/** Two servers, with the gate on and off, take turns until there were so many sessions. */
export async function runOverHttp(seed: number, wanted: number): Promise<HttpOutcome> {
  const random = seededRandom(seed);
  const broken: string[] = [];
  const endings: Record<string, number> = {};
  let sessions = 0;
  for (let round = 0; sessions < wanted; round++) {
    const stallResume = round % 3 !== 2;
    const server = await startServer({
      stallResume,
      capacity: pick(random, [24, 60, 400]),
      channel: 1 + (round % 4),
    });
    try {
      const played = await playSessions(server, random, { stallResume, namespaces: ['one', 'two'] });
      sessions += played.endings.length;
      for (const text of played.broken) broken.push(`round ${round}, ${text}`);
      for (const ending of played.endings) {
        const name = `${stallResume ? 'on' : 'off'} ${ending}`;
        endings[name] = (endings[name] ?? 0) + 1;
      }
    } finally {
      server.stop();
    }
  }
  return { sessions, broken, summary: JSON.stringify(endings) };
}

export interface PlayedSessions {
  /** How each watch came to its end. */
  readonly endings: readonly Ending[];
  /** Sentences about what is broken. */
  readonly broken: readonly string[];
}

/**
 * Several clients at once: writers, readers that stall, resume and come back, and a witness.
 * @param namespaces are created; their config maps must be nobody else's.
 */
export async function playSessions(
  server: Server,
  random: Random,
  {
    stallResume,
    namespaces,
    run = 'here',
  }: { readonly stallResume: boolean; readonly namespaces: readonly string[]; readonly run?: string },
): Promise<PlayedSessions> {
  const broken: string[] = [];
  for (const name of namespaces) await send(server, 'POST', '/api/v1/namespaces', { metadata: { name } });
  const all: HttpWatch[] = [];
  const writes: {
    readonly before?: Version;
    readonly after?: Version;
    readonly place: Place;
    readonly revision: number;
  }[] = [];

  const open = async (previous?: HttpWatch): Promise<HttpWatch> => {
    const interest: Interest = previous?.session.interest ?? {
      ...(random.next() < 0.5 ? { namespace: pick(random, namespaces) } : {}),
      ...(random.next() < 0.4 ? { color: pick(random, COLORS) } : {}),
    };
    const last = previous?.last;
    const start: Start =
      last === undefined ? { kind: 'state', endBookmark: true } : { kind: 'after', revision: last };
    const selector = `run=${run}${interest.color === undefined ? '' : `,color=${interest.color}`}`;
    const watch = await HttpWatch.open(server, selector, interest, start);
    all.push(watch);
    return watch;
  };

  /** Each writer owns its objects, so writes of several may run at once and their order is that of their versions. */
  const writer = async (own: number): Promise<void> => {
    const live = new Map<string, boolean>();
    for (let i = 0; i < 40; i++) {
      const place = {
        namespace: pick(random, namespaces),
        name: `o${own}-${Math.floor(random.next() * NAMES_EACH)}`,
      };
      const color = pick(random, COLORS);
      const folder = `/api/v1/namespaces/${place.namespace}/configmaps`;
      const exists = live.get(placeText(place)) === true;
      if (exists && random.next() < 0.2) {
        await send(server, 'DELETE', `${folder}/${place.name}`);
        live.set(placeText(place), false);
        continue;
      }
      const body = {
        metadata: { name: place.name, labels: { run, color } },
        data: { at: `${i}`, PADDING },
      };
      const answer = await send(
        server,
        exists ? 'PUT' : 'POST',
        exists ? `${folder}/${place.name}` : folder,
        body,
      );
      live.set(placeText(place), true);
      const revision = Number(answer.metadata.resourceVersion);
      writes.push({ place, revision, after: { ...place, color, revision } });
      if (random.next() < 0.2) await pause(Math.floor(random.next() * 8));
    }
  };

  const reader = async (): Promise<HttpWatch> => {
    let watch = await open();
    for (let i = 0; i < 5; i++) {
      await pause(10 + Math.floor(random.next() * 40));
      const what = random.next();
      if (what < 0.45) watch.stall();
      else if (what < 0.75) watch.resume();
      if (watch.session.ending !== 'open' || what >= 0.85) {
        watch.close();
        watch = await open(watch.session.ending === 'error' ? undefined : watch);
      }
    }
    return watch;
  };

  // A watch on everything, which always reads: it tells the versions of deletions, which answers do not.
  const witness = await HttpWatch.open(server, `run=${run}`, {}, { kind: 'state', endBookmark: true });
  const [readers] = await Promise.all([
    Promise.all(Array.from({ length: 4 }, reader)),
    Promise.all(Array.from({ length: WRITERS }, (_, own) => writer(own))),
  ]);
  const { metadata } = await send(server, 'GET', `/api/v1/configmaps?labelSelector=run%3D${run}`);
  await until(
    () => (witness.last ?? 0) >= Number(metadata.resourceVersion) || witness.session.ending !== 'open',
  );
  const history = new History();
  for (const one of witness.session.seen) {
    if (one.kind !== 'event') continue;
    const [namespace = '', name = ''] = one.place.split('/');
    if (one.type === 'DELETED') history.delete({ namespace, name }, one.revision);
    else history.put({ namespace, name, color: one.color, revision: one.revision });
  }
  const told = new Set(history.writes.map(({ revision }) => revision));
  for (const { revision } of writes)
    if (!told.has(revision)) broken.push(`the witness was not told of the write ${revision}`);

  for (const watch of readers) watch.resume();
  await until(() =>
    readers.every(({ session, last }) => {
      const wanted = history.events(session.interest, 0, history.revision).at(-1)?.revision ?? 0;
      return session.ending !== 'open' || (last ?? 0) >= wanted;
    }),
  );
  for (const watch of readers) watch.session.quiescent = true;
  for (const [i, { session }] of all.entries()) {
    for (const text of violations(history, session, { stallResume, floors: undefined }))
      broken.push(`session ${i} ${JSON.stringify({ ...session, seen: session.seen.length })}: ${text}`);
  }
  for (const watch of [witness, ...all]) watch.close();
  return { endings: all.map(({ session }) => session.ending), broken };
}

async function startServer(settings: object): Promise<{ url: string; stop: () => void }> {
  const program = join(process.cwd(), 'test/guarantees/server.mjs');
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', () => reject(new Error('the server did not start: npm run build')));
  });
  return { url, stop: () => child.stdin.end() };
}

interface Answered {
  readonly metadata: { readonly resourceVersion?: string };
}

async function send(server: Server, method: string, path: string, body?: object): Promise<Answered> {
  const answer = await begin(server, method, path, body && JSON.stringify(body));
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
  const text = Buffer.concat(chunks).toString();
  if (Math.floor((answer.statusCode ?? 0) / 100) !== 2)
    throw new Error(`${method} ${path}: ${answer.statusCode ?? 0} ${text}`);
  return JSON.parse(text) as Answered; // any object of the API, or a Status
}

function pick<T>(random: Random, all: readonly T[]): T {
  const one = all[Math.floor(random.next() * all.length)];
  if (one === undefined) throw new RangeError('nothing to choose from');
  return one;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for it, but not for ever: what has not come then is reported by the checks. */
async function until(done: () => boolean): Promise<void> {
  for (const end = Date.now() + QUIET_MS; !done() && Date.now() < end;) await pause(5);
}
