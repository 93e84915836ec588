/** A journal as a page: a section for each client and resource, lanes in time. Self-contained, without scripts. */
import { clientPaths, type ClientPath, type Step } from './client-path.js';
import { type JournalEntry } from './journal-entry.js';
import { pathNames } from './path-name.js';
import { type Lane, lanesOf, type LaneStep } from './timeline-lanes.js';
import { type PlaceChange, watchPlaces } from './watch-places.js';

const WIDTH = 900;
const LABEL = 340;
const LANE = 20;
/** Characters that fit before the lanes, in the size of the labels. */
const LABEL_CHARACTERS = 52;
const AXIS = 20;
/** Marks of the axis at the most. */
const MOST_MARKS = 10;

interface Scale {
  readonly from: number;
  readonly to: number;
}

type Places = ReadonlyMap<number, readonly PlaceChange[]>;

/** @param title of the page. Shape: an HTML document. */
export function timeline(entries: readonly JournalEntry[], title = 'kube-mockserver'): string {
  const times = entries.map(({ at }) => at);
  const scale = times.length === 0 ? { from: 0, to: 0 } : scaleOf(times);
  const places = watchPlaces(entries);
  const sections = clientPaths(entries).map((path) => section(path, scale, places));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
<p>${entries.length} entries over ${durationText(scale.to - scale.from)}.</p>
<p>${KEYS.map(([kind, says]) => `<span class="key ${kind}">${says}</span>`).join(' ')}</p>
${sections.join('\n')}
</body></html>
`;
}

const KEYS = [
  ['synced', 'watch, synced'],
  ['unsynced', 'watch, behind'],
  ['stalled', 'watch, stalled'],
  ['request', 'request'],
  ['relist', 'listed again'],
  ['failed', 'refused or lost'],
  ['event', '│ event'],
  ['marker', '┃ end of initial events'],
  ['fault', '● fault'],
] as const;

const STYLE = `body{font:14px system-ui,sans-serif;margin:24px;color:#222;background:#fff}h1{font-size:20px}h2{font-size:15px;margin:28px 0 2px}
p{margin:2px 0 8px;color:#555}svg{display:block;background:#fafafa;border:1px solid #ddd}text{font-size:11px;fill:#333}
.axis{stroke:#e2e2e2}.time{fill:#888}.synced{fill:#b7dfb9;background:#b7dfb9}.unsynced{fill:#f4c27a;background:#f4c27a}
.stalled{fill:#e7a1a1;background:#e7a1a1}.request{fill:#9db8d9;background:#9db8d9}.failed{fill:#d98080;background:#d98080}
.relist{fill:#a98fd0;background:#a98fd0}.fault{stroke:#fff;fill:#c00}.by{fill:#c00}.event{stroke:#2b6b2f}.marker{stroke:#1a3f8a;stroke-width:3}
.key{padding:1px 6px;border-radius:3px;margin-right:4px;color:#222}.key.event{color:#2b6b2f}.key.marker{color:#1a3f8a}.key.fault{color:#c00}`;

function scaleOf(times: readonly number[]): Scale {
  // One by one: a journal holds more than a call takes arguments.
  return times.reduce(({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }), {
    from: Infinity,
    to: -Infinity,
  });
}

function section(path: ClientPath, scale: Scale, places: Places): string {
  const lanes = lanesOf(path);
  const height = lanes.length * LANE + AXIS;
  const drawn = lanes.map((one, i) => lane(one, { top: AXIS + i * LANE, scale, places }));
  const client = path.client === '' ? '(no user agent)' : path.client;
  const title = escaped(`${client} on ${path.resource}`);
  return `<section><h2>${title}</h2><p>${escaped(pathNames(path).join('; '))}</p>
<svg width="${LABEL + WIDTH}" height="${height}" role="img" aria-label="${title}">
${axis(scale, height)}
${drawn.join('\n')}
</svg></section>`;
}

/** Where a moment lies. */
const xOf = ({ from, to }: Scale, at: number): number =>
  LABEL + (to === from ? 0 : ((at - from) / (to - from)) * (WIDTH - 8));

function axis(scale: Scale, height: number): string {
  const step = roundStep((scale.to - scale.from) / MOST_MARKS);
  const marks: string[] = [];
  for (let ms = 0; ms <= scale.to - scale.from; ms += step) {
    const x = fixed(xOf(scale, scale.from + ms));
    marks.push(
      `<line class="axis" x1="${x}" x2="${x}" y1="${AXIS - 4}" y2="${height}"/><text class="time" x="${x}" y="12">${durationText(ms)}</text>`,
    );
  }
  return marks.join('');
}

/** 1, 2 or 5 times a power of ten, not below. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

const durationText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(3))} s`);

interface LanePlace {
  readonly top: number;
  readonly scale: Scale;
  readonly places: Places;
}

function lane({ name, steps, faults }: Lane, place: LanePlace): string {
  const times = steps.length === 1 ? '' : ` × ${steps.length}`;
  const [only] = steps;
  const label = shortened(`${steps.length === 1 ? (only?.name ?? name) : name}${times}`, LABEL_CHARACTERS);
  const rest = LABEL_CHARACTERS - label.length - 3;
  const by =
    faults.length === 0 || rest < 8
      ? ''
      : ` <tspan class="by">${escaped(shortened(faults.join(', '), rest))}</tspan>`;
  return `<g><text x="4" y="${place.top + 14}">${escaped(label)}${by}</text>${steps.map((one) => drawn(one, place)).join('')}</g>`;
}

function drawn({ step, name, relist }: LaneStep, { top, scale, places }: LanePlace): string {
  const x = (at: number): number => xOf(scale, at);
  const { request, faults } = step;
  const kind = step.code >= 400 || step.lost !== undefined ? 'failed' : relist ? 'relist' : 'request';
  const begin = request.at;
  const streams = request.verb === 'watch' && kind === 'request';
  const end = streams ? (step.endedAt ?? scale.to) : (step.answeredAt ?? begin);
  const bars = streams
    ? spans(begin, end, places.get(request.request) ?? []).map((span) =>
        bar(span.state, x(span.from), x(span.to), top),
      )
    : [bar(kind, x(begin), x(end), top)];
  const marks = [
    ...step.eventTimes.map((at) => mark('event', x(at), top)),
    ...(step.markedAt === undefined ? [] : [mark('marker', x(step.markedAt), top)]),
    ...step.faultTimes.map((at) => `<circle class="fault" cx="${fixed(x(at))}" cy="${top + 10}" r="4"/>`),
  ];
  const by = faults.length === 0 ? '' : ` (faults: ${faults.join(', ')})`;
  const told = `${request.verb} ${request.url} — ${name}${countsText(step)}${by}`;
  return `<g><title>${escaped(told)}</title>${bars.join('')}${marks.join('')}</g>`;
}

const countsText = ({ counts }: Step): string => {
  const told = Object.entries(counts).map(([type, count]) => `${count} ${type}`);
  return told.length === 0 ? '' : `; sent ${told.join(', ')}`;
};

interface Span {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

/** A watch counts as synced until it is told otherwise. */
function spans(begin: number, end: number, changes: readonly PlaceChange[]): Span[] {
  const all = [{ at: begin, state: 'synced' }, ...changes];
  return all.map(({ at, state }, i) => ({ state, from: at, to: all[i + 1]?.at ?? end }));
}

const bar = (kind: string, from: number, to: number, top: number): string =>
  `<rect class="${kind}" x="${fixed(from)}" y="${top + 4}" width="${fixed(Math.max(3, to - from))}" height="12"/>`;

const mark = (kind: string, at: number, top: number): string =>
  `<line class="${kind}" x1="${fixed(at)}" x2="${fixed(at)}" y1="${top + 3}" y2="${top + 17}"/>`;

const fixed = (value: number): string => value.toFixed(1);

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
