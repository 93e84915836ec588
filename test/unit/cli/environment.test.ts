/** Options of the command line that come from the environment. */
import { jest } from '@jest/globals';
import { run } from '../../../mockserver/cli/program.js';

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
])('%s is read, and refused where it is wrong', async (name, value, message) => {
  expect(await withVariable(name, value, ['serve'])).toContain(message);
});

test('what is given on the command line goes before', async () => {
  const text = await withVariable('KUBE_MOCKSERVER_LOAD', '/absent.yaml', ['serve', '--load', '/other.yaml']);
  expect(text).toContain('/other.yaml');
  expect(text).not.toContain('/absent.yaml');
});
