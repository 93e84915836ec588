/** The reference of options as Markdown: docs/options.md holds it, and a test that it is what is declared. */
import { type Command, type Option as LineOption } from 'commander';
import {
  CLUSTER_OPTIONS,
  LINE_OPTIONS,
  type Option,
  type Options,
  REQUEST_OPTIONS,
  SERVER_OPTIONS,
} from '../facade/options.js';
import { DEFAULT_CLUSTER } from '../registry/cluster-options.js';

/** Its options are those of others too. */
const FIRST = 'serve';

/** @param program the commands. Shape: sections, each under a heading. */
export function optionReference(program: Command): string {
  return [
    '## Command line',
    ...program.commands.map(commandText),
    '## `startMockServer(options)`',
    optionsText(SERVER_OPTIONS),
    '## `server.createCluster(settings)`, `cluster.fork(settings)`',
    optionsText(CLUSTER_OPTIONS),
    '## `POST /_mock/clusters`',
    optionsText(REQUEST_OPTIONS),
    '## `cluster`: the options of a cluster',
    membersText('', DEFAULT_CLUSTER).join('\n'),
  ].join('\n\n');
}

function commandText(command: Command): string {
  const usage = `### \`${`${command.name()} ${command.usage()}`.trim()}\``;
  // What serve takes is not told again.
  const besides = command.name() !== FIRST && takesAll(command, LINE_OPTIONS);
  const own = command.options.filter(
    (option) => !besides || !Object.hasOwn(LINE_OPTIONS, option.attributeName()),
  );
  const options = own.map(lineText).join('\n');
  return [usage, sentence(command.description()), besides ? `The options of \`${FIRST}\`, and:` : '', options]
    .filter((part) => part !== '')
    .join('\n\n');
}

const takesAll = ({ options }: Command, declared: Options): boolean =>
  Object.keys(declared).every((name) => options.some((option) => option.attributeName() === name));

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

const lineText = ({ flags, envVar, description }: LineOption): string =>
  `- \`${flags}\`${envVar === undefined ? '' : `, \`${envVar}\``}: ${plain(description)}`;

const optionsText = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => `- \`${name}\`: ${plain(withDefault(option))}; ${option.form.needed}`)
    .join('\n');

const withDefault = ({ says, otherwise }: Option<unknown>): string =>
  otherwise === undefined ? says : `${says} (default: ${otherwise})`;

/** Asterisks would be taken for emphasis. */
const plain = (words: string): string => words.replaceAll('*', '\\*');

/** Each member that is no object, by its path, with its default. */
function membersText(path: string, members: object): string[] {
  return Object.entries(members).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? membersText(`${path}${name}.`, value)
      : [`- \`${path}${name}\`: \`${JSON.stringify(value)}\``],
  );
}
