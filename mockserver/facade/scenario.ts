/** Named sets of fault rules that come with the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRuleText, type RuleFile } from '../faults/rule-reader.js';

/** From dist/mockserver/facade and from mockserver/facade. */
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
