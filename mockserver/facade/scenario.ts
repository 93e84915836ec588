/** Named sets of fault rules that come with the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRuleText, type RuleFile } from '../faults/rule-reader.js';

/** From dist/mockserver/bundle and from mockserver/facade. */
const FOLDERS = ['../../scenarios/', '../../fixtures/scenarios/'];

function folder(): string {
  for (const path of FOLDERS) {
    const candidate = fileURLToPath(new URL(path, import.meta.url));
    if (existsSync(candidate)) return candidate;
  }
  throw new Error('the scenarios of the package are not there');
}

/** The names that `scenario` takes, sorted. */
export const scenarioNames = (): string[] =>
  readdirSync(folder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();

/** The rules of a scenario. Errors: an Error that lists the names there are. */
export function scenario(name: string): RuleFile {
  const names = scenarioNames();
  if (!names.includes(name)) throw new Error(`no scenario is named ${name}; there are ${names.join(', ')}`);
  return readRuleText(readFileSync(`${folder()}${name}.yaml`, 'utf8'), `${name}.yaml`);
}

/** A name of a scenario as a member of the program: `watchListRefused`. */
type InOneWord<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<InOneWord<Rest>>}`
  : Name;

/** Those that `scenarios` has: a test compares them with the files. */
const NAMES = [
  'clean-end-before-marker',
  'connection-refused',
  'connection-reset',
  'continue-410',
  'events-silently-closed',
  'failure-mid-stream',
  'first-list-paginated',
  'internal-error',
  'lost-answer',
  'marker-withheld',
  'restored-backup',
  'stalled-and-resumed',
  'stalled-beyond-window',
  'thundering-herd',
  'time-travel',
  'timeouts-and-jitter',
  'too-many-requests',
  'unexpected-eof',
  'unobserved-delete',
  'utf8-split',
  'version-too-large',
  'watch-410-http',
  'watch-410-in-stream',
  'watch-list-ignored',
  'watch-list-refused',
] as const;

type ScenarioName = (typeof NAMES)[number];

const inOneWord = (name: string): string => name.replace(/-(.)/g, (_, next: string) => next.toUpperCase());

/** Every scenario by its name in one word: `scenarios.watchListRefused().rules`. */
export const scenarios: Readonly<Record<InOneWord<ScenarioName>, () => RuleFile>> = Object.freeze(
  // as: made of the names that the type is made of, in the same way
  Object.fromEntries(NAMES.map((name) => [inOneWord(name), () => scenario(name)])) as Record<
    InOneWord<ScenarioName>,
    () => RuleFile
  >,
);
