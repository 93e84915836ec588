/** A journal as a page: a lane for each client, resource and watch, in time. Self-contained, without scripts. */
import { clientPaths, nameStep, stepBefore, type ClientPath, type Step } from './client-path.js';
import { type JournalEntry } from './journal-entry.js';
import { pathNames } from './path-name.js';

const WIDTH = 960;
const LABEL = 240;
const LANE = 18;

interface Scale {
  readonly from: number;
  readonly to: number;
}

/** @param title of the page. Shape: an HTML document. */
export function timeline(entries: readonly JournalEntry[], title = 'kube-mockserver'): string {
  const times = entries.map(({ at }) => at);
  const scale = { from: Math.min(...times, Infinity), to: Math.max(...times, -Infinity) };
  const queues = queuesOf(entries);
  const sections = clientPaths(entries).map((path) => section(path, scale, queues));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
<p>${entries.length} entries over ${times.length === 0 ? 0 : scale.to - scale.from} ms. <span class="key synced">synced</span>
<span class="key unsynced">behind</span> <span class="key stalled">stalled</span> <span class="key fault">fault</span>
<span class="key relist">listed again</span></p>
${sections.join('\n')}
</body></html>
`;
}

const STYLE = `body{font:14px system-ui,sans-serif;margin:24px;color:#222;background:#fff}h1{font-size:20px}h2{font-size:15px;margin:24px 0 2px}
p{margin:2px 0 8px;color:#555}svg{display:block;background:#fafafa;border:1px solid #ddd}text{font-size:11px;fill:#333}
.synced{fill:#b7dfb9;background:#b7dfb9}.unsynced{fill:#f4c27a;background:#f4c27a}.stalled{fill:#e7a1a1;background:#e7a1a1}
.request{fill:#9db8d9}.failed{fill:#d98080}.relist{fill:#7b5ea7;background:#cdbfe3}.fault{stroke:#c00;fill:#c00;background:#f2b3b3}
.event{stroke:#2b6b2f}.marker{stroke:#1a3f8a;stroke-width:2}.key{padding:1px 6px;border-radius:3px;margin-right:4px}`;

interface QueueChange {
  readonly at: number;
  readonly state: string;
}

function queuesOf(entries: readonly JournalEntry[]): ReadonlyMap<number, QueueChange[]> {
  const found = new Map<number, QueueChange[]>();
  for (const entry of entries) {
    if (entry.kind !== 'queue') continue;
    const known = found.get(entry.request) ?? [];
    known.push({ at: entry.at, state: entry.state === 'resumed' ? 'unsynced' : entry.state });
    found.set(entry.request, known);
  }
  return found;
}

function section(
  path: ClientPath,
  scale: Scale,
  queues: ReadonlyMap<number, readonly QueueChange[]>,
): string {
  const names = pathNames(path);
  const height = path.steps.length * LANE + 6;
  const lanes = path.steps.map((step, i) =>
    lane(step, stepBefore(path.steps, i), {
      top: i * LANE + 3,
      scale,
      changes: queues.get(step.request.request) ?? [],
    }),
  );
  const client = path.client === '' ? '(no user agent)' : path.client;
  return `<section><h2>${escaped(client)} on ${escaped(path.resource)}</h2><p>${escaped(names.join('; '))}</p>
<svg width="${LABEL + WIDTH}" height="${height}" role="img" aria-label="${escaped(client)} on ${escaped(path.resource)}">
${lanes.join('\n')}
</svg></section>`;
}

interface Lane {
  readonly top: number;
  readonly scale: Scale;
  readonly changes: readonly QueueChange[];
}

function lane(step: Step, before: Step | undefined, { top, scale, changes }: Lane): string {
  const x = (at: number): number =>
    LABEL + (scale.to === scale.from ? 0 : ((at - scale.from) / (scale.to - scale.from)) * (WIDTH - 4));
  const name = nameStep(step, before);
  const begin = step.request.at;
  const end = step.request.verb === 'watch' ? (step.endedAt ?? scale.to) : (step.answeredAt ?? begin);
  const relist = step.request.verb === 'list' && !step.request.continued && before !== undefined;
  const kind = step.code >= 400 || step.lost !== undefined ? 'failed' : relist ? 'relist' : 'request';
  const bars =
    step.request.verb === 'watch' && kind === 'request'
      ? spans(begin, end, changes).map((span) => bar(span.state, x(span.from), x(span.to), top))
      : [bar(kind, x(begin), x(end), top)];
  const marks = [
    ...step.eventTimes.map((at) => mark('event', x(at), top)),
    ...(step.markedAt === undefined ? [] : [mark('marker', x(step.markedAt), top)]),
    ...step.faultTimes.map((at) => `<circle class="fault" cx="${fixed(x(at))}" cy="${top + 7}" r="3"/>`),
  ];
  const told = escaped(`${step.request.verb} ${step.request.url} — ${name}`);
  return `<g><title>${told}</title><text x="4" y="${top + 11}">${escaped(name)}</text>${bars.join('')}${marks.join('')}</g>`;
}

interface Span {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** A watch counts as synced until it is told otherwise. */
function spans(begin: number, end: number, changes: readonly QueueChange[]): Span[] {
  const all = [{ at: begin, state: 'synced' }, ...changes];
  return all.map(({ at, state }, i) => ({ state, from: at, to: all[i + 1]?.at ?? end }));
}

const bar = (kind: string, from: number, to: number, top: number): string =>
  `<rect class="${kind}" x="${fixed(from)}" y="${top + 2}" width="${fixed(Math.max(2, to - from))}" height="11"/>`;

const mark = (kind: string, at: number, top: number): string =>
  `<line class="${kind}" x1="${fixed(at)}" x2="${fixed(at)}" y1="${top + 1}" y2="${top + 14}"/>`;

const fixed = (value: number): string => value.toFixed(1);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
