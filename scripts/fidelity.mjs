// Makes docs/fidelity.md from what the comparisons with a real server are held to: the floors of `npm run conformance`,
// `npm run kubectl`, `npm run examples` and `npm run differential`, what they tolerate, and docs/limits.md.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** @param {string} root of the repository */
export function fidelity(root) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const json = (path) => JSON.parse(read(path));
  return [
    INTRODUCTION,
    exchanges(root, json('test/conformance/floor.json')),
    tolerated(json('test/conformance/tolerances.json')),
    commandLine(json('test/kubectl/floor.json'), parse(read('test/kubectl/commands.yaml'))),
    examples(json('test/examples/floor.json')),
    differential(json('test/differential/floor.json'), json('test/differential/accepted.json')),
    absent(read('docs/limits.md')),
  ].join('\n\n');
}

const INTRODUCTION = `# Fidelity

How near the answers are to those of kube-apiserver 1.36.3: what is exact, what differs, what is absent. This page is made by \`npm run references\` from the floors that
\`.ci/run\` holds every change to; a test compares the two. A floor is the best result so far: a run below it fails, and \`--raise\` lifts it where a run was better.
Counts of answers are not counts of behaviours: what no recording asks for is not in these numbers.`;

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

function exchanges(root, floors) {
  const folder = join(root, 'fixtures/recorded/conformance');
  const recordings = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      name: basename(name, '.json'),
      ...JSON.parse(readFileSync(join(folder, name), 'utf8')),
    }));
  const rows = recordings.map(({ name, summary, steps }) => {
    const { exact = 0, status = 0 } = floors[name] ?? {};
    return [name, summary, steps.length, `${exact} %`, `${status} %`];
  });
  const whole = recordings.filter(({ name }) => floors[name]?.exact === 100).length;
  return `## Recorded exchanges

Requests and watches as a real server answered them, sent again (\`npm run conformance -- --slow\`). An answer is exact when its status, headers and body are the same, but for what
differs from run to run (uids, times, revisions, which are compared by their relations) and for the places [below](#what-the-recordings-tolerate). ${whole} of the
${recordings.length} recordings are exact throughout.

${table(['recording', 'what it asks', 'steps', 'exact', 'status the same'], rows)}`;
}

function tolerated(rules) {
  const reasons = new Map();
  for (const { why, scenario } of rules)
    if (why !== 'as above') reasons.set(why, new Set([...(reasons.get(why) ?? []), scenario]));
  const rows = [...reasons]
    .map(([why, scenarios]) => [
      why,
      [...scenarios].map((one) => (one === undefined ? 'all' : `\`${one}\``)).join(', '),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `## What the recordings tolerate

Places in answers that are not compared, each with its reason (\`test/conformance/tolerances.json\`, ${rules.length} rules).

${table(['reason', 'in'], rows)}`;
}

function commandLine(floors, sections) {
  const counts = new Map(sections.map(({ section, commands }) => [section, commands.length]));
  const rows = Object.entries(floors).map(([area, same]) => [area, same, counts.get(area)]);
  return `## kubectl and helm

Commands run against both servers, their output and exit code compared (\`npm run kubectl\`). The last column counts all in the list, those that only set something up included.

${table(['area', 'the same', 'commands in the list'], rows)}`;
}

function examples(floors) {
  const rows = Object.entries(floors).map(([name, { exact, shape, warnings }]) => [
    name,
    exact,
    shape,
    warnings,
  ]);
  return `## Objects of the built-in API

Objects sent to both servers: what they are defaulted to, why they are refused, what a strategy changes, what admission does (\`npm run examples\`).

${table(['about', 'exact', 'the same code and fields', 'the same warnings'], rows)}`;
}

function differential(floors, accepted) {
  const rows = Object.entries(floors).map(([area, percent]) => [area, `${percent} %`]);
  const reasons = accepted.map(({ areas, reason }) => `- ${areas.join(', ')}: ${reason}`);
  return `## Random lives

Random requests against both servers side by side, answers compared (\`npm run differential\`, [differential](differential.md)); the share of answers that are the same, below which a run
fails.

${table(['area', 'the same, at least'], rows)}

Differences that are accepted:

${reasons.join('\n')}`;
}

function absent(limits) {
  const section = /^## Not there yet\n([^]*?)(?=^## )/m.exec(limits)?.[1] ?? '';
  const parts = [...section.matchAll(/^- \*\*([^]*?)\*\*: /gm)].map(([, part]) => part);
  if (parts.length === 0) throw new Error('docs/limits.md has no list of what is not there yet');
  return `## What is absent

${parts.map((part) => `- ${part}`).join('\n')}

What happens instead, and what differs on purpose, because of Node or in small ways: [limits](limits.md).`;
}
