/** The configuration file: options of the command line in YAML or JSON, checked before any of them is used. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EXEC_OPTIONS, type ExecSettings, LINE_OPTIONS, type Options } from '../facade/options.js';
import { readChecked } from '../ground/checked-document.js';
import { ValueShape } from '../ground/value-shape.js';

/** What is looked for in the working folder. */
export const CONFIGURATION_FILES = [
  'kube-mockserver.yaml',
  'kube-mockserver.yml',
  'kube-mockserver.json',
] as const;

const OPTIONS: Options = { ...LINE_OPTIONS, ...EXEC_OPTIONS };

const SHAPE = new ValueShape<ExecSettings | null>({
  // A file without content says nothing.
  type: ['object', 'null'],
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { form }]) => [name, form.schema ?? {}]),
  ),
});

/** The configuration file of a folder, if it has one. Errors: an Error when it has several. */
export function configurationIn(folder: string): string | undefined {
  const found = CONFIGURATION_FILES.filter((name) => existsSync(join(folder, name)));
  if (found.length > 1) throw new Error(`there are ${found.join(' and ')}; --config says which one is meant`);
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

/**
 * What a configuration file says; paths in it go from its own folder.
 *
 * Errors: DocumentError that names file, line and path of every mistake; an Error for a file that is not there.
 */
export function readConfiguration(file: string): ExecSettings {
  if (!existsSync(file)) throw new Error(`${file}: there is no such file`);
  const settings = readChecked(readFileSync(file, 'utf8'), file, SHAPE) ?? {};
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      OPTIONS[name]?.form.isPath === true ? resolved(value, dirname(file)) : value,
    ]),
  );
}

/** @param value a path, or a list of them: the shape has been looked at */
const resolved = (value: unknown, folder: string): unknown =>
  Array.isArray(value) ? value.map((one) => resolved(one, folder)) : resolve(folder, String(value));
