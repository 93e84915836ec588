/** One watch over HTTP, read by a client that can stop reading. */
import { type IncomingMessage } from 'node:http';
import { type Interest } from './history.js';
import { begin, type Server } from './server-place.js';
import { type Seen, type Session, type Start } from './session.js';

interface Frame {
  readonly type: string;
  readonly object: {
    readonly metadata?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly resourceVersion?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly code?: number;
    readonly reason?: string;
    readonly message?: string;
  };
}

export class HttpWatch {
  readonly session: Session;
  #answer: IncomingMessage | undefined;
  #rest = '';
  /** Resolves when the server has ended it, or the client has. */
  readonly over: Promise<void>;

  private constructor(session: Session, answer: IncomingMessage) {
    this.session = session;
    this.#answer = answer;
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.#receive(text));
    this.over = new Promise((resolve) => {
      answer.on('end', () => {
        const ended = session.seen.some((one) => one.kind === 'error') ? 'error' : 'silent';
        if (session.ending === 'open') session.ending = ended;
        resolve();
      });
      answer.on('error', () => resolve());
      answer.on('close', () => resolve());
    });
  }

  /** Errors: an answer that is not 200. */
  static open(server: Server, selector: string, interest: Interest, start: Start): Promise<HttpWatch> {
    const query = new URLSearchParams({ watch: '1', allowWatchBookmarks: 'true', labelSelector: selector });
    if (start.kind === 'after') query.set('resourceVersion', String(start.revision));
    const folder = interest.namespace === undefined ? '' : `/namespaces/${interest.namespace}`;
    const session: Session = {
      interest,
      start,
      bookmarks: true,
      openedAt: undefined,
      floorAtOpen: undefined,
      seen: [],
      ending: 'open',
      quiescent: false,
    };
    return begin(server, 'GET', `/api/v1${folder}/configmaps?${query.toString()}`).then((answer) => {
      if (answer.statusCode !== 200) throw new Error(`a watch is answered ${answer.statusCode ?? 0}`);
      return new HttpWatch(session, answer);
    });
  }

  stall(): void {
    this.#answer?.pause();
  }

  resume(): void {
    this.#answer?.resume();
  }

  close(): void {
    if (this.session.ending === 'open') this.session.ending = 'client';
    this.#answer?.destroy();
    this.#answer = undefined;
  }

  /** The version to come back with; undefined before there is one. */
  get last(): number | undefined {
    const { seen, start } = this.session;
    const at = start.kind === 'after' ? 0 : seen.findIndex((one) => one.kind === 'bookmark') + 1;
    if (start.kind === 'state' && at === 0) return undefined;
    const versions = seen
      .slice(Math.max(0, at - 1))
      .flatMap((one) => (one.kind === 'error' ? [] : [one.revision]));
    return versions.at(-1) ?? (start.kind === 'after' ? start.revision : undefined);
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.session.seen.push(seenOf(JSON.parse(line) as Frame)); // a frame of the watch protocol
  }
}

function seenOf({ type, object }: Frame): Seen {
  const { metadata = {}, code = 0, reason = '', message = '' } = object;
  const revision = Number(metadata.resourceVersion);
  if (type === 'ERROR') return { kind: 'error', code, reason, message };
  if (type === 'BOOKMARK') {
    const initialEventsEnd = metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
    return { kind: 'bookmark', revision, initialEventsEnd };
  }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
    throw new Error(`an event of type ${type}`);
  const place = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return { kind: 'event', type, revision, place, color: metadata.labels?.['color'] ?? '' };
}
