/** Declared options as commander takes them. */
import { InvalidArgumentError, Option as LineOption } from 'commander';
import { type Option } from '../facade/options.js';

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
