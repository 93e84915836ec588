/** Configuration files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { configurationIn, readConfiguration } from '../../../mockserver/cli/configuration.js';
import { run } from '../../../mockserver/cli/program.js';

const folder = mkdtempSync(join(tmpdir(), 'kube-mockserver-configuration-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (text: string, name = 'a.yaml'): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('a file says what the command line would, with paths from its own folder', () => {
  const text =
    'port: 0\nload: [crds, /all]\nfeatureGates: {WatchList: false}\ncompactionInterval: 30s\ntokenAuthFile: t.csv\nverbose: true\n';
  expect(readConfiguration(written(text))).toEqual({
    port: 0,
    load: [join(folder, 'crds'), '/all'],
    featureGates: { WatchList: false },
    compactionInterval: '30s',
    tokenAuthFile: join(folder, 't.csv'),
    verbose: true,
  });
});

test('JSON is YAML, and a file without content says nothing', () => {
  expect(readConfiguration(written('{"port": 1}', 'a.json'))).toEqual({ port: 1 });
  expect(readConfiguration(written('# later\n'))).toEqual({});
});

test.each([
  [
    'an option that there is not',
    'host: a\nprot: 1\n',
    /^a\.yaml:2: prot: is not known here; .*did you mean port\?$/,
  ],
  ['a value of another type', 'load: crds\n', /^a\.yaml:1: load: must be a list, not "crds"$/],
  ['an item of another type', 'load:\n- a\n- 3\n', /^a\.yaml:3: load\[1\]: must be a text, not 3$/],
  [
    'a port beyond the last',
    'port: 70000\n',
    /^a\.yaml:1: port: must be a whole number from 0 to 65535, not 70000$/,
  ],
  [
    'what is no duration',
    'compactionInterval: soon\n',
    /^a\.yaml:1: compactionInterval: must be a duration such as 5m/,
  ],
  [
    'a feature that there is not',
    'featureGates:\n  WatchLst: true\n',
    /^a\.yaml:2: featureGates\.WatchLst: .*did you mean WatchList\?$/,
  ],
  [
    'one of no choices',
    'admission: some\n',
    /^a\.yaml:1: admission: must be one of default, none, not "some"$/,
  ],
  ['what is no YAML', 'port: [\n', /^a\.yaml:\d+: /],
  ['a list', '- port\n', /^a\.yaml:1: must be /],
])('%s is told with file, line and path', (_name, text, message) => {
  const file = written(text);
  const error = ((): Error => {
    try {
      readConfiguration(file);
    } catch (thrown) {
      if (thrown instanceof Error) return thrown;
    }
    throw new Error('it was taken');
  })();
  expect(error.message.replaceAll(`${folder}/`, '').replaceAll(`${folder}\\`, '')).toMatch(message);
});

test('of a folder the one file is found; of several, none', () => {
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  expect(configurationIn(inner)).toBeUndefined();
  writeFileSync(join(inner, 'kube-mockserver.yaml'), '');
  expect(configurationIn(inner)).toBe(join(inner, 'kube-mockserver.yaml'));
  writeFileSync(join(inner, 'kube-mockserver.json'), '{}');
  expect(() => configurationIn(inner)).toThrow('kube-mockserver.yaml and kube-mockserver.json');
});

describe('of a command', () => {
  const said = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  beforeEach(() => said.mockClear());
  afterAll(() => said.mockRestore());
  const words = async (...args: readonly string[]): Promise<string> => {
    expect(await run(args)).toBe(1);
    return said.mock.calls.map(([text]) => String(text)).join('');
  };

  test('what the file says holds, and what the command line says goes before it', async () => {
    const file = written('load: [absent.yaml]\n');
    expect(await words('serve', '--config', file)).toContain(
      `${join(folder, 'absent.yaml')}: there is no such file`,
    );
    expect(await words('serve', '--config', file, '--load', 'other.yaml')).toContain(
      'other.yaml: there is no such',
    );
  });

  test('mistakes are told before anything starts', async () => {
    expect(await words('serve', '--config', written('prot: 1\n'))).toContain('prot: is not known here');
    expect(await words('exec', '--config', join(folder, 'none.yaml'), '--', 'true')).toContain(
      'there is no such file',
    );
  });
});
