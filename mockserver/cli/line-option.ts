/** Declared options as commander takes them. */
import { type Command, InvalidArgumentError, Option as LineOption } from 'commander';
import { type Option } from '../facade/options.js';

/** What the variable of an option without an argument may say: on the command line its presence says it all. */
const SWITCHES: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  false: false,
  0: false,
  '': false,
};

/** `tokenAuthFile` is `--token-auth-file`, and `KUBE_MOCKSERVER_TOKEN_AUTH_FILE` in the environment. */
export function lineOption(name: string, { form, says, otherwise }: Option<unknown>): LineOption {
  const { written, choices } = form;
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = new LineOption(
    `--${words}${written === undefined ? '' : ` ${written.argument}`}`,
    otherwise === undefined ? says : `${says} (default: ${otherwise})`,
  ).env(`KUBE_MOCKSERVER_${words.toUpperCase().replaceAll('-', '_')}`);
  if (choices !== undefined) return option.choices(choices);
  if (written === undefined) return option;
  return option.argParser<unknown>((text, before) => {
    const value = written.parse(text, before);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${form.needed}.`);
    return value;
  });
}

/**
 * Puts switches right that come from the environment, where commander takes any value for yes.
 *
 * Errors: ends the command, as commander does for other options, where the variable says neither yes nor no.
 */
export function readSwitches(command: Command, environment: NodeJS.ProcessEnv = process.env): void {
  for (const option of command.options) {
    const { envVar } = option;
    if (!option.isBoolean() || envVar === undefined) continue;
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'env') continue;
    const text = environment[envVar] ?? '';
    const value = Object.hasOwn(SWITCHES, text) ? SWITCHES[text] : undefined;
    if (value === undefined)
      command.error(
        `error: option '${option.flags}' value '${text}' from env '${envVar}' is invalid. It must be true or false.`,
      );
    command.setOptionValueWithSource(name, value, 'env');
  }
}
