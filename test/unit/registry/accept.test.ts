import { negotiate, parseAccept, routeAccepts, routeConsumes } from '../../../mockserver/registry/accept.js';

const shown = (header: string): string[] =>
  parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);

test.each([
  ['by quality', 'a/b;q=0.1,c/d;q=0.9,e/f', ['e/f', 'c/d', 'a/b']],
  ['special before general', '*/*,a/*,a/b', ['a/b', 'a/*', '*/*']],
  ['equal ones as they stand', 'a/b, c/d', ['a/b', 'c/d']],
  ['a lone star is anything', '*', ['*/*']],
  ['unreadable ones are left out', 'foo, a/b/c, a/b', ['a/b']],
  ['an unreadable quality is none', 'a/b;q=x, c/d;q=0.1', ['c/d', 'a/b']],
  ['nothing', '', []],
])('clauses are ordered: %s', (_name, header, expected) => {
  expect(shown(header)).toEqual(expected);
});

test('parameters are read by name, unreadable ones passed over', () => {
  const [clause] = parseAccept('application/json; as=Table ;v=v1;g=;x=1=2;y');
  expect(Object.fromEntries(clause?.parameters ?? [])).toEqual({ as: 'Table', v: 'v1' });
});

test.each([
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['text/html, application/vnd.kubernetes.protobuf;q=0.1', 'application/vnd.kubernetes.protobuf'],
  ['application/json;stream=watch', 'application/json'],
  ['application/json;stream=other, application/yaml', 'application/yaml'],
  ['application/json;sv=v1', undefined],
  ['application/json;as=Table;g=meta.k8s.io;v=v1', undefined],
  ['application/JSON', undefined],
])('%j is answered in %s', (header, type) => {
  expect(negotiate(header)?.type).toBe(type);
});

test('a conversion is taken where it is allowed', () => {
  const negotiated = negotiate(
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    (wanted) => wanted?.kind === 'Table',
  );
  expect(negotiated?.conversion).toEqual({ group: 'meta.k8s.io', version: 'v1', kind: 'Table' });
});

test('a route knows whole types only', () => {
  expect(routeAccepts('application/*', ['application/json'])).toBe(false);
  expect(routeAccepts('text/html, application/json;q=0.1', ['application/json'])).toBe(true);
  expect(routeAccepts('*/*', ['application/json'])).toBe(true);
  expect(routeAccepts('', ['application/json'])).toBe(true);
});

test('a route takes the body types it names, and any when it names none', () => {
  expect(routeConsumes('application/json; charset=utf-8', ['application/json'])).toBe(true);
  expect(routeConsumes('application/xml', ['application/json'])).toBe(false);
  expect(routeConsumes('application/xml', [])).toBe(true);
  expect(routeConsumes('', ['application/json'])).toBe(true);
});
