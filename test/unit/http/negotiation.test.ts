import { parseAccept } from '../../../mockserver/http/accept.js';
import { bodyType, patchType } from '../../../mockserver/http/content-type.js';
import { type Format } from '../../../mockserver/http/format.js';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import {
  asksForPretty,
  builtInRules,
  customRules,
  negotiate,
  plainRules,
  watchRefusal,
} from '../../../mockserver/http/negotiation.js';
import { parseQuery } from '../../../mockserver/http/query.js';
import {
  COLLECTION_TYPES,
  OBJECT_TYPES,
  routeAcceptRefusal,
  routePatchRefusal,
} from '../../../mockserver/http/route-checks.js';
import { yamlFormat } from '../../../mockserver/http/yaml-format.js';

const protobuf: Format = {
  ...jsonFormat,
  name: 'protobuf',
  mediaType: 'application/vnd.kubernetes.protobuf',
  watchMediaType: 'application/vnd.kubernetes.protobuf;stream=watch',
  text: false,
};
const formats = [jsonFormat, yamlFormat, protobuf];
const builtIn = builtInRules(formats);
const custom = customRules(formats);
const meta = 'g=meta.k8s.io;v=v1';

/** `json`, `json Table meta.k8s.io/v1`, or the code of the error. */
function outcome(accept: string | undefined, rules = builtIn): string | number {
  const negotiated = negotiate(accept, rules, false);
  if (!negotiated.ok) return negotiated.error.code;
  const { format, target, pretty } = negotiated.representation;
  const as = target === undefined ? '' : ` ${target.kind} ${target.group}/${target.version}`;
  return `${format.name}${as}${pretty ? ' pretty' : ''}`;
}

// Outcomes seen on kube-apiserver 1.36.3.
describe('Accept', () => {
  test.each([
    [undefined, 'json', 'json'],
    ['', 'json', 'json'],
    ['*/*', 'json', 'json'],
    ['*', 'json', 'json'],
    ['application/*', 'json', 'json'],
    ['application/json, */*;q=0.8', 'json', 'json'],
    ['application/json;q=0', 'json', 'json'],
    ['application/json;q=abc', 'json', 'json'],
    ['application/json;q=0,application/yaml', 'yaml', 'yaml'],
    ['application/yaml;q=0.5,application/json;q=0.4', 'yaml', 'yaml'],
    ['*/*,application/yaml;q=0.1', 'yaml', 'yaml'],
    ['text/html, */*', 'json', 'json'],
    ['application/json; charset=utf-8', 'json', 'json'],
    ['application/json;', 'json', 'json'],
    ['application/json;foo=bar', 'json', 'json'],
    ['application/json;stream=watch', 'json', 'json'],
    ['application/json;sv=v1', 'json', 'json'],
    ['application/json;export=1', 'json', 'json'],
    ['application/json;g=', 'json', 'json'],
    ['application/json;pretty=1', 'json pretty', 'json pretty'],
    ['application/json;pretty=true', 'json', 'json'],
    ['application/vnd.kubernetes.protobuf', 'protobuf', 406],
    ['application/vnd.kubernetes.protobuf, */*', 'protobuf', 'json'],
    ['application/vnd.kubernetes.protobuf,application/json', 'protobuf', 'json'],
    ['text/html', 406, 406],
    ['text/*', 406, 406],
    ['*/json', 406, 406],
    ['json', 406, 406],
    ['APPLICATION/JSON', 406, 406],
    ['application/json;stream=foo', 406, 406],
    ['application/yaml;stream=watch', 406, 406],
    ['application/json;sv=v2', 406, 406],
    [`application/json;as=Table;${meta}`, 'json Table meta.k8s.io/v1', 'json Table meta.k8s.io/v1'],
    [`*/*;as=Table;${meta}`, 'json Table meta.k8s.io/v1', 'json Table meta.k8s.io/v1'],
    [`application/yaml;as=Table;${meta}`, 'yaml Table meta.k8s.io/v1', 'yaml Table meta.k8s.io/v1'],
    [`application/vnd.kubernetes.protobuf;as=Table;${meta}`, 406, 406],
    [
      'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      'json Table meta.k8s.io/v1beta1',
      'json Table meta.k8s.io/v1beta1',
    ],
    [
      `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;${meta}`,
      'protobuf PartialObjectMetadata meta.k8s.io/v1',
      'protobuf PartialObjectMetadata meta.k8s.io/v1',
    ],
    [`application/json;as=Table;${meta};q=0.1,application/yaml`, 'yaml', 'yaml'],
    ['application/json;as=Table', 406, 406],
    ['application/json;as=Table;g=meta.k8s.io;v=v2', 406, 406],
    [`application/json;as=Foo;${meta}`, 406, 406],
    [`application/json;as=Foo;${meta},application/json`, 'json', 'json'],
    [`application/json;as="Table";${meta}`, 406, 406],
    ['application/json;g=meta.k8s.io', 406, 406],
  ])('%p', (accept, ofBuiltIn, ofCustom) => {
    expect([outcome(accept, builtIn), outcome(accept, custom)]).toEqual([ofBuiltIn, ofCustom]);
  });

  test('the error lists every media type of the API', () => {
    const negotiated = negotiate('text/html', builtInRules([jsonFormat]), false);
    expect(negotiated.ok ? undefined : negotiated.error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      reason: 'NotAcceptable',
      code: 406,
    });
  });

  test('plain rules know no transformation', () => {
    expect(outcome(`application/json;as=Table;${meta}`, plainRules(formats))).toBe(406);
    expect(outcome(`application/json;as=Table;${meta},application/json`, plainRules(formats))).toBe('json');
  });

  test('YAML cannot be streamed', () => {
    expect(watchRefusal({ format: jsonFormat, pretty: false })).toBeUndefined();
    expect(watchRefusal({ format: yamlFormat, pretty: false })?.message).toBe(
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });

  test('clauses come in the order of quality, named before wildcard', () => {
    const order = parseAccept('a/a;q=0.2, b/*;q=0.9, b/b;q=0.9, c/c').map(
      ({ type, subtype }) => `${type}/${subtype}`,
    );
    expect(order).toEqual(['c/c', 'b/b', 'b/*', 'a/a']);
  });
});

