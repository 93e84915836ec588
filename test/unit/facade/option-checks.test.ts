import { checkOptions } from '../../../mockserver/facade/option-checks.js';
import { SERVER_OPTIONS } from '../../../mockserver/facade/options.js';

const check = (options: object) => () => checkOptions(options, SERVER_OPTIONS);

test.each([
  ['an option that is nearly one', { prot: 1 }, 'there is no option prot; did you mean port?'],
  ['an option in another case', { kubeConfigPath: 'x' }, 'did you mean kubeconfigPath?'],
  ['a port that is no number', { port: '8080' }, 'port: must be a whole number from 0 to 65535, not "8080"'],
  ['a port beyond the last', { port: 65_536 }, 'port: must be'],
  ['a single path where a list is needed', { load: 'crds' }, 'load: must be a list of strings, not "crds"'],
  ['a name that every object has', { toString: 1 }, 'there is no option toString'],
])('%s is refused', (_name, options, message) => {
  expect(check(options)).toThrow(message);
  expect(check(options)).toThrow(TypeError);
});

test('what is right, or not given, is taken', () => {
  expect(
    check({ port: 0, load: ['a'], seed: -1, host: undefined, frozenAt: '2026-01-01T00:00:00Z' }),
  ).not.toThrow();
});
