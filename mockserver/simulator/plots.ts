/** Plots as SVG text. */
import { shown } from './table.js';

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}

export interface Plot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** Equal ratios take equal lengths; values at or below 0 are left out. @default false */
  readonly logX?: boolean;
  /** Points without lines between them. @default false */
  readonly dots?: boolean;
  readonly lines: readonly Line[];
}

const WIDTH = 560;
const HEIGHT = 240;
const LEFT = 64;
const RIGHT = 12;
const TOP = 8;
const BOTTOM = 40;
/** Colours that stay apart for most eyes, on light and on dark. */
const COLOURS = ['#4477aa', '#ee6677', '#228833', '#ccaa22', '#66ccee', '#aa3377', '#999999', '#ee8866'];

/** Shape: a figure with its title, or nothing where there is nothing to show. */
export function plot({ title, x, y, logX = false, dots = false, lines }: Plot): string {
  const kept = lines
    .map(({ name, points }) => ({ name, points: logX ? points.filter(([at]) => at > 0) : points }))
    .filter(({ points }) => points.length > 0);
  if (kept.length === 0) return '';
  const across = axis(
    kept.flatMap(({ points }) => points.map(([at]) => at)),
    { logarithmic: logX, from: LEFT, to: WIDTH - RIGHT, fromZero: false },
  );
  const up = axis(
    kept.flatMap(({ points }) => points.map(([, value]) => value)),
    { logarithmic: false, from: HEIGHT - BOTTOM, to: TOP, fromZero: true },
  );
  const drawn = kept.map(({ points }, i) => {
    const colour = COLOURS[i % COLOURS.length] ?? 'currentColor';
    const dash = i < COLOURS.length ? '' : ' stroke-dasharray="4 3"';
    const at = points.map(([a, b]) => [across.place(a).toFixed(1), up.place(b).toFixed(1)] as const);
    return dots
      ? at.map(([a, b]) => `<circle cx="${a}" cy="${b}" r="2" fill="${colour}"/>`).join('')
      : `<polyline points="${at.map((pair) => pair.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"${dash}/>`;
  });
  const below = HEIGHT - BOTTOM;
  return [
    `<figure><figcaption>${escaped(title)}</figcaption>`,
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    ...across.ticks.map(
      (tick) =>
        `<path class="grid" d="M${across.place(tick).toFixed(1)} ${TOP}V${below}"/><text x="${across.place(tick).toFixed(1)}" y="${below + 14}" text-anchor="middle">${shown(tick)}</text>`,
    ),
    ...up.ticks.map(
      (tick) =>
        `<path class="grid" d="M${LEFT} ${up.place(tick).toFixed(1)}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" y="${(up.place(tick) + 4).toFixed(1)}" text-anchor="end">${shown(tick)}</text>`,
    ),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(x)}</text>`,
    `<text transform="translate(12 ${(TOP + below) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
    ...drawn,
    '</svg>',
    `<p class="legend">${kept.map(({ name }, i) => `<span><i style="background:${COLOURS[i % COLOURS.length] ?? ''}"></i>${escaped(name)}</span>`).join(' ')}</p></figure>`,
  ].join('\n');
}

interface Axis {
  place(value: number): number;
  readonly ticks: readonly number[];
}

function axis(
  values: readonly number[],
  {
    logarithmic,
    from,
    to,
    fromZero,
  }: {
    readonly logarithmic: boolean;
    readonly from: number;
    readonly to: number;
    readonly fromZero: boolean;
  },
): Axis {
  let least = fromZero ? 0 : Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const scale = logarithmic ? Math.log10 : (value: number): number => value;
  const [low, high] = [scale(least), scale(most)];
  const span = high - low || 1;
  return {
    place: (value) => from + ((scale(value) - low) / span) * (to - from),
    ticks: logarithmic ? powersOfTen(low, high) : roundTicks(least, most),
  };
}

const powersOfTen = (low: number, high: number): number[] => {
  const step = Math.max(1, Math.ceil((high - low) / 8));
  const ticks: number[] = [];
  for (let power = Math.ceil(low); power <= high; power += step) ticks.push(10 ** power);
  return ticks;
};

/** About five round numbers. */
function roundTicks(least: number, most: number): number[] {
  const rough = (most - least) / 5;
  if (!(rough > 0)) return [least];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(least / step); i * step <= most * (1 + 1e-9); i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