describe('the router in front of built-in kinds', () => {
  const available = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  test.each([
    ['application/*', true],
    ['*', true],
    ['APPLICATION/JSON', true],
    ['text/html', true],
    ['*/*;q=0', false],
    ['text/html, application/json;as=Foo', false],
    ['application/json;stream=watch', false],
    [undefined, false],
  ])('%p is refused: %p', (accept, refused) => {
    const error = routeAcceptRefusal(accept, OBJECT_TYPES);
    expect(error?.status).toEqual(
      refused
        ? {
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            message: `406: Not Acceptable\n\nAvailable representations: ${available}`,
            reason: 'NotAcceptable',
            details: {},
            code: 406,
          }
        : undefined,
    );
  });
  test('collections are also available as streams', () => {
    expect(routeAcceptRefusal('text/html', COLLECTION_TYPES)?.message).toContain(
      `${available}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
    );
  });
});

describe('Content-Type of POST, PUT and DELETE', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/JSON', 'application/json'],
    ['application/json;', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
    ['application/json; charset', undefined],
    ['application/json, text/plain', undefined],
    ['application/json; a="b\\"c"; d=e', 'application/json'],
    ['application/json; a=1; a=2', undefined],
    ['*/*', undefined],
    ['text/plain', undefined],
    ['application/apply-patch+json', undefined],
  ])('%p', (header, expected) => {
    const chosen = bodyType(header);
    expect(chosen.ok ? chosen.type : undefined).toBe(expected);
    if (!chosen.ok) {
      expect(chosen.error.message).toBe(
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      );
    }
  });
});

describe('Content-Type of PATCH', () => {
  const list = 'the body of the request was in an unknown format - accepted media types include: ';
  const ofBuiltIn = `${list}application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml`;
  const ofCustom = `${list}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`;
  const byRouter = '415: Unsupported Media Type';
  const answer = (header: string | undefined, kind: 'built-in' | 'custom'): string => {
    const early = kind === 'built-in' ? routePatchRefusal(header) : undefined;
    if (early !== undefined) return early.message;
    const chosen = patchType(header, kind);
    return chosen.ok ? chosen.type : chosen.error.message;
  };
  test.each([
    [undefined, byRouter, ofCustom],
    ['', byRouter, ofCustom],
    ['application/json', byRouter, ofCustom],
    ['application/apply-patch+json', byRouter, ofCustom],
    ['Application/Merge-Patch+json', byRouter, ofCustom],
    ['*/*', byRouter, ofCustom],
    ['application/merge-patch+json', 'application/merge-patch+json', 'application/merge-patch+json'],
    [
      'application/merge-patch+json; charset=utf-8',
      'application/merge-patch+json',
      'application/merge-patch+json',
    ],
    ['application/merge-patch+json;', 'application/merge-patch+json', 'application/merge-patch+json'],
    ['application/merge-patch+json ; x', ofBuiltIn, ofCustom],
    ['text/plain, application/merge-patch+json', ofBuiltIn, ofCustom],
    ['application/strategic-merge-patch+json', 'application/strategic-merge-patch+json', ofCustom],
    ['application/apply-patch+yaml', 'application/apply-patch+yaml', 'application/apply-patch+yaml'],
  ])('%p', (header, builtInAnswer, customAnswer) => {
    expect([answer(header, 'built-in'), answer(header, 'custom')]).toEqual([builtInAnswer, customAnswer]);
  });
});

test.each([
  ['pretty=1', undefined, true],
  ['pretty=True', undefined, true],
  ['pretty=yes', 'curl/8', false],
  ['pretty=0', 'curl/8', false],
  ['pretty=', 'curl/8', true],
  ['pretty=0&pretty=1', undefined, false],
  ['', 'curl/8.5.0', true],
  ['', 'Wget/1', true],
  ['', 'Mozilla/5.0 (X11)', true],
  ['', 'kubectl/v1.36.3', false],
  ['', undefined, false],
])('?%s from %p asks for indentation: %p', (query, userAgent, expected) => {
  expect(asksForPretty(parseQuery(query), userAgent)).toBe(expected);
});
