/** Options of the command line that come from the environment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Command, Option } from 'commander';
import { readSwitches } from '../../../mockserver/cli/line-option.js';
import { run } from '../../../mockserver/cli/program.js';
import { EXEC_OPTIONS, LINE_OPTIONS, type Option as Declared } from '../../../mockserver/facade/options.js';

const said = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
afterAll(() => said.mockRestore());

const withVariable = async (name: string, value: string, args: readonly string[]): Promise<string> => {
  process.env[name] = value;
  said.mockClear();
  try {
    expect(await run(args)).toBe(1);
  } finally {
    Reflect.deleteProperty(process.env, name);
  }
  return said.mock.calls.map(([text]) => String(text)).join('');
};

test.each([
  ['KUBE_MOCKSERVER_PORT', 'x', 'It must be a whole number from 0 to 65535.'],
  ['KUBE_MOCKSERVER_ADMISSION', 'some', 'Allowed choices are default, none.'],
  ['KUBE_MOCKSERVER_LOAD', '/absent.yaml', '/absent.yaml: there is no such file'],
  ['KUBE_MOCKSERVER_CONTROLLERS', 'nobody', 'there is no nobody'],
  [
    'KUBE_MOCKSERVER_QUIET',
    'maybe',
    "'maybe' from env 'KUBE_MOCKSERVER_QUIET' is invalid. It must be true or false.",
  ],
])('%s is read, and refused where it is wrong', async (name, value, message) => {
  expect(await withVariable(name, value, ['serve'])).toContain(message);
});

test('what is given on the command line goes before', async () => {
  const text = await withVariable('KUBE_MOCKSERVER_LOAD', '/absent.yaml', ['serve', '--load', '/other.yaml']);
  expect(text).toContain('/other.yaml');
  expect(text).not.toContain('/absent.yaml');
});

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
])('a switch whose variable says %p is %p', async (text, wanted) => {
  process.env['SWITCH'] = text;
  const command = new Command().addOption(new Option('--quiet').env('SWITCH'));
  try {
    await command.action(() => readSwitches(command)).parseAsync([], { from: 'user' });
  } finally {
    Reflect.deleteProperty(process.env, 'SWITCH');
  }
  expect(command.opts()).toEqual({ quiet: wanted });
});

describe('what is declared of an option holds for its variable and for a configuration file', () => {
  const WRONG = '?!';
  const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-environment-'));
  const file = join(folder, 'wrong.yaml');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Those that cannot have just any text. */
  const choosy = Object.entries<Declared<unknown>>({ ...LINE_OPTIONS, ...EXEC_OPTIONS }).filter(
    ([, { form }]) => !form.holds(WRONG) && form.written?.parse(WRONG, undefined) === undefined,
  );

  test('there are options that cannot have just any text', () => {
    expect(choosy.map(([name]) => name)).toEqual(
      expect.arrayContaining(['port', 'quiet', 'verbose', 'admission', 'eventTtl', 'failOn', 'seed']),
    );
  });

  test.each(choosy)('%s', async (name, { form }) => {
    const variable = `KUBE_MOCKSERVER_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
    const needed = form.choices?.join(', ') ?? form.needed;
    const refusal = await withVariable(variable, WRONG, ['exec', '--', 'true']);
    expect(refusal).toContain(variable);
    expect(refusal).toContain(needed);
    writeFileSync(file, `${name}: '${WRONG}'\n`);
    said.mockClear();
    expect(await run(['exec', '--config', file, '--', 'true'])).toBe(1);
    expect(said.mock.calls.join('')).toContain(`wrong.yaml:1: ${name}: must be `);
  });
});
